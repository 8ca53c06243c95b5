/** Listing the answers or assessments of many people reads only the people of the requested page, and each answer a few times at most. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toActor } from '#app/auth/actor.server.ts'
import { listLiftResponses } from '#app/domain/analytics/lift-responses.server.ts'
import { ResponseQuery } from '#app/domain/analytics/query.ts'
import { listAssessments } from '#app/domain/assessments/table.server.ts'
import { inScope, type Scope } from '#app/domain/scope/scope.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

const MANY = 15_000
/** A little more than the 10,000 rows at which a list stops counting. */
const FEW = 11_000

let world: JourneysWorld
let journey: number
let lift: number
beforeAll(async () => {
  world = await createJourneysWorld()
  const made = await world.draft(['uri'])
  journey = made.id
  lift = made.lift
  const prompt = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, {
    kind: 'short_text',
    text: 'What will you try?',
  })
  const admin = await world.database.connectAdmin()
  await admin.query(`set session_replication_role = replica;
    insert into users (tenant_id, email, first_name, last_name, activation_status)
      select '${world.acme}', 'many-' || n || '@acme.example', 'Mara', n::text, 'active' from generate_series(1, ${MANY}) n;
    insert into members (tenant_id, journey_id, user_id, role, state)
      select tenant_id, ${made.id}, id, 'learner', 'active' from users where email like 'many-%';
    insert into responses (tenant_id, member_id, lift_id, prompt_id, prompt_version, value, visibility, submitted_at)
      select m.tenant_id, m.id, ${lift}, ${prompt.id}, 1, '"Listen"', 'sponsor', now() - m.id * interval '1 minute'
      from members m join users u on u.id = m.user_id where u.email like 'many-%';
    insert into responses (tenant_id, member_id, lift_id, prompt_id, prompt_version, value, visibility, submitted_at, is_current)
      select tenant_id, member_id, lift_id, prompt_id, 1, '"Ask"', 'sponsor', submitted_at - interval '1 day', false
      from responses where lift_id = ${lift} and member_id % 10 = 0;
    reset session_replication_role`)
  await admin.query('vacuum analyze users, members, responses, prompts')
})
afterAll(() => world?.drop())

/** What a listing finds, and how many rows it reads for that. */
const watch = <Found>(find: (scope: Scope) => Promise<Found>) =>
  inScope(world.database.app, toActor(world.people.adam, {}), async (scope) => {
    const rowsRead = async () => {
      const { rows } = await sql<{ read: number }>`select sum(seq_tup_read + idx_tup_fetch)::int as read
        from pg_stat_xact_user_tables`.execute(scope.db)
      return rows[0]?.read ?? 0
    }
    const before = await rowsRead()
    const found = await find(scope)
    return { found, read: (await rowsRead()) - before }
  })

const list = (query: object) =>
  watch((scope) => listLiftResponses(scope, lift, ResponseQuery.parse({ per_page: 20, ...query })))

it.each([1, 40])(
  'Page %i of a lift’s answers is read without reading everyone who answered',
  async (page) => {
    const { found, read } = await list({ page })
    expect(found.data).toHaveLength(20)
    expect(found.data[0]?.name).toMatch(/^Mara \d+$/)
    expect(found.pagination).toMatchObject({ total: 10_000, is_capped: true })
    expect(read).toBeLessThan(FEW + page * 20)
  },
)

it('The answers of a past moment are read without comparing each with all others', async () => {
  const { found, read } = await list({ as_of: new Date().toISOString() })
  expect(found.data.map(({ words }) => words)).toEqual(Array(20).fill('Listen'))
  expect(read).toBeLessThan(4 * MANY)
})

it('Words in answers, and names, are found without reading anything about everyone who answered', async () => {
  for (const [q, total] of [
    ['nothing like it', 0],
    [`Mara ${MANY}`, 1],
  ] as const) {
    const { found, read } = await list({ q })
    expect([q, found.pagination.total]).toEqual([q, total])
    expect(read).toBeLessThan(2 * MANY)
  }
})

it('A page of learners with their assessments is read without sorting all learners', async () => {
  const { found, read } = await watch((scope) =>
    listAssessments(scope, journey, { page: 2, per_page: 20, q: '' }),
  )
  expect(found.data).toHaveLength(20)
  expect(found.pagination).toMatchObject({ total: 10_000, is_capped: true })
  expect(read).toBeLessThan(2 * FEW)
})
