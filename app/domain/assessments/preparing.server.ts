/**
 * Creates the forms of an assessment, with their raters and times. Runs again whenever people join, leave or move.
 */
import { type RawBuilder, sql } from 'kysely'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { readPlannedJourney } from '../planning/planned-journey.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Assessment, MAX_PEERS } from './assessment.ts'
import { momentsOf } from './timing.ts'

/** With fewer colleagues under the same sponsor, nobody would stay anonymous. */
const MIN_TEAM = 6

const REST = sql`f.state in ('not_open', 'open', 'in_progress')`
/** Rater and learner both take part; a sponsor must be the current one, and is never a peer as well. */
const IS_LIVE = sql`s.state <> 'withdrawn' and r.state <> 'withdrawn' and s.role = 'learner'
  and (f.rater <> 'sponsor' or s.sponsor_id = r.id)
  and (f.rater <> 'peers' or r.user_id is distinct from (select boss.user_id from members boss
    where boss.tenant_id = s.tenant_id and boss.id = s.sponsor_id))`

const RESUMED = sql`state = case when f.answers = '{}' then 'not_open' else 'in_progress' end, is_left = false`

export async function prepareForms(scope: Scope, assessment: Assessment): Promise<void> {
  const { id, raters } = assessment
  const journey = await readPlannedJourney(scope, assessment.journey_id)
  if (assessment.is_retired || journey.status === 'archived') {
    await update(scope, sql`state = 'closed', is_left = false`, sql`f.assessment_id = ${id} and ${REST}`)
    return
  }
  await followSponsors(scope, id)
  const asked = sql`f.rater = any(${raters}::text[])`
  const wrong = sql`f.assessment_id = ${id} and ${REST} and (${asked} and ${IS_LIVE}) is not true`
  await update(scope, sql`state = 'closed', is_left = true`, wrong)
  const back = sql`f.assessment_id = ${id} and f.state = 'closed' and f.is_left and ${asked} and ${IS_LIVE}`
  await update(scope, RESUMED, back)
  await addForms(scope, assessment)
  await settleTimes(scope, assessment, journey)
}

/**
 * Resumes forms closed by their end, after the end was moved; where it has passed anyway, the next run closes them.
 */
export async function reopenClosed({ db }: Scope, id: number): Promise<void> {
  await sql`update assessment_forms f set ${RESUMED}
    where f.assessment_id = ${id} and f.state = 'closed' and not f.is_left`.execute(db)
}

