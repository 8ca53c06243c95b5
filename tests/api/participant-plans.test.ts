/** What those who take part ask on every page is looked up by keys, whatever PostgreSQL knew when it planned it. */
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toActor } from '#app/auth/actor.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import type { DB } from '#app/db/schema.ts'
import { listOwed } from '#app/domain/assessments/own-forms.server.ts'
import { listOwnCommitments } from '#app/domain/lifts/commitments.server.ts'
import { listLearnerJourneys, listTodo } from '#app/domain/participants/learning.server.ts'
import { asParticipant, inScope, type Scope } from '#app/domain/scope/scope.server.ts'
import { readLearners } from '#app/domain/sponsors/learners.server.ts'
import { listSponsoredJourneys } from '#app/domain/sponsors/sponsored.server.ts'
import { createJourneysWorld, type JourneysWorld } from './journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const ASKED: Record<string, (scope: Scope) => Promise<unknown>> = {
  'what is to do': listTodo,
  'their journeys': listLearnerJourneys,
  'what their learners have open': (scope) => asParticipant(scope, (own) => readLearners(own)),
  'the learners of a journey': (scope) => asParticipant(scope, (own) => readLearners(own, 1)),
  'the journeys of their learners': listSponsoredJourneys,
  'forms that they owe': (scope) => listOwed(scope),
  'forms of a journey that they owe': (scope) => listOwed(scope, 1),
  'open commitments': (scope) => listOwnCommitments(scope, { settled: false, with_settled: false }),
  'settled commitments': (scope) => listOwnCommitments(scope, { settled: true, with_settled: false }),
  commitments: (scope) => listOwnCommitments(scope, { settled: false, with_settled: true }),
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

/** A company grows, and other companies share the connection: no join is worth going through a whole table. */
it.each(Object.keys(ASKED))('looks up %s by keys', async (name) => {
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

/** A key of the row before, of the person or of their company. Of small tables it is no matter by which index. */
const KEY = / = \w+\.\w+|id = \(NULLIF\(current_setting\('app\.user_id'/
const OF_COMPANIES = ['tenants', 'sub_tenants']

/** Scans of all that a tenant has; but for those of policies that whoever takes part never comes to. */
function wholesale(node: Node | undefined): string[] {
  if (!node) return []
  const inner = (node.Plans ?? []).flatMap(wholesale)
  const { Alias: alias = '', 'Relation Name': table, 'Node Type': type } = node
  const by = [node['Index Cond'], node['Recheck Cond'], node.Filter].join()
  const isKeyed = !table || OF_COMPANIES.includes(table) || alias.startsWith('parent') || KEY.test(by)
  return isKeyed ? inner : [...inner, `${type} of ${table} (${alias})`]
}
