/** What a carrier said about a message, and what to ask it when nobody knows. */
import { sql } from 'kysely'
import { nowIn } from '../clock.server.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import { NEVER } from '../occurrences/settled.server.ts'
import { wakeSender } from '../planning/plan.server.ts'
import type { Scope } from '../scope.server.ts'
import { settleConsent } from './consent-change.server.ts'
import { planReminders } from './reminders.server.ts'

/** `provider_id` is null where people say that it arrived. */
export type Receipt = { provider_id: string | null; delivered?: boolean }

export async function recordAccepted(
  scope: Scope,
  id: number,
  { provider_id, delivered }: Receipt,
): Promise<void> {
  const row = await scope.db
    .updateTable('dispatches')
    .set({
      state: delivered ? 'delivered' : 'accepted',
      provider_id,
      error_code: null,
      accepted_at: sql`coalesce(accepted_at, scope_now())`,
      ...(delivered && { delivered_at: sql`coalesce(delivered_at, scope_now())` }),
      lease_owner: null,
      lease_until: null,
    })
    .where('id', '=', id)
    .where('state', 'not in', ['accepted', 'delivered'])
    .returning(['occurrence_id', 'kind', 'sent_at'])
    .executeTakeFirst()
  if (!row) return
  if (row.kind === 'lift') await planReminders(scope, row.occurrence_id, row.sent_at ?? nowIn(scope))
  await scope.db
    .updateTable('occurrences')
    .set({ state: 'sent' })
    .where('id', '=', row.occurrence_id)
    .where('state', 'in', ['planned', 'held', 'due'])
    .execute()
  await writeFact(scope, row.occurrence_id)
}

/** The carrier surely did not take it: tried again at `retry_at`, or given up. */
export async function recordRefused(
  scope: Scope,
  id: number,
  { code, retry_at }: { code: string; retry_at: Date | null },
): Promise<void> {
  await settle(scope, id, {
    state: retry_at ? 'planned' : 'failed',
    error_code: code,
    ...(retry_at && { next_attempt_at: retry_at }),
  })
}

const SAID_OF_NUMBER = { opted_out: 'opt_out', invalid_number: 'invalid' } as const
export const isAboutNumber = (code: string): code is keyof typeof SAID_OF_NUMBER =>
  Object.hasOwn(SAID_OF_NUMBER, code)

/** The carrier knows that the number takes no texts: that is written down, and the person gets an e-mail. */
export async function recordNumberRefused(
  scope: Scope,
  id: number,
  code: keyof typeof SAID_OF_NUMBER,
): Promise<void> {
  const row = await scope.db
    .updateTable('dispatches')
    .set({ state: 'suppressed', error_code: `number_${code}`, lease_owner: null, lease_until: null })
    .where('id', '=', id)
    .where('state', 'in', ['sending', 'unknown'])
    .returning(['occurrence_id', 'address'])
    .executeTakeFirst()
  if (!row?.address) return
  await recordNumber(scope, id, code)
  await writeFact(scope, row.occurrence_id)
}

/** Of the number that a message went to: its owner is written to by e-mail from now on, this message first. */
export async function recordNumber(
  scope: Scope,
  id: number,
  code: keyof typeof SAID_OF_NUMBER,
): Promise<void> {
  const { address, user_id } = await scope.db
    .selectFrom('dispatches as d')
    .innerJoin('occurrences as o', 'o.id', 'd.occurrence_id')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .select(['d.address', 'm.user_id'])
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow()
  if (!address) return
  await settleConsent(scope, { number: address, user_id, action: SAID_OF_NUMBER[code], source: 'carrier' })
  await sendByEmail(scope, id)
}

/** The same message by e-mail, now; a second call changes nothing. */
export async function sendByEmail({ db }: Scope, id: number): Promise<void> {
  await sql`insert into dispatches (tenant_id, occurrence_id, kind, seq, resend_of, due_at, channel, next_attempt_at)
    select tenant_id, occurrence_id, kind, seq, resend_of, scope_now(), 'email', scope_now() from dispatches where id = ${id}
    on conflict do nothing`.execute(db)
  await wakeSender({ db })
}

/** Looked up at the carrier at `look_up_at`, never sent blindly; null: people decide. */
export async function recordUnknown(
  scope: Scope,
  id: number,
  look_up_at: Date | null,
  error_code?: string,
): Promise<void> {
  const next_attempt_at = look_up_at ?? NEVER
  await settle(scope, id, { state: 'unknown', next_attempt_at, ...(error_code && { error_code }) })
}

async function settle(scope: Scope, id: number, values: Record<string, unknown>): Promise<void> {
  const row = await scope.db
    .updateTable('dispatches')
    .set({ ...values, lease_owner: null, lease_until: null })
    .where('id', '=', id)
    .where('state', 'in', ['claimed', 'sending', 'unknown'])
    .returning('occurrence_id')
    .executeTakeFirst()
  if (row) await writeFact(scope, row.occurrence_id)
}
