/** Notifications about a company and its people. */
import type { Scope } from '../scope/scope.server.ts'
import { notify } from './notifications.server.ts'

export const SETTINGS_CHANGED = {
  title: 'Company settings changed',
  message: 'The audit log says what changed, and who did it.',
  path: '/settings/audit',
}

/** Notifies the administrators of the whole company, except the actor. */
export async function tellAdmins(scope: Scope, title: string, message: string, path?: string): Promise<void> {
  const admins = await scope.db
    .selectFrom('user_general_roles')
    .select('user_id')
    .distinct()
    .where('role', '=', 'admin')
    .where('sub_tenant_id', 'is', null)
    .execute()
  const others = admins.map(({ user_id }) => user_id).filter((id) => id !== scope.actor.user_id)
  await notify(scope, others, {
    notification_type: 'info',
    content: { title, message, ...(path && { path }) },
  })
}

/** The invited person finds it at their first sign-in; a second invitation adds no notification. */
export async function tellInvited(scope: Scope, userId: number, company: string): Promise<void> {
  const content = { title: `Welcome to ${company}`, message: 'You will find your news here.' }
  const known = await scope.db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  if (!known) await notify(scope, [userId], { notification_type: 'info', content })
}