async function update({ db }: Scope, set: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<void> {
  await sql`update assessment_forms f set ${set} from members s, members r
    where s.tenant_id = f.tenant_id and s.id = f.subject_id and r.tenant_id = f.tenant_id and r.id = f.rater_id
      and ${where}`.execute(db)
}

/**
 * A new sponsor takes over the form about the learner; unsubmitted answers of the previous sponsor are deleted, with
 * earlier ones.
 */
async function followSponsors({ db }: Scope, id: number): Promise<void> {
  await sql`update assessment_forms f
    set rater_id = s.sponsor_id, state = 'not_open', answers = '{}', is_left = false, opened_at = null,
      reopened_reason = null, earlier = '[]'
    from members s where s.tenant_id = f.tenant_id and s.id = f.subject_id and f.assessment_id = ${id}
      and f.rater = 'sponsor' and s.sponsor_id is not null and s.sponsor_id <> f.rater_id
      and (${REST} or (f.state = 'closed' and f.is_left))`.execute(db)
}

async function addForms({ actor, db }: Scope, { id, journey_id, raters }: Assessment): Promise<void> {
  const learners = sql`select m.id, m.sponsor_id, m.user_id,
      (select sponsor.user_id from members sponsor where sponsor.tenant_id = m.tenant_id and sponsor.id = m.sponsor_id) as sponsor
    from members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where m.journey_id = ${journey_id} and m.role = 'learner' and m.state in ('invited', 'active', 'completed')
      and u.erased_on is null`
  const insert = sql`insert into assessment_forms (tenant_id, journey_id, assessment_id, subject_id, rater, rater_id)
    select ${actor.tenant_id}::uuid, ${journey_id}::bigint, ${id}::bigint`
  if (raters.includes('self'))
    await sql`${insert}, l.id, 'self', l.id from (${learners}) l order by l.id on conflict do nothing`.execute(
      db,
    )
  if (raters.includes('sponsor'))
    await sql`${insert}, l.id, 'sponsor', l.sponsor_id from (${learners}) l where l.sponsor_id is not null
      order by l.id on conflict do nothing`.execute(db)
  if (!raters.includes('peers')) return
  // Each learner is rated by the next ones in a circle: of the same sponsor where there are enough, otherwise of all.
  // A sponsor who is also a learner is no peer of their own learners.
  await sql`
    with l as (select id, user_id, sponsor, coalesce(sponsor_id, 0) as team, count(*) over (partition by sponsor_id) >= ${MIN_TEAM} as is_team
        from (${learners}) l),
      seated as (select id, user_id, sponsor, team, is_team, row_number() over (partition by team order by id) - 1 as place,
        count(*) over (partition by team) as people, row_number() over (order by id) - 1 as seat,
        count(*) over () as everybody from l),
      beside as (
        select s.id as subject_id, p.id as rater_id, step
        from seated s cross join generate_series(1, ${MAX_PEERS + 1}::int) step
          join seated p on p.user_id is distinct from s.sponsor and p.team = s.team and p.place = (s.place + step) % s.people
        where s.is_team and step < s.people
        union all
        select s.id, p.id, step
        from seated s cross join generate_series(1, ${MAX_PEERS + 1}::int) step
          join seated p on p.user_id is distinct from s.sponsor and p.seat = (s.seat + step) % s.everybody
        where not s.is_team and step < s.everybody),
      had as (select subject_id, array_agg(rater_id) as raters, count(*) filter (where state <> 'closed') as asked
        from assessment_forms where assessment_id = ${id} and rater = 'peers' group by subject_id),
      free as (select b.subject_id, b.rater_id, coalesce(had.asked, 0) as asked,
          row_number() over (partition by b.subject_id order by b.step) as nth
        from beside b left join had on had.subject_id = b.subject_id
        where b.rater_id <> all(coalesce(had.raters, '{}')))
    ${insert}, free.subject_id, 'peers', free.rater_id from free where nth + asked <= ${MAX_PEERS}
    order by free.subject_id, free.rater_id on conflict do nothing`.execute(db)
}

type Group = { zone: string | null; joined_at: Date; ids: number[] }

/** Computes times once per time zone and day of joining. A reopened form keeps its own times. */
async function settleTimes(
  scope: Scope,
  { id, opens, closes }: Assessment,
  journey: Awaited<ReturnType<typeof readPlannedJourney>>,
): Promise<void> {
  const launched_at = new Date(journey.launched_at ?? nowIn(scope))
  const clock = await readClockAndHours(scope, journey.id)
  const ofJourney = journey.timezone_mode === 'journey' ? journey.timezone : null
  const joined = sql`greatest(s.joined_at, ${launched_at}::timestamptz)`
  const { rows } = await sql<Group>`
    select coalesce(u.timezone, part.timezone) as zone, min(${joined}) as joined_at, array_agg(f.id) as ids
    from assessment_forms f
      join members s on s.tenant_id = f.tenant_id and s.id = f.subject_id
      join members r on r.tenant_id = f.tenant_id and r.id = f.rater_id
      join users u on u.tenant_id = r.tenant_id and u.id = r.user_id
      left join sub_tenants part on part.tenant_id = f.tenant_id and part.id = ${journey.sub_tenant_id}::uuid
    where f.assessment_id = ${id} and f.revision = 1 and ${REST}
    group by 1, (${joined} at time zone coalesce(${ofJourney}::text, u.timezone, part.timezone, ${clock.tenant_zone}))::date`.execute(
    scope.db,
  )
  const timing = { opens, closes, journey: { ...journey, launched_at }, ...clock }
  for (const { ids, ...whose } of rows) {
    const { opens_at, closes_at } = momentsOf(timing, whose)
    await sql`update assessment_forms set opens_at = ${opens_at}, closes_at = ${closes_at}
      where id = any(${ids}::bigint[]) and (opens_at, closes_at) is distinct from (${opens_at}::timestamptz, ${closes_at}::timestamptz)`.execute(
      scope.db,
    )
  }
}
