import { may } from '#app/domain/access/permissions.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { forbidden, Refusal } from '#app/domain/errors.ts'
import { type Scope, tenantWide } from '#app/domain/scope/scope.server.ts'
import { findToChange, invite } from '../changing.server.ts'
import { requireRight } from '../rights.server.ts'
import type { WelcomeAnswer } from '../user.ts'

/** The minimum time between two mails to the same person. */
const SECONDS_BETWEEN = 60

type Result = WelcomeAnswer['data'][number]['result']

export async function resendWelcomes(scope: Scope, user_ids: readonly number[]): Promise<WelcomeAnswer> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  const ids = [...new Set(user_ids)]
  const rows = await scope.db
    .selectFrom('users')
    .select(['id', 'activation_status'])
    .where('id', 'in', ids)
    // Locks the rows, for two requests at the same time.
    .orderBy('id')
    .forUpdate()
    .execute()
  const recent = await recentlyInvited(scope, ids)
  const data = ids.map((user_id) => {
    const result = resultOf(rows.find(({ id }) => id === user_id))
    return { user_id, result: result === 'sent' && recent.has(user_id) ? ('too_soon' as const) : result }
  })
  for (const { user_id, result } of data) {
    if (result !== 'sent') continue
    await invite(scope, user_id)
    await record(scope, 'user.invited', { type: 'user', id: user_id })
  }
  return { data }
}

export async function resendWelcome(scope: Scope, id: number): Promise<WelcomeAnswer['data'][number]> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  await requireRight(scope, await findToChange(scope, id), 'resend_welcome')
  const { data } = await resendWelcomes(scope, [id])
  const result = data.find((one) => one.user_id === id)?.result ?? 'not_found'
  if (result === 'too_soon')
    throw new Refusal(429, 'An invitation left just now. Please wait a minute before the next one.', {
      retryAfter: SECONDS_BETWEEN,
    })
  return { user_id: id, result }
}

/** Tenant-wide: another sub-tenant may have invited them. */
function recentlyInvited(scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  return tenantWide(scope, async ({ db }) => {
    const rows = await db
      .selectFrom('audit_events')
      .select('subject_id')
      .where('action', '=', 'user.invited')
      .where('subject_type', '=', 'user')
      .where('subject_id', 'in', ids.map(String))
      .where('at', '>', new Date(Date.now() - SECONDS_BETWEEN * 1000))
      .execute()
    return new Set(rows.map(({ subject_id }) => Number(subject_id)))
  })
}

function resultOf(row: { activation_status: string } | undefined): Result {
  if (!row) return 'not_found'
  if (row.activation_status === 'disabled') return 'disabled'
  return row.activation_status === 'invited' ? 'sent' : 'already_active'
}
