/** The queries of participants' pages look rows up by key, whatever statistics PostgreSQL had when it planned them. */
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toActor } from '#app/auth/actor.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import type { DB } from '#app/db/schema.ts'
import { listOwed } from '#app/domain/assessments/own-forms.server.ts'
import { listOwnCommitments } from '#app/domain/lifts/commitments.server.ts'
import { listLearnerJourneys, listTodo } from '#app/domain/participants/learning.server.ts'
import { asParticipant, inScope, type Scope } from '#app/domain/scope/scope.server.ts'
import { shareReads } from '#app/domain/scope/shared-reads.server.ts'
import { readLearners } from '#app/domain/sponsors/learners.server.ts'
import { listSponsoredJourneys } from '#app/domain/sponsors/sponsored.server.ts'
import { createJourneysWorld, type JourneysWorld } from './journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const ASKED: Record<string, (scope: Scope) => Promise<unknown>> = {
  'the to-do list': listTodo,
  'a learner’s journeys': listLearnerJourneys,
  'open lifts of a sponsor’s learners': (scope) => asParticipant(scope, (own) => readLearners(own)),
  'a sponsor’s learners in a journey': (scope) => asParticipant(scope, (own) => readLearners(own, 1)),
  'journeys of a sponsor’s learners': listSponsoredJourneys,
  'assessment forms to fill in': (scope) => listOwed(scope),
  'assessment forms of a journey to fill in': (scope) => listOwed(scope, 1),
  'open commitments': (scope) => listOwnCommitments(scope, { settled: false, with_settled: false }),
  'closed commitments': (scope) => listOwnCommitments(scope, { settled: true, with_settled: false }),
  'all commitments': (scope) => listOwnCommitments(scope, { settled: false, with_settled: true }),
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Plans?: Node[]
}

/** While a company grows and other companies share the connection, a join must not scan a whole table. */
it.each(Object.keys(ASKED))('reads %s by key, without scanning a whole table', async (name) => {
  const asked: CompiledQuery[] = []
  const watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: openPool(world.database.appUrl) }),
    log: ({ query }) => void asked.push(query),
  })
  await inScope(watched, toActor(world.people.uri, {}), async (scope) => {
    await ASKED[name]?.(scope)
    const reads = asked.filter(({ sql }) => /join/.test(sql))
    expect(reads).not.toEqual([])
    await asParticipant(scope, async ({ db }) => {
      await sql`set local enable_nestloop = off`.execute(db)
      await sql`set local enable_seqscan = off`.execute(db)
      for (const { sql: text, parameters } of reads) {
        const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Node }[] }>(
          CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
        )
        expect(wholesale(rows[0]?.['QUERY PLAN'][0]?.Plan)).toEqual([])
      }
    })
  })
  await watched.destroy()
})

/** A key of the joined row, of the person or of their company. For small tables any index will do. */
const KEY = / = \w+\.\w+|id = \(NULLIF\(current_setting\('app\.user_id'/
const OF_COMPANIES = ['tenants', 'sub_tenants']

/** Scans of all rows of a tenant, except in policies that do not apply to participants. */
function wholesale(node: Node | undefined): string[] {
  if (!node) return []
  const inner = (node.Plans ?? []).flatMap(wholesale)
  const { Alias: alias = '', 'Relation Name': table, 'Node Type': type } = node
  const by = [node['Index Cond'], node['Recheck Cond'], node.Filter].join()
  const isKeyed = !table || OF_COMPANIES.includes(table) || alias.startsWith('parent') || KEY.test(by)
  return isKeyed ? inner : [...inner, `${type} of ${table} (${alias})`]
}

/** Functions that policies call: planned once per connection, in the first company that calls them. */
const LOOK_UPS = [
  ...[
    'scope_own_members()',
    'scope_sponsored_members()',
    'scope_sponsored_learners()',
    'scope_known_members()',
  ],
  ...['scope_is_sponsor()', 'scope_is_member(1)', 'scope_is_own_member(1)', 'scope_sponsors_member(1)'],
  ...['scope_has_turn(1)', 'scope_has_version(1, 1)', 'scope_sponsors_lift(1, 1)', 'scope_shows_user(1)'],
  ...['scope_has_journey(1)', 'scope_has_lift(1)', 'scope_has_prompt(1)', 'scope_has_assessment(1)'],
]
const MANY = 20_000

describe('The functions that policies call', () => {
  let app: Kysely<DB>
  beforeAll(async () => {
    const admin = await world.database.connectAdmin()
    // One lift, which all of them were sent.
    await admin.query(`set session_replication_role = replica;
      insert into users (tenant_id, email, first_name, last_name, activation_status)
        select '${world.acme}', 'many-' || n || '@acme.example', 'Mara', n::text, 'active' from generate_series(1, ${MANY}) n;
      insert into members (tenant_id, journey_id, user_id, role, state)
        select tenant_id, 1, id, 'learner', 'active' from users where email like 'many-%' or id = ${world.people.uri.user_id};
      insert into members (tenant_id, journey_id, user_id, role, state)
        select tenant_id, 1, id, 'learner', 'active' from users where tenant_id = '${world.globex}';
      update members set sponsor_id = id - 1 where tenant_id = '${world.acme}';
      insert into occurrences (tenant_id, member_id, lift_id, journey_id, state, due_at, zone, content_version)
        select tenant_id, id, 1, 1, 'sent', now(), 'UTC', 1 from members;
      insert into assessment_forms (tenant_id, assessment_id, journey_id, rater, rater_id, subject_id, state)
        select tenant_id, 1, 1, 'self', id, id, 'open' from members;
      reset session_replication_role`)
    await admin.query('vacuum analyze users, members, occurrences, assessment_forms')
    app = connect(world.database.appUrl, { max: 1 })
  })
  afterAll(() => app?.destroy())

  it('are set to be planned once per connection', async () => {
    const admin = await world.database.connectAdmin()
    const { rows } = await admin.query(
      `select proname from pg_proc where proname = any($1)
         and not coalesce('plan_cache_mode=force_generic_plan' = any(proconfig), false)`,
      [LOOK_UPS.map((call) => call.replace(/\(.*/, ''))],
    )
    expect(rows.map(({ proname }) => proname)).toEqual([])
  })

  it.each(LOOK_UPS)(
    'read few rows of a large company even if a small one called them first: %s',
    async (call) => {
      const look = (who: Who) => readOf(who, ({ db }) => sql`select ${sql.raw(call)}`.execute(db))
      await look('greta')
      expect(await look('uri')).toBeLessThan(50)
    },
  )

  it.each(Object.keys(ASKED))('read fewer than 500 rows of a large company for %s', async (name) => {
    const ask = (who: Who) => readOf(who, async (scope) => ASKED[name]?.(scope))
    // After a few calls PostgreSQL keeps one plan for the statement.
    for (let nth = 0; nth < 5; nth++) await ask('greta')
    for (let nth = 0; nth < 5; nth++) expect(await ask('uri')).toBeLessThan(500)
  })

  /** How many rows were read. */
  const readOf = (who: Who, work: (scope: Scope) => Promise<unknown>) =>
    shareReads(app)(toActor(world.people[who], {}), (scope) =>
      asParticipant(scope, async (own) => {
        const read = async () => {
          const { rows } = await sql<{ read: number }>`select sum(seq_tup_read + idx_tup_fetch)::int as read
            from pg_stat_xact_user_tables`.execute(own.db)
          return rows[0]?.read ?? 0
        }
        const before = await read()
        await work(own)
        return (await read()) - before
      }),
    )
})

type Who = 'greta' | 'uri'
