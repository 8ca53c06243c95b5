import { sql } from 'kysely'
import { offsetOf, paginate } from '#app/domain/page.ts'
import { quietHoursOf } from '../hours/quiet-hours.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import type { Journey } from '../journeys/journey.ts'
import { isRunning } from '../journeys/journey-status.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { nextRuleAfter } from '../planning/next-rule.server.ts'
import { planProgressOf } from '../planning/runs/plan-runs.server.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Prospect, prospectLaunch } from './launch.server.ts'
import { forecastLaunch } from './launch-forecast.server.ts'
import type { LaunchForecast, LiftCounts, Timeline, TimelineLift, TimelineQuery } from './timeline.ts'

export async function getTimeline(
  scope: Scope,
  id: number,
  { launch, ...shown }: TimelineQuery,
): Promise<Timeline> {
  const { prospect, timeline } = await askOnce(scope, ['timeline', id, shown], () => read(scope, id, shown))
  const { journey } = timeline
  return {
    ...timeline,
    forecast: prospect && launch ? await forecast(scope, journey, prospect, launch) : null,
  }
}

type Shown = Omit<TimelineQuery, 'launch'>

async function read(scope: Scope, id: number, query: Shown) {
  const journey = await getJourney(scope, id)
  const { lifts, total, before, last, planning } = await readPage(scope, journey, query)
  const page = { per_page: query.per_page, page: query.page ?? Math.floor(before / query.per_page) + 1 }
  const prospect = journey.status === 'draft' ? await prospectLaunch(scope, journey) : null
  const timeline = {
    journey,
    lifts,
    pagination: paginate(total, page),
    learners: prospect?.learners ?? journey.learners,
    quiet_hours: quietHoursOf((await readClockAndHours(scope, id)).settings, true),
    problems: prospect?.problems ?? [],
    planning: journey.launched_at ? planning : null,
    past_lifts: prospect?.past.map(({ id: lift_id, title }) => ({ id: lift_id, title })) ?? [],
    warnings: prospect?.warnings ?? [],
    at_launch: prospect?.withLaunch.length ?? 0,
    next_rule: nextRuleAfter(scope, last, journey),
  }
  return { prospect, timeline }
}

async function forecast(
  scope: Scope,
  journey: Journey,
  { problems, withLaunch, past }: Prospect,
  way: 'send' | 'skip',
): Promise<LaunchForecast | null> {
  if (problems.length > 0) return null
  const sent = way === 'send' ? [...withLaunch, ...past] : withLaunch
  return forecastLaunch(
    scope,
    journey,
    sent.map((lift) => lift.id),
  )
}

type Summary = { total: number; before: number; last: unknown; planning: Timeline['planning'] }

/** A journey without lifts has one row, without an `id`. */
type Row = Omit<TimelineLift, 'counts' | 'created_on' | 'updated_on'> &
  Omit<LiftCounts, 'first_due_at'> & { created_on: Date; updated_on: Date; first_due_at: Date | null }

/**
 * The cost depends on the page only: counts are kept as tallies, and only those of its lifts are added up. Retired lifts
 * are in the timeline too, but do not count for the rule of the next lift.
 */
async function readPage(
  { db }: Scope,
  { id: journeyId, status }: Pick<Journey, 'id' | 'status'>,
  { page, per_page, lift }: Shown,
): Promise<Summary & { lifts: TimelineLift[] }> {
  const offset =
    lift && !page
      ? sql`(select before / ${per_page}::int * ${per_page}::int from summary)`
      : sql`${offsetOf({ page: page ?? 1, per_page })}`
  const { rows } = await sql<Summary & (Row | Record<keyof Row, null>)>`
    with summary as materialized (
      select count(*) as total, count(*) filter (where position < (select l.position from lifts l
          where l.id = ${lift ?? null}::bigint and l.journey_id = ${journeyId})) as before,
        (select l.schedule from lifts l where l.journey_id = ${journeyId} and l.status <> 'retired'
          order by l.position desc limit 1) as last,
        ${planProgressOf(journeyId)} as planning
      from lifts where journey_id = ${journeyId}),
    unknown as materialized (
      select o.lift_id, count(*) from (select tenant_id, occurrence_id from dispatches where state = 'unknown' offset 0) d
        join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
      where o.journey_id = ${journeyId} group by 1),
    page as (select l.id, l.journey_id, l.position, l.title, l.required, l.completion_rule, l.schedule,
      l.closes_after_hours, l.est_minutes, l.status, l.version, l.created_on, l.updated_on, l.lock_version,
      (select count(*) from prompts p where p.tenant_id = l.tenant_id and p.lift_id = l.id and p.retired_on is null)
        as prompts,
      t.*,
      case when t.assigned > 0 then (select o.due_at from occurrences o where o.tenant_id = l.tenant_id
        and o.lift_id = l.id and o.due_at is not null and o.state not in ('cancelled', 'held')
        order by o.due_at limit 1) end as first_due_at,
      case when ${isRunning(status)} then (select count(*) from occurrences o
        where o.tenant_id = l.tenant_id and o.lift_id = l.id and o.state = 'held') else 0 end as held,
      coalesce((select u.count from unknown u where u.lift_id = l.id), 0) as unknown_messages
    from (select * from lifts where journey_id = ${journeyId} order by position
      limit ${per_page} offset ${offset}) l
    cross join lateral (
      select coalesce(sum(assigned), 0)::bigint as assigned, coalesce(sum(accepted), 0)::bigint as accepted,
        coalesce(sum(opened), 0)::bigint as opened, coalesce(sum(responded), 0)::bigint as responded,
        coalesce(sum(completed), 0)::bigint as completed, coalesce(sum(unknown), 0)::bigint as unknown,
        coalesce(sum(failed), 0)::bigint as failed, coalesce(sum(pending), 0)::bigint as pending
      from lift_tallies t where t.tenant_id = l.tenant_id and t.lift_id = l.id
    ) t)
    select * from summary left join page on true order by position`.execute(db)
  const { total = 0, before = 0, last = null, planning = null } = rows[0] ?? {}
  const lifts = rows.flatMap((row) => (row.id === null ? [] : [toLift(row)]))
  return { lifts, total, before, last, planning }
}

function toLift({
  assigned,
  pending,
  accepted,
  unknown,
  failed,
  opened,
  responded,
  completed,
  first_due_at,
  created_on,
  updated_on,
  total: _total,
  before: _before,
  last: _last,
  planning: _planning,
  ...lift
}: Summary & Row): TimelineLift {
  return {
    ...lift,
    created_on: created_on.toISOString(),
    updated_on: updated_on.toISOString(),
    counts: {
      ...{ assigned, pending, accepted, unknown, failed, opened, responded, completed },
      first_due_at: first_due_at?.toISOString() ?? null,
    },
  }
}
