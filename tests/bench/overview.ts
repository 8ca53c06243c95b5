/** How long the overview of a company with millions of facts takes, and whether it equals a count one by one. */
import { isDeepStrictEqual } from 'node:util'
import { openKept } from './kept.ts'
import { processorMs } from './processor.ts'
import { measure } from './site.ts'

export const GOAL_MS = 200
/** For the lists behind the figures, which are counted on request. */
const PAGE_GOAL_MS = 1000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41)

/** In milliseconds; `work` is processor time, which other processes on the machine hardly change. */
export type OverviewTimes = {
  facts: number
  sums: number
  due_now: number
  all: number
  one: number
  work: number
  counted: number
  pages: readonly PageTime[]
}
type PageTime = { name: string; ms: number; work: number }

const PAGE_ROUNDS = 11
const UNTIL_KEPT = 5
const DAY_MS = 86_400_000

/** Other pages over as many facts. */
function pages(journey: number): Readonly<Record<string, string>> {
  const from = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10)
  return {
    Home: '/today',
    'Rows behind the answers': '/analytics/explain',
    'Who has not answered': '/analytics/explain?outcome=no',
    'Who is behind': '/analytics/explain?figure=completion&outcome=behind',
    'A name among the rows behind': '/analytics/explain?q=Learner%2077',
    'Overview of thirty days': `/analytics/overview?from=${from}`,
    'Learners by name': '/analytics/by_user',
    'Learners of thirty days': `/analytics/by_user?from=${from}`,
    'Answers of thirty days': `/analytics/explain?from=${from}`,
    'Learners by lifts of a journey': `/lljs/${journey}/grid?per_page=200`,
  }
}

export async function timeOverview(wanted: number): Promise<OverviewTimes> {
  const kept = await openKept(wanted)
  const { admin, ask } = kept
  try {
    // Sends one lift of each journey just now: sums do not include the current quarter of an hour.
    const { rows: just } = await admin.query(
      `with sent as (update fact_occurrence set due_at = now(), accepted_at = now(), delivered_at = now(), opened_at = null,
         responded_at = null, completed_at = null
         where lift_id in (select min(id) from lifts group by journey_id) returning 1)
       select count(*)::int as due_now from sent`,
    )
    await admin.query('vacuum analyze fact_occurrence, lift_tallies, fact_learner')
    const { rows } = await admin.query(
      `select (select count(*)::int from fact_occurrence) as facts, (select count(*)::int from lift_tallies) as sums,
         (select min(id)::int from journeys) as journey`,
    )
    const { facts, sums, journey } = rows[0]
    const overview = () => ask('/analytics/overview')
    const [all = 0, one = 0] = await measure(ROUNDS, overview, () =>
      ask(`/analytics/overview?journey=${journey}`),
    )
    const before = processorMs([process.pid, kept.postgres()])
    for (let round = 0; round < ROUNDS; round++) await overview()
    const work = (processorMs([process.pid, kept.postgres()]) - before) / ROUNDS
    const times: PageTime[] = []
    // A kept plan may have been made for an empty company.
    for (let round = 0; round < UNTIL_KEPT; round++) await ask('/today', 'small')
    for (const [name, path] of Object.entries(pages(journey))) times.push(await timePage(kept, name, path))
    const began = performance.now()
    const byOne = await admin.query(COUNTED)
    const counted = performance.now() - began
    const { learners, journeys, lifts, counts, open } = await overview()
    const told = { learners, journeys, lifts, ...counts, opened_and_delivered: open.n }
    if (!isDeepStrictEqual(told, byOne.rows[0]))
      throw new Error(`${JSON.stringify(told)} is not ${JSON.stringify(byOne.rows[0])}`)
    return { facts, sums, due_now: just[0].due_now, all, one, work, counted, pages: times }
  } finally {
    await kept.close()
  }
}

async function timePage(
  { ask, postgres }: Awaited<ReturnType<typeof openKept>>,
  name: string,
  path: string,
): Promise<PageTime> {
  const [ms = 0] = await measure(PAGE_ROUNDS, () => ask(path))
  const before = processorMs([process.pid, postgres()])
  for (let round = 0; round < PAGE_ROUNDS; round++) await ask(path)
  return { name, ms, work: (processorMs([process.pid, postgres()]) - before) / PAGE_ROUNDS }
}

const COUNTED = `
  select count(distinct user_id)::int as learners, count(distinct journey_id)::int as journeys,
    count(distinct lift_id)::int as lifts, count(*)::int as assigned, count(*) filter (where asks)::int as asked,
    count(accepted_at)::int as accepted, count(*) filter (where delivery = 'unknown')::int as unknown,
    count(*) filter (where delivery = 'suppressed')::int as suppressed,
    count(*) filter (where delivery = 'failed')::int as failed, count(*) filter (where delivery = 'expired')::int as expired,
    count(*) filter (where delivery = 'pending')::int as pending, count(delivered_at)::int as delivered,
    count(opened_at)::int as opened, count(*) filter (where asks and responded_at is not null)::int as responded,
    count(completed_at)::int as completed,
    count(*) filter (where opened_at is not null and delivered_at is not null)::int as opened_and_delivered
  from fact_occurrence where is_counted and due_at <= now()`

/** Pages that exceed their goal. */
export const slowOf = ({ work, pages }: OverviewTimes): string[] => [
  ...(work > GOAL_MS ? ['Overview'] : []),
  ...pages.filter((page) => page.work > PAGE_GOAL_MS).map(({ name }) => name),
]

export function inWords({ facts, sums, due_now, all, one, work, counted, pages }: OverviewTimes): string {
  const many = (count: number) => count.toLocaleString('en-US')
  const said = [
    `Overview of a company with ${many(facts)} facts, ${many(due_now)} of them due in this quarter of an hour, from`,
    `${many(sums)} sums: ${all.toFixed(0)} ms (goal: ${GOAL_MS}), of the processor ${work.toFixed(0)}; of one of its ten`,
    `journeys ${one.toFixed(0)} ms. Counted one by one, the same figures take ${(counted / 1000).toFixed(1)} s.`,
  ].join(' ')
  const rows = pages.map(({ name, ms, work }) => `| ${name} | ${ms.toFixed(0)} | ${work.toFixed(0)} |`)
  return [
    said,
    '',
    `| Of the same facts (goal: ${PAGE_GOAL_MS}) | ms | of the processor |`,
    '| --- | --- | --- |',
    ...rows,
  ].join('\n')
}
