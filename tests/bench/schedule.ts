/**
 * `npm run bench`: a journey of 200 lifts and 10,000 learners opens its schedule in the time of a small one.
 * Measures the API's call on a real database, as a draft and while it runs, and prints the ratios.
 */
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { createWorld } from '#tests/api/tenants-world.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'

const ROUNDS = 21
/** Turns are written for this many lifts of the big journey: 10,000 each. */
const LIFTS_WITH_TURNS = Number(process.env.BENCH_LIFTS_WITH_TURNS ?? 40)

const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
const database = await createTestDatabase(postgres)
const world = await createWorld(database.app)
const admin = new pg.Client({ connectionString: database.adminUrl })
await admin.connect()

async function must(method: string, path: string, body?: unknown) {
  const answer = await world.call('adam', method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.json
}

/** A draft with `lifts` ready lifts, and as many learners, who are made for it. */
async function makeDraft(name: string, lifts: number, learners: number): Promise<number> {
  const { id } = await must('POST', '/lljs', { name, category: 'Sales' })
  const values = [world.acme, id]
  await admin.query(
    `insert into lifts (tenant_id, journey_id, position, title, blocks, schedule, status)
     select $1, $2, n, 'Lift ' || n, '[{"kind":"text","markdown":"Text."}]',
       jsonb_build_object('kind', 'offset', 'from', 'start', 'days', n, 'time', '10:00'), 'ready'
     from generate_series(1, ${lifts}) n`,
    values,
  )
  await admin.query(
    `with made as (
       insert into users (tenant_id, email, first_name, last_name, timezone, activation_status)
       select $1, $2 || '-' || n || '@bench.example', 'Learner', n::text,
         (array['Europe/Vienna', 'America/New_York', 'Asia/Tokyo'])[n % 3 + 1], 'active'
       from generate_series(1, ${learners}) n returning tenant_id, id)
     insert into members (tenant_id, journey_id, user_id, role) select tenant_id, $2::bigint, id, 'learner' from made`,
    values.map(String),
  )
  return id
}

/** As if launched: turns of the first lifts, some of them answered, and their facts. */
async function makeRunning(id: number, lifts: number): Promise<void> {
  await admin.query(`update journeys set status = 'active', launched_at = now() where id = $1`, [id])
  await admin.query(
    `insert into occurrences (tenant_id, journey_id, lift_id, member_id, zone, due_at, state, content_version, completed_at)
     select l.tenant_id, l.journey_id, l.id, m.id, 'UTC', now() + (l.position - 20) * interval '1 day',
       case when m.id % 2 = 0 then 'completed' else 'sent' end, 1, case when m.id % 2 = 0 then now() end
     from lifts l join members m on m.tenant_id = l.tenant_id and m.journey_id = l.journey_id
     where l.journey_id = $1 and l.position <= ${lifts}`,
    [id],
  )
  await admin.query(
    `insert into fact_occurrence (tenant_id, occurrence_id, journey_id, lift_id, member_id, user_id, exclude_data,
       required, state, delivery, due_at, accepted_at, completed_at)
     select o.tenant_id, o.id, o.journey_id, o.lift_id, o.member_id, m.user_id, false, true, o.state, 'accepted',
       o.due_at, o.due_at, o.completed_at
     from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id where o.journey_id = $1`,
    [id],
  )
  await admin.query('analyze')
}

async function measure(id: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await must('GET', `/lljs/${id}/schedule`)
    times.push(performance.now() - start)
  }
  return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0
}

function report(what: string, small: number, big: number): void {
  console.log(
    `${what}: small ${small.toFixed(1)} ms, big ${big.toFixed(1)} ms, ratio ${(big / small).toFixed(2)}`,
  )
}

const small = await makeDraft('Small', 3, 5)
const big = await makeDraft('Big', 200, 10_000)
await admin.query('analyze')
await measure(small)
report('Draft', await measure(small), await measure(big))
await makeRunning(small, 3)
await makeRunning(big, LIFTS_WITH_TURNS)
report(`Running, ${LIFTS_WITH_TURNS * 10_000} turns`, await measure(small), await measure(big))

await admin.end()
await database.drop()
await stop()
