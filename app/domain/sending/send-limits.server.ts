/** Limits that delay a message: the tenant's kill switch, its daily cap, and the hourly limit of a number. */

import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'

const MAX_TEXTS_PER_HOUR = 3
const MINUTE = 60_000

/** In the tenant's settings: `sending_stopped` is the kill switch. */
const Settings = z.object({
  sending_stopped: z.boolean().default(false).catch(false),
  daily_message_cap: z.number().int().min(0).nullable().default(null).catch(null),
})

type Company = Pick<Claimed, 'settings' | 'tenant_zone'>
type Text = Pick<Claimed, 'id' | 'mobile_phone'>
type Held = Company & Text & Pick<Claimed, 'channel'>

export const hasDailyCap = ({ settings }: Company): boolean =>
  Settings.parse(settings ?? {}).daily_message_cap !== null

/** When to try again, or null if nothing holds it back. */
export async function heldUntil(scope: Scope, row: Held): Promise<Date | null> {
  const held = await heldByCompany(scope, row)
  if (held || row.channel !== 'sms') return held
  return (await heldByHour(scope, [row])).get(row.id) ?? null
}

/**
 * The kill switch and the daily cap. With a cap, the caller holds a lock, and may begin one message before the next
 * caller counts.
 */
export async function heldByCompany(scope: Scope, { settings, tenant_zone }: Company): Promise<Date | null> {
  const { sending_stopped, daily_message_cap } = Settings.parse(settings ?? {})
  if (sending_stopped) return later(scope, 15)
  if (daily_message_cap === null) return null
  await takeTurns(scope, 'daily cap')
  const day = sql`date_trunc('day', scope_now() at time zone ${tenant_zone}) at time zone ${tenant_zone}`
  const { rows } = await sql<{ sent: number }>`
    select ${countSent(sql`d.sent_at >= ${day}`, sql`m.created_on >= ${day}`)} as sent`.execute(scope.db)
  return Number(rows[0]?.sent ?? 0) >= daily_message_cap ? later(scope, 60) : null
}

/** The texts whose number has had enough of them within the hour; no two texts have the same number. */
export async function heldByHour(scope: Scope, texts: readonly Text[]): Promise<Map<number, Date>> {
  if (texts.length === 0) return new Map()
  const numbers = texts.map((text) => text.mobile_phone)
  await takeTurns(scope, ...numbers.map((number) => `texts to ${number}`))
  const sent = countSent(
    sql`d.address = text.number and d.channel = 'sms' and d.sent_at > scope_now() - interval '1 hour'
      and d.id <> text.id`,
    sql`m.channel = 'sms' and m.created_on > scope_now() - interval '1 hour' and m.user_id in (
      select id from users where mobile_phone = text.number)`,
  )
  const { rows } = await sql<{ id: number; sent: number }>`select text.id, ${sent} as sent
    from unnest(${texts.map(({ id }) => id)}::bigint[], ${numbers}::text[]) as text (id, number)`.execute(
    scope.db,
  )
  const full = rows.filter((row) => Number(row.sent) >= MAX_TEXTS_PER_HOUR)
  return new Map(full.map(({ id }) => [id, later(scope, 20)]))
}

const later = (scope: Scope, minutes: number) => new Date(nowIn(scope).getTime() + minutes * MINUTE)

/** Counts messages of lifts and other messages of journeys: from and to sponsors, about commitments, weekly mails. */
const countSent = (dispatches: RawBuilder<unknown>, others: RawBuilder<unknown>) => sql<number>`(
  (select count(*) from dispatches d where ${dispatches})
    + (select count(*) from sent_messages m where m.user_id is not null and ${others}))`
