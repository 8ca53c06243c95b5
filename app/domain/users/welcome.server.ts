/** Inviting people once more. */
import { may } from '#app/domain/access/permissions.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { findToChange, invite } from './changing.server.ts'
import { requireRight } from './rights.server.ts'
import type { WelcomeAnswer } from './user.ts'

type Result = WelcomeAnswer['data'][number]['result']

export async function resendWelcomes(scope: Scope, user_ids: readonly number[]): Promise<WelcomeAnswer> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  const ids = [...new Set(user_ids)]
  const rows = await scope.db
    .selectFrom('users')
    .select(['id', 'activation_status'])
    .where('id', 'in', ids)
    .execute()
  const data = ids.map((user_id) => ({ user_id, result: resultOf(rows.find(({ id }) => id === user_id)) }))
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
  const [only] = data
  if (!only) throw notFound()
  return only
}

function resultOf(row: { activation_status: string } | undefined): Result {
  if (!row) return 'not_found'
  if (row.activation_status === 'disabled') return 'disabled'
  return row.activation_status === 'invited' ? 'sent' : 'already_active'
}
