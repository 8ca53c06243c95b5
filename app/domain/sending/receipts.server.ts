/** Records the carrier's answer to a message, and what to look up when there was none. */
import { sql } from 'kysely'
import { writeFact, writeFacts } from '../occurrences/facts.server.ts'
import { NEVER } from '../occurrences/settled.server.ts'
import { wakeSender } from '../planning/plan.server.ts'
import { lockMessagesTo } from '../planning/runs/replan-channels.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { settleConsent } from './consent-change.server.ts'
import { planReminders } from './reminders.server.ts'

/** `id`: of a dispatch; `provider_id` is null where people say that it arrived. */
export type Accepted = { id: number; provider_id: string | null; delivered?: boolean }

export async function recordAccepted(scope: Scope, ...accepted: Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const rows = await markAccepted(scope, accepted)
  if (rows.length === 0) return
  const givenUp = rows.filter(({ was }) => was !== 'sending' && was !== 'unknown')
  if (givenUp.length > 0)
    await withdrawResends(
      scope,
      givenUp.map(({ id }) => id),
    )
  const lifts = rows.filter(({ kind }) => kind === 'lift')
  await planReminders(
    scope,
    lifts.map(({ occurrence_id, sent_at }) => ({ occurrence_id, sent_at: sent_at ?? nowIn(scope) })),
  )
  const ids = [...new Set(rows.map((row) => row.occurrence_id))]
  await scope.db
    .updateTable('occurrences')
    .set({ state: 'sent' })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('state', 'in', ['planned', 'held', 'due'])
    .execute()
  await writeFacts(scope, ids)
}

type Marked = { id: number; was: string; occurrence_id: number; kind: string; sent_at: Date | null }

/** Locks in the same order as edits. Keeps reported states, as a delivery report may arrive before the carrier's own answer. */
async function markAccepted({ db }: Scope, accepted: readonly Accepted[]): Promise<Marked[]> {
  const ids = accepted.map(({ id }) => id)
  const { rows } = await sql<Marked>`
    with taken as materialized (
      select d.tenant_id, d.id, d.state as was, a.provider_id, a.delivered from dispatches d
        join unnest(${ids}::bigint[], ${accepted.map((one) => one.provider_id)}::text[],
          ${accepted.map((one) => one.delivered === true)}::boolean[]) as a (id, provider_id, delivered) on a.id = d.id
      where d.id = any(${ids}::bigint[]) and d.state not in ('accepted', 'delivered', 'undelivered') order by d.occurrence_id, d.id for update of d
    )
    update dispatches d set state = case when taken.delivered then 'delivered' else 'accepted' end,
      provider_id = taken.provider_id, error_code = null, accepted_at = coalesce(d.accepted_at, scope_now()),
      delivered_at = case when taken.delivered then coalesce(d.delivered_at, scope_now()) else d.delivered_at end,
      lease_owner = null, lease_until = null
    from taken where d.id = any(${ids}::bigint[]) and d.tenant_id = taken.tenant_id and d.id = taken.id
    returning d.id, taken.was, d.occurrence_id, d.kind, d.sent_at`.execute(db)
  return rows
}

/** A message given up as lost has arrived after all: withdraws repeats that have not left. */
async function withdrawResends({ db }: Scope, ids: readonly number[]): Promise<void> {
  await sql`
    update dispatches r set state = 'suppressed', error_code = 'arrived', lease_owner = null, lease_until = null
    from dispatches d where d.id = any(${ids}::bigint[]) and r.tenant_id = d.tenant_id
      and r.occurrence_id = d.occurrence_id and r.id <> d.id
      and coalesce(r.resend_of, r.id) = coalesce(d.resend_of, d.id) and r.state in ('planned', 'claimed')`.execute(
    db,
  )
}

/** The carrier certainly did not accept it: retried at `retry_at`, or given up. */
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

/** The carrier reports that the number takes no texts: records that, and sends the person an e-mail. */
export async function recordNumberRefused(
  scope: Scope,
  id: number,
  code: keyof typeof SAID_OF_NUMBER,
): Promise<void> {
  await lockMessagesTo(scope, { of: id })
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

/** Records the state of the message's number: its owner gets e-mails from now on, beginning with this message. */
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

/** Sends the same message by e-mail, now. Idempotent. */
export async function sendByEmail({ db }: Scope, id: number): Promise<void> {
  await sql`insert into dispatches (tenant_id, occurrence_id, kind, seq, resend_of, due_at, channel, next_attempt_at)
    select tenant_id, occurrence_id, kind, seq, resend_of, scope_now(), 'email', scope_now() from dispatches where id = ${id}
    on conflict do nothing`.execute(db)
  await wakeSender({ db })
}

/** To be looked up at the carrier at `look_up_at`, never sent again blindly; null: people decide. */
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
