/**
 * The unknown messages that a person sees: administrators those of their place, authors those of their own journeys.
 */
import { type RawBuilder, sql } from 'kysely'
import { mayManageJourneys, maySeeAllJourneys } from '../access/journeys.ts'
import { forbidden } from '../errors.ts'
import { isClosed, isRunning, type JourneyStatus } from '../journeys/journey-status.ts'
import { hasEnded } from '../occurrences/occurrence.ts'
import { NEVER } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { WhyNot } from './unknown-message.ts'

export type Wanted = {
  journey?: number | undefined
  lift?: number | undefined
  channel?: string | undefined
  message_ids?: readonly number[] | undefined
  until?: string | undefined
}

/** A condition on the dispatch `d` with its occurrence `o` and journey `j`. */
export function matches({ actor }: Scope, wanted: Wanted): RawBuilder<boolean> {
  if (!mayManageJourneys(actor)) throw forbidden()
  const { journey, lift, channel, message_ids, until } = wanted
  return sql.join(
    [
      sql`d.state = 'unknown'`,
      // A journey of another sub-tenant is managed there, even if people of this one take part in it.
      ...(actor.sub_tenant_id ? [sql`j.sub_tenant_id = ${actor.sub_tenant_id}`] : []),
      ...(maySeeAllJourneys(actor) ? [] : [sql`j.author_id = ${actor.user_id}`]),
      ...(journey ? [sql`o.journey_id = ${journey}`] : []),
      ...(lift ? [sql`o.lift_id = ${lift}`] : []),
      ...(channel ? [sql`d.channel = ${channel}`] : []),
      ...(message_ids ? [sql`d.id = any(${message_ids}::bigint[])`] : []),
      ...(until ? [sql`date_trunc('milliseconds', d.unknown_since) <= ${new Date(until)}`] : []),
    ],
    sql` and `,
  )
}

/** Joins people optionally: a learner may have left the sub-tenant of the journey. */
export const FROM = sql`dispatches d
  join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
  join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
  left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  join lifts l on l.tenant_id = o.tenant_id and l.id = o.lift_id
  join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id`

export type Row = {
  id: number
  occurrence_id: number
  kind: 'lift' | 'reminder'
  channel: 'sms' | 'email'
  is_asked: boolean
  occurrence_state: string
  is_past: boolean
  member_state: string
  activation_status: string | null
  lift_status: string
  journey_status: JourneyStatus
  journey_id: number
  lift_id: number
  user_id: number
}

export const COLUMNS = sql`d.id, d.occurrence_id, d.kind, d.channel, d.next_attempt_at < ${NEVER} as is_asked,
  o.state as occurrence_state, coalesce(o.closes_at <= scope_now(), false) as is_past, o.journey_id, o.lift_id,
  m.state as member_state, m.user_id, u.activation_status, l.status as lift_status, j.status as journey_status`

export function findWhyNot(row: Row): WhyNot | null {
  if (row.is_asked) return 'asking'
  if (isClosed(row.journey_status)) return 'over'
  if (!isRunning(row.journey_status)) return 'paused'
  if (row.member_state === 'withdrawn' || row.activation_status === 'disabled') return 'not_active'
  if (row.lift_status === 'retired') return 'retired'
  if (hasEnded(row.kind, row.occurrence_state)) return 'done'
  return row.is_past ? 'closed' : null
}
