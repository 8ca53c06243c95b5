/** Lifts that learners have not answered and still can. */
import { sql } from 'kysely'
import { plannedByReach } from '../journeys/planned-by-reach.server.ts'
import { type Scope, scopeUser } from '../scope/scope.server.ts'
import type { UnansweredLifts } from './reminding.ts'

const MAX_LIFTS = sql.lit(5)

const readUnanswered = plannedByReach((seesAll) => {
  const isMine = seesAll ? sql`true` : sql`j.author_id = ${scopeUser}`
  return sql<Unanswered>`
    with counted as (
      select lift_id, sum(accepted)::int as sent,
        coalesce(sum(waiting) filter (where coalesce(closes_from, 'infinity') > quarter_of(scope_now())), 0)::int as open,
        coalesce(sum(waiting) filter (where closes_from = quarter_of(scope_now())), 0) > 0 as some_close
      from lift_tallies where is_counted and journey_id in (select j.id from journeys j where j.status = 'active' and ${isMine})
      group by lift_id
    )
    select l.id, l.title, j.id as journey_id, j.name, counted.sent, u.unanswered
    from journeys j join lifts l on l.tenant_id = j.tenant_id and l.journey_id = j.id and l.status = 'ready'
      join counted on counted.lift_id = l.id
      -- Of what closes in the quarter of an hour under way, some can still be answered.
      cross join lateral (select open + case when some_close then (select count(*) from fact_occurrence f
          where f.lift_id = l.id and f.closes_at > (select scope_now())
            and f.closes_at < (select quarter_of(scope_now()) + interval '15 minutes') and f.responded_at is null
            and f.completed_at is null and f.left_at is null and f.accepted_at is not null
            and f.is_counted)::int
          else 0 end as unanswered) u
    where u.unanswered > 0
    order by u.unanswered desc, l.id limit ${MAX_LIFTS}`
})

/**
 * Lifts of running journeys that the actor may edit, those awaiting most people first. Learners who can no longer
 * answer are not counted; analytics lists the people with `waiting`.
 */
export async function listUnanswered(scope: Scope): Promise<UnansweredLifts> {
  const rows = await readUnanswered(scope)
  return {
    data: rows.map(({ journey_id, name, ...lift }) => ({ ...lift, journey: { id: journey_id, name } })),
  }
}

type Unanswered = {
  id: number
  title: string
  journey_id: number
  name: string
  sent: number
  unanswered: number
}
