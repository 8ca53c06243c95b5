/** Messages of a journey other than lifts and reminders: the same limits apply to them and count them. */

import { beginSent, type OfJourney } from '../outbox/sent.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { heldUntil } from './send-limits.server.ts'

type JourneyMessage = { key: string; channel: 'sms' | 'email'; to: string; about: OfJourney }

/**
 * Records that sending begins; or returns until when the message is held, or that another run has begun it. The database
 * refuses a stopped address.
 */
export async function beginMessage(
  scope: Scope,
  { key, channel, to, about }: JourneyMessage,
  begun: string,
): Promise<Date | 'begun' | null> {
  const { actor, db } = scope
  const company = await db
    .selectFrom('tenants')
    .select(['timezone as tenant_zone', 'settings', 'status'])
    .where('id', '=', actor.tenant_id)
    .executeTakeFirstOrThrow()
  if (company.status !== 'active') return new Date(nowIn(scope).getTime() + 15 * 60_000)
  const mobile_phone = channel === 'sms' ? to : null
  const held = await heldUntil(scope, { ...company, id: 0, channel, mobile_phone })
  if (held) return held
  return (await beginSent(scope, key, begun, { ...about, channel })) ? null : 'begun'
}
