/** The learners who have not answered a lift: who may be reminded of it, and who not. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import type { Journey } from '../../journeys/journey.ts'
import { MAY_ARRIVE } from '../../occurrences/resend.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { isTexted, selectLearners } from '../learners.server.ts'

/** Sequence numbers from here on are manual reminders; those of the journey's policy are lower. */
export const BY_HAND_FROM = 1000

/** Delivery states of messages that did not get through, as in analytics. */
const HINDERED = ['unknown', 'suppressed', 'failed', 'expired'] as const

/** `tomorrow`: they had a reminder today, of any lift, as senders check again; `reminded`: of this lift, by a person. */
export type Standing = 'closed' | 'not_sent' | (typeof HINDERED)[number] | 'reminded' | 'tomorrow' | 'next'

export type Unanswered = {
  member_id: number
  occurrence_id: number
  /** Manual reminders are numbered by the day in their recipient's zone. */
  seq: number
  zone: string | null
  is_texted: boolean
  standing: Standing
  closes_at: Date | null
}

type Whose = Pick<Journey, 'id' | 'sub_tenant_id' | 'channels'> & { tenant_zone: string }

/** The date by the clock of a user. */
type DayOf = (user: RawBuilder<unknown>, at: RawBuilder<unknown>) => RawBuilder<unknown>
const NOW = sql`(select scope_now())`

/** With `memberIds`, only those; otherwise all, and those whom a plan is still to remind count as reminded. */
export function selectUnanswered(
  scope: Scope,
  { tenant_zone, ...journey }: Whose,
  liftId: number,
  memberIds?: readonly number[],
) {
  const usual = sql`coalesce((select timezone from sub_tenants where id = ${journey.sub_tenant_id}), ${tenant_zone})`
  const dayOf: DayOf = (user, at) => sql`(${at} at time zone coalesce(${user}.timezone, ${usual}))::date`
  const seq = sql<number>`(${dayOf(sql`u`, NOW)} - date '1970-01-01') * ${sql.lit(BY_HAND_FROM)}`
  const isPlanned = memberIds
    ? sql`false`
    : sql`exists (select from journey_plans p where p.kind = 'remind' and p.journey_id = m.journey_id
        and ${liftId} = any(p.lift_ids) and m.id > p.after_member and m.id <= p.last_member)`
  const standing = sql<Standing>`case
    when o.state = 'expired' or o.closes_at <= ${NOW} then 'closed'
    when o.state not in ('sent', 'opened') then coalesce((select f.delivery from fact_occurrence f
      where f.tenant_id = o.tenant_id and f.occurrence_id = o.id and f.delivery = any(${HINDERED}::text[])), 'not_sent')
    when ${isPlanned} or exists (select from dispatches d where d.tenant_id = o.tenant_id
      and d.occurrence_id = o.id and d.kind = 'reminder' and d.seq = ${seq}) then 'reminded'
    when ${hadOneToday(dayOf)} then 'tomorrow'
    else 'next' end`
  // Read first, with `offset 0`: of very many learners, PostgreSQL would look up the occurrence one by one.
  const theirs = sql<Selectable<DB['occurrences']>>`(select * from occurrences where lift_id = ${liftId}
    and state not in ('responded', 'completed', 'cancelled')
    and ${memberIds ? sql`member_id = any(${memberIds}::bigint[])` : sql`true`} offset 0)`
  return selectLearners(scope, journey)
    .innerJoin(theirs.as('o'), (join) =>
      join.onRef('o.tenant_id', '=', 'm.tenant_id').onRef('o.member_id', '=', 'm.id'),
    )
    .select((eb) => [
      'm.id as member_id',
      'o.id as occurrence_id',
      'o.closes_at',
      eb.fn.coalesce('u.timezone', 's.timezone').as('zone'),
      seq.as('seq'),
      isTexted(journey).as('is_texted'),
      standing.as('standing'),
    ])
}

/** Nothing but the person ties it to the learner: of very many, PostgreSQL looks up all reminders of the day once. */
const hadOneToday = (dayOf: DayOf) => sql`(
  exists (select from members other
      join users who on who.tenant_id = other.tenant_id and who.id = other.user_id
      join occurrences oo on oo.tenant_id = other.tenant_id and oo.member_id = other.id
        and oo.state not in ('planned', 'cancelled')
      join dispatches d on d.tenant_id = oo.tenant_id and d.occurrence_id = oo.id
    where other.user_id = m.user_id and other.role = 'learner' and d.kind = 'reminder' and ${MAY_ARRIVE}
      and d.sent_at > ${NOW} - interval '2 days'
      and ${dayOf(sql`who`, sql`d.sent_at`)} = ${dayOf(sql`who`, NOW)})
  or exists (select from members other
      join users who on who.tenant_id = other.tenant_id and who.id = other.user_id
      join commitments c on c.tenant_id = other.tenant_id and c.member_id = other.id
    where other.user_id = m.user_id and c.messaged_on = ${dayOf(sql`who`, NOW)}))`
