import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { writeFacts } from '../occurrences/facts.server.ts'
import { sendAgain } from '../occurrences/resend.server.ts'
import { wakeSender } from '../planning/plan.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { recordAccepted } from '../sending/receipts.server.ts'
import { COLUMNS, FROM, findWhyNot, matches, type Row } from './selecting.server.ts'
import { type Decided, type Decision, type DecisionInput, MAX_DECIDED } from './unknown-message.ts'
import { countUnknown } from './unknown-messages.server.ts'

/** Idempotent: each message is decided once, and a second press finds none left. */
export async function decide(scope: Scope, { decision, ...input }: DecisionInput): Promise<Decided> {
  const { message_ids, ...filters } = input
  const wanted = message_ids === 'all' ? filters : { ...filters, message_ids }
  const rows = await lockUnknown(scope, wanted)
  const fit = decision === 'send_again' ? rows.filter((row) => findWhyNot(row) === null) : rows
  await settle[decision](scope, fit)
  for (const row of fit)
    await record(
      scope,
      ACTIONS[decision],
      { type: 'lift', id: row.lift_id },
      { message: row.id, user: row.user_id, kind: row.kind, channel: row.channel },
    )
  return {
    decided: fit.length,
    not: rows.length - fit.length,
    left: Math.max(0, (await countUnknown(scope, wanted)) - (rows.length - fit.length)),
  }
}

const ACTIONS = {
  arrived: 'message.arrived',
  send_again: 'message.sent_again',
  not_arrived: 'message.not_arrived',
} as const satisfies Record<Decision, string>

const settle: Record<Decision, (scope: Scope, rows: readonly Row[]) => Promise<void>> = {
  async arrived(scope, rows) {
    await recordAccepted(scope, ...rows.map(({ id }) => ({ id, provider_id: null })))
  },
  async send_again(scope, rows) {
    await giveUp(scope, rows, 'sent_again')
    await sendAgain(
      scope,
      rows.map(({ id }) => id),
    )
    await writeFacts(
      scope,
      rows.map((row) => row.occurrence_id),
    )
    await wakeSender(scope)
  },
  async not_arrived(scope, rows) {
    await giveUp(scope, rows, 'not_arrived')
    await writeFacts(
      scope,
      rows.map((row) => row.occurrence_id),
    )
  },
}

/** Locked in the order of ids, to avoid deadlocks between two people who decide at once. */
async function lockUnknown(scope: Scope, wanted: Parameters<typeof matches>[1]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from ${FROM} where ${matches(scope, wanted)}
    order by d.id limit ${MAX_DECIDED} for no key update of d`.execute(scope.db)
  return rows
}

async function giveUp({ db }: Scope, rows: readonly Row[], error_code: string): Promise<void> {
  await sql`
    update dispatches set state = 'failed', error_code = ${error_code}, lease_owner = null, lease_until = null
    where state = 'unknown' and id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(db)
}
