/**
 * The overview of whole journeys from their sums per lift and day: as many rows as there are lifts and days, where the
 * facts are millions. Only those of today are counted one by one, since some of them are still to come.
 */
import { sql } from 'kysely'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { nowIn } from '../clock.server.ts'
import type { Scope } from '../scope.server.ts'
import type { Counted } from './figures.ts'
import type { AnalyticsFilters } from './query.ts'

type RolledUp = Counted & { learners: number; journeys: number; lifts: number }
type Part = Pick<AnalyticsFilters, 'journey' | 'lift' | 'lift_id'>

/** One moment for all figures of a page is a little past when the last of them is read. */
const NOW_MS = 10_000

/** Null where the sums do not tell: under filters within a lift, or as of what is past. */
export async function countRolledUp(
  scope: Scope,
  { journey, lift, lift_id, as_of: _, ...others }: AnalyticsFilters,
  as_of: Date,
): Promise<RolledUp | null> {
  if (Object.values(others).some((value) => value !== undefined)) return null
  if (nowIn(scope).getTime() - as_of.getTime() > NOW_MS) return null
  const part = { journey, lift, lift_id }
  const today = new Date(as_of.toISOString().slice(0, 10))
  const { rows } = await sql<Counted & { journeys: number; lifts: number }>`
    with parts as (
      select journey_id, lift_id, assigned, asked, accepted, unknown, suppressed, failed, expired, pending, delivered,
        opened, opened_and_delivered, answered, completed
      from lift_tallies where is_counted and due_on < ${today.toISOString().slice(0, 10)}::date and ${within(scope, part)}
      union all
      select journey_id, lift_id, count(*), count(*) filter (where asks), count(accepted_at),
        count(*) filter (where delivery = 'unknown'), count(*) filter (where delivery = 'suppressed'),
        count(*) filter (where delivery = 'failed'), count(*) filter (where delivery = 'expired'),
        count(*) filter (where delivery = 'pending'), count(delivered_at), count(opened_at),
        count(opened_at) filter (where delivered_at is not null), count(responded_at) filter (where asks),
        count(completed_at)
      from fact_occurrence where is_counted and due_at >= ${today} and due_at <= ${as_of} and ${within(scope, part)}
      group by 1, 2
    ), lifts as (
      select journey_id, ${sql.join(NAMES.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))}
      from parts group by journey_id, lift_id having sum(assigned) > 0
    )
    select count(*) as lifts, count(distinct journey_id) as journeys, coalesce(sum(answered), 0)::bigint as responded,
      ${sql.join(TOLD.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`))}
    from lifts`.execute(scope.db)
  const [sums] = rows
  return sums ? { ...sums, learners: await countLearners(scope, part, as_of) } : null
}

const TOLD = [
  ...['assigned', 'asked', 'accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending', 'delivered'],
  ...['opened', 'opened_and_delivered', 'completed'],
]
const NAMES = [...TOLD, 'answered']

const within = ({ actor }: Scope, { journey, lift, lift_id }: Part) => sql<boolean>`
  (${journey ?? null}::bigint is null or journey_id = ${journey ?? null}::bigint)
  and (${lift ?? null}::bigint is null or lift_id = ${lift ?? null}::bigint)
  and (${lift_id ?? null}::bigint is null or lift_id = ${lift_id ?? null}::bigint)
  and ${ofTheirs(actor)}`

const ofTheirs = (actor: Scope['actor']) =>
  maySeeAllJourneys(actor)
    ? sql<boolean>`true`
    : sql<boolean>`journey_id in (select id from journeys where author_id = ${actor.user_id})`

async function countLearners(scope: Scope, part: Part, as_of: Date): Promise<number> {
  const { journey, lift, lift_id } = part
  const counted =
    lift || lift_id
      ? sql`fact_occurrence where is_counted and due_at <= ${as_of} and ${within(scope, part)}`
      : sql`fact_learner where first_due_at <= ${as_of} and ${ofTheirs(scope.actor)}
          and (${journey ?? null}::bigint is null or journey_id = ${journey ?? null}::bigint)`
  const { rows } = await sql<{ learners: number }>`
    select count(*) as learners from (select distinct user_id from ${counted}) people`.execute(scope.db)
  return rows[0]?.learners ?? 0
}
