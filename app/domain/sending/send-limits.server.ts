/** What holds back a message although nothing is wrong with it: the tenant's switch and caps, and the phone's hour. */

import { type RawBuilder, sql } from 'kysely'
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
    const day = sql`date_trunc('day', scope_now() at time zone ${row.tenant_zone}) at time zone ${row.tenant_zone}`
    if ((await countSent({ db }, sql`d.sent_at >= ${day}`, sql`m.created_on >= ${day}`)) >= daily_message_cap)
      return new Date(nowIn({ db }).getTime() + 60 * MINUTE)
  }
  if (row.channel !== 'sms') return null
  await takeTurns({ db }, `texts to ${row.mobile_phone}`)
  const texts = await countSent(
    { db },
    sql`d.address = ${row.mobile_phone} and d.channel = 'sms' and d.sent_at > scope_now() - interval '1 hour'
      and d.id <> ${row.id}`,
    sql`m.channel = 'sms' and m.created_on > scope_now() - interval '1 hour' and m.user_id in (
      select id from users where mobile_phone = ${row.mobile_phone})`,
  )
  return texts >= MAX_TEXTS_PER_HOUR ? new Date(nowIn({ db }).getTime() + 20 * MINUTE) : null
}

/** Messages of lifts, and the others of journeys: what sponsors write and are told, commitments, weeks. */
async function countSent(
  { db }: Pick<Scope, 'db'>,
  dispatches: RawBuilder<unknown>,
  others: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from dispatches d where ${dispatches})
      + (select count(*) from sent_messages m where m.user_id is not null and ${others}) as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
