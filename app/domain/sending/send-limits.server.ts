/** What holds back a message although nothing is wrong with it: the tenant's switch and caps, and the phone's hour. */

import { sql } from 'kysely'
import { z } from 'zod'
import { takeTurns } from '../advisory-lock.server.ts'
import { nowIn } from '../clock.server.ts'
import type { Scope } from '../scope.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'

const MAX_TEXTS_PER_HOUR = 3
const MINUTE = 60_000

/** In the tenant's settings: `sending_stopped` is the kill switch. */
const Settings = z.object({
  sending_stopped: z.boolean().default(false).catch(false),
  daily_message_cap: z.number().int().min(0).nullable().default(null).catch(null),
})

type Held = Pick<Claimed, 'id' | 'channel' | 'mobile_phone' | 'settings' | 'tenant_zone'>

/** When to ask again, or null: nothing holds it back. */
export async function heldUntil({ db }: Scope, row: Held): Promise<Date | null> {
  const { sending_stopped, daily_message_cap } = Settings.parse(row.settings ?? {})
  if (sending_stopped) return new Date(nowIn({ db }).getTime() + 15 * MINUTE)
  if (daily_message_cap !== null) {
    await takeTurns({ db }, 'daily cap')
    const { count } = await db
      .selectFrom('dispatches')
      .select(sql<number>`count(*)`.as('count'))
      .where(
        'sent_at',
        '>=',
        sql<Date>`date_trunc('day', scope_now() at time zone ${row.tenant_zone}) at time zone ${row.tenant_zone}`,
      )
      .executeTakeFirstOrThrow()
    if (count >= daily_message_cap) return new Date(nowIn({ db }).getTime() + 60 * MINUTE)
  }
  if (row.channel !== 'sms') return null
  await takeTurns({ db }, `texts to ${row.mobile_phone}`)
  const { count } = await db
    .selectFrom('dispatches')
    .select(sql<number>`count(*)`.as('count'))
    .where('address', '=', row.mobile_phone)
    .where('channel', '=', 'sms')
    .where('sent_at', '>', sql<Date>`scope_now() - interval '1 hour'`)
    .where('id', '<>', row.id)
    .executeTakeFirstOrThrow()
  return count >= MAX_TEXTS_PER_HOUR ? new Date(nowIn({ db }).getTime() + 20 * MINUTE) : null
}
