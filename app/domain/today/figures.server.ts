/** All figures in one statement, from the tallies per quarter of an hour, minus what is not due yet in the current one. */
import { type RawBuilder, sql } from 'kysely'
import { OWES, TAKES_ANSWERS } from '../analytics/behind.server.ts'
import { type Counted, figuresOf } from '../analytics/figures.ts'
import { REPORT_ZONE } from '../analytics/population.server.ts'
import { plannedByReach } from '../journeys/planned-by-reach.server.ts'
import { type Scope, scopeUser } from '../scope/scope.server.ts'
import { MAX_COUNTED, type Work } from './today.ts'

type Row = {
  weeks: (Counted & { week: string })[]
  leaving: { lifts: number; reminders: number; data: Work['leaving']['data'] }
  behind: Work['behind']
}

const NAMES = [
  ...['assigned', 'asked', 'accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending', 'delivered'],
  ...['opened', 'opened_and_delivered', 'completed', 'answered'],
]
const SHOWN = sql.lit(5)
const COUNTED = sql.lit(MAX_COUNTED + 1)

export async function readTodaysFigures(scope: Scope): Promise<Pick<Work, 'weeks' | 'leaving' | 'behind'>> {
  const [row] = await readRow(scope)
  if (!row) throw new Error('A statement without a from has one row')
  return { ...row, weeks: row.weeks.map(({ week, ...counts }) => ({ week, ...toFigures(counts) })) }
}

const readRow = plannedByReach((seesAll) => {
  const author = seesAll ? sql`true` : sql`author_id = ${scopeUser}`
  const mine = seesAll ? sql`true` : sql`journey_id in (select id from journeys where ${author})`
  return sql<Row>`
    with place as (select ${REPORT_ZONE} as zone),
    clock as (select zone, (date_trunc('day', scope_now() at time zone zone) + interval '1 day') at time zone zone as day_ends,
      date_trunc('week', scope_now() at time zone zone) as monday from place),
    weeks as (select day::date as week, day at time zone zone as begins,
        least((day + interval '7 days') at time zone zone, scope_now()) as ends
      from clock, generate_series(monday - interval '21 days', monday, interval '7 days') as day),
    parts as (${partsOfWeeks(mine)}), summed as (
      select week, ${sql.join(
        NAMES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`),
      )}
      from weeks left join parts using (week) group by week
    ), planned as (
      select o.journey_id, o.lift_id, d.kind, d.next_attempt_at
      from clock, dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
        join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id and j.status in ('scheduled', 'active')
      where d.state = 'planned' and d.channel in ('sms', 'email', 'in_app') and d.next_attempt_at < day_ends
        and o.state not in ('held', 'cancelled') and ${mine}
      limit ${COUNTED}
    ), leaving as (
      select lift_id, min(next_attempt_at) as first_at, count(*) as people from planned
      where kind <> 'reminder' group by lift_id order by 3 desc, 1 limit ${SHOWN}
    ), late as materialized (
      select j.id, j.name, late.user_id
      from journeys j cross join lateral (select p.user_id from fact_learner p
        where p.tenant_id = j.tenant_id and p.journey_id = j.id and ${OWES} limit ${COUNTED}) late
      where ${TAKES_ANSWERS} and j.learner_count > 0 and ${author}
    ), behind as (
      select id, name, count(*) as people from late group by id, name order by 3 desc, 1 limit ${SHOWN}
    )
    select (select jsonb_agg(to_jsonb(summed) || jsonb_build_object('responded', answered) order by week) from summed) as weeks,
      ${LEAVING} as leaving, ${BEHIND} as behind`
})

const LEAVING = sql`jsonb_build_object(
    'lifts', (select count(*) from planned where kind <> 'reminder'),
    'reminders', (select count(*) from planned where kind = 'reminder'),
    'data', coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'title', l.title, 'people', people,
        'first_at', to_char(greatest(first_at, scope_now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'journey', jsonb_build_object('id', j.id, 'name', j.name)) order by people desc, l.id)
      from leaving join lifts l on l.id = lift_id join journeys j on j.id = l.journey_id), '[]'))`

const BEHIND = sql`jsonb_build_object('people', least((select count(distinct user_id) from late), ${COUNTED}),
    'journeys', coalesce((select jsonb_agg(to_jsonb(behind) order by people desc, id) from behind), '[]'))`

/** The tallies of each week, minus what is not due yet in the current quarter of an hour. */
const partsOfWeeks = (mine: RawBuilder<unknown>) => sql`
    select week, ${sql.join(NAMES.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
    from weeks join lift_tallies on is_counted and due_from >= begins and due_from < ends
    where ${mine} group by week
    union all
    select week, -count(*), -count(*) filter (where asks), -count(accepted_at),
      -count(*) filter (where delivery = 'unknown'), -count(*) filter (where delivery = 'suppressed'),
      -count(*) filter (where delivery = 'failed'), -count(*) filter (where delivery = 'expired'),
      -count(*) filter (where delivery = 'pending'), -count(delivered_at), -count(opened_at),
      -count(opened_at) filter (where delivered_at is not null), -count(completed_at),
      -count(responded_at) filter (where asks)
    -- Selected before, for the index on when they are due.
    from weeks join fact_occurrence on ends = scope_now() and is_counted and due_at >= (select scope_now())
      and due_at < (select quarter_of(scope_now()) + interval '15 minutes')
    where ${mine} group by week`

function toFigures(sums: Counted & { answered?: number }) {
  const { answered: _, ...counts } = sums
  return figuresOf(counts)
}
