/** What people live through goes by the tenant's clock, ahead in the testing tenant; all else by the machine's. */
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { DB } from '#app/db/schema.ts'

type Holder = { readonly db: Transaction<DB> }
type Clock = { readonly ahead_ms: number } | { readonly stands_at: Date }

const clocks = new WeakMap<Transaction<DB>, Clock>()

export function nowIn({ db }: Holder): Date {
  const clock = clocks.get(db)
  if (clock && 'stands_at' in clock) return clock.stands_at
  return new Date(Date.now() + (clock?.ahead_ms ?? 0))
}

export const zonedNow = (scope: Holder, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(nowIn(scope).getTime()).toZonedDateTimeISO(zone)

export const todayIn = (scope: Holder, zone: string): string => zonedNow(scope, zone).toPlainDate().toString()

export function standsAt({ db }: Holder): Date | undefined {
  const clock = clocks.get(db)
  return clock && 'stands_at' in clock ? clock.stands_at : undefined
}

/** Together with the settings of a scope, in one round trip. */
export async function readClock(db: Transaction<DB>, tenantId: string, settings: RawBuilder<unknown>) {
  const stands = clocks.get(db)
  if (stands && 'stands_at' in stands) return void (await settings.execute(db))
  const ahead = sql`set_config('app.clock_ahead_ms', clock_ahead_ms(nullif(${tenantId}, '')::uuid)::text, true)`
  const { rows } = await sql<{ ahead_ms: string }>`${settings}, ${ahead} as ahead_ms`.execute(db)
  clocks.set(db, { ahead_ms: Number(rows[0]?.ahead_ms ?? 0) })
}

/** The same scope while its clock stands at a moment: how a history is written that nobody waited for. */
export async function atMoment<S extends Holder, Result>(
  scope: S,
  moment: Date,
  work: (scope: S) => Promise<Result>,
): Promise<Result> {
  const before = clocks.get(scope.db)
  const setting = sql`set_config('app.clock_ahead_ms', (extract(epoch from ${moment}::timestamptz - now()) * 1000)::text, true)`
  await sql`select ${setting}`.execute(scope.db)
  clocks.set(scope.db, { stands_at: moment })
  try {
    return await work(scope)
  } finally {
    clocks.set(scope.db, before ?? { ahead_ms: 0 })
    const ahead = before && 'ahead_ms' in before ? before.ahead_ms : 0
    await sql`select set_config('app.clock_ahead_ms', ${String(ahead)}, true)`
      .execute(scope.db)
      .catch(() => {})
  }
}
