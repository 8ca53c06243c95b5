/**
 * Everything that people experience uses the tenant's clock, which can be ahead in the testing tenant; the rest uses
 * the machine's.
 */
import type { Transaction } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { DB } from '#app/db/schema.ts'
import { clockOf, viewFrom } from './scoped-transaction.server.ts'

type Holder = { readonly db: Transaction<DB> }

export const nowIn = (scope: Holder): Date =>
  standsAt(scope) ?? new Date(Date.now() + (clockOf(scope.db)?.ahead_ms ?? 0))

export const zonedNow = (scope: Holder, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(nowIn(scope).getTime()).toZonedDateTimeISO(zone)

export const todayIn = (scope: Holder, zone: string): string => zonedNow(scope, zone).toPlainDate().toString()

export const standsAt = ({ db }: Holder): Date | undefined => clockOf(db)?.stands_at

/** The same scope with its clock fixed at a moment, for generating a history. */
export const atMoment = async <S extends Holder, Result>(
  scope: S,
  moment: Date,
  work: (then: S) => Promise<Result>,
): Promise<Result> => work({ ...scope, db: await viewFrom(scope.db, { stands_at: moment }) })
