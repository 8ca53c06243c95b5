/**
 * `npm run bench:analytics`: the overview of a company with a million facts (BENCH_FACTS for more), from its sums, and
 * what counting them one by one takes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Principal } from '#app/auth/principal.ts'
import { openApi } from './api.ts'
import { measure } from './site.ts'

const FACTS = Number(process.env.BENCH_FACTS ?? 1_000_000)
const LIFTS = 200
const JOURNEYS = 10
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41)
const GOAL_MS = 200

type Opened = Awaited<ReturnType<typeof openApi>>

/** As if sent over a hundred days up to now, a hundredth of them today. */
async function fill({ admin, adam }: Opened): Promise<void> {
  const learners = Math.ceil(FACTS / LIFTS)
  const perJourney = Math.ceil(learners / JOURNEYS)
  for (let nth = 0; nth < JOURNEYS; nth++) {
    const journey = await addJourney(admin, adam, nth, perJourney)
    await admin.query(
      `insert into occurrences (tenant_id, journey_id, lift_id, member_id, zone, due_at, state, content_version,
         opened_at, first_response_at, completed_at)
       select l.tenant_id, l.journey_id, l.id, m.id, 'UTC', due_at, 'sent', 1, due_at + interval '1 minute',
         case when m.id % 3 = 0 then due_at + interval '2 minutes' end, case when m.id % 4 = 0 then due_at + interval '3 minutes' end
       from lifts l join members m on m.tenant_id = l.tenant_id and m.journey_id = l.journey_id
         cross join lateral (select now() - interval '1 hour' - (l.position % 100) * interval '1 day' as due_at) d
       where l.journey_id = $1`,
      [journey],
    )
    await admin.query(
      `insert into fact_occurrence (tenant_id, occurrence_id, journey_id, lift_id, member_id, user_id, exclude_data,
         required, state, delivery, due_at, accepted_at, delivered_at, opened_at, responded_at, completed_at)
       select o.tenant_id, o.id, o.journey_id, o.lift_id, o.member_id, m.user_id, false, true, o.state, 'accepted',
         o.due_at, o.due_at, o.due_at, o.opened_at, o.first_response_at, o.completed_at
       from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id where o.journey_id = $1`,
      [journey],
    )
  }
  await admin.query('analyze')
}

async function addJourney(
  admin: Opened['admin'],
  author: Principal,
  nth: number,
  learners: number,
): Promise<number> {
  const { rows } = await admin.query(
    `insert into journeys (tenant_id, name, category, author_id, status, launched_at)
     values ($1, $2, 'Sales', $3, 'active', now()) returning id::int`,
    [author.tenant_id, `Journey ${nth}`, author.user_id],
  )
  const id = rows[0].id as number
  await admin.query(
    `with made as (insert into lifts (tenant_id, journey_id, position, title, status)
       select $1, $2, n, 'Lift ' || n, 'ready' from generate_series(1, ${LIFTS}) n returning tenant_id, id)
     insert into lift_versions (tenant_id, lift_id, version, content)
     select tenant_id, id, 1, '{"prompts": [{"id": 1}]}' from made`,
    [author.tenant_id, id],
  )
  await admin.query(
    `with made as (insert into users (tenant_id, email, first_name, last_name, activation_status)
       select $1, '${nth}-' || n || '@bench.example', 'Learner', n::text, 'active' from generate_series(1, ${learners}) n
       returning tenant_id, id)
     insert into members (tenant_id, journey_id, user_id, role) select tenant_id, $2::bigint, id, 'learner' from made`,
    [author.tenant_id, id],
  )
  return id
}

const opened = await openApi()
try {
  const began = performance.now()
  await fill(opened)
  const { rows } = await opened.admin.query(
    `select (select count(*)::int from fact_occurrence) as facts, (select count(*)::int from lift_tallies) as sums,
       (select min(id)::int from journeys) as journey`,
  )
  const [{ facts, sums, journey }] = rows
  console.log(
    `${facts} facts and their ${sums} sums, written in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  const all = () => opened.ask('/analytics/overview')
  const one = () => opened.ask(`/analytics/overview?journey=${journey}`)
  const [allMs = 0, oneMs = 0] = await measure(ROUNDS, all, one)
  console.log(
    `Overview of everything: ${allMs.toFixed(1)} ms, of one journey: ${oneMs.toFixed(1)} ms (goal: ${GOAL_MS})`,
  )
  const hourAgo = encodeURIComponent(new Date(Date.now() - 1_800_000).toISOString())
  const counted = () => opened.ask(`/analytics/overview?as_of=${hourAgo}`)
  const [countedMs = 0] = await measure(3, counted)
  console.log(`As of half an hour ago, counted one by one: ${countedMs.toFixed(0)} ms`)
  const [summed, byOne] = [await all(), await counted()]
  if (!isDeepStrictEqual(summed.counts, byOne.counts))
    throw new Error(`${JSON.stringify(summed)} is not ${JSON.stringify(byOne)}`)
  if (allMs > GOAL_MS) process.exitCode = 1
} finally {
  await opened.close()
}
