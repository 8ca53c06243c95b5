/** The notifications of the demo's administrators, from this week and before. */
import type { Notification } from '#app/domain/notifications/notification.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'

type Told = [type: Notification['notification_type'], title: string, message: string]

const TOLD: readonly Told[] = [
  ['launch', 'A journey was launched', 'Its learners have been told, and the first lift is on its way.'],
  ['success', 'Somebody joined a journey', 'They have been welcomed, and get what is still to come.'],
  ['warning', 'A journey ends soon', 'Some of its learners still have lifts to do.'],
  ['info', 'Company settings changed', 'The list of categories has a new entry.'],
  ['success', 'A learner completed a journey', 'All required lifts were answered in time.'],
  ['info', 'A new administrator', 'A colleague may look after people and journeys from now on.'],
]
const HOURS_BETWEEN = 11

export async function seedNotifications({ actor, db }: Scope, each: number): Promise<void> {
  const admins = await db
    .selectFrom('users')
    .innerJoin('user_general_roles as held', 'held.user_id', 'users.id')
    .innerJoin('user_identities as known', 'known.user_id', 'users.id')
    .select('users.id')
    .distinct()
    .where('held.role', '=', 'admin')
    .where('held.sub_tenant_id', 'is', null)
    .orderBy('users.id')
    .execute()
  const rows = admins.flatMap(({ id }) =>
    Array.from({ length: each }, (_, nth) => {
      const told = TOLD[nth % TOLD.length]
      if (!told) throw new Error('Nothing to tell.')
      const [notification_type, title, message] = told
      return {
        tenant_id: actor.tenant_id,
        user_id: id,
        notification_type,
        content: JSON.stringify({ title, message }),
        has_read: nth > 4,
        created_on: new Date(Date.now() - (nth * HOURS_BETWEEN + 1) * 3_600_000),
      }
    }),
  )
  if (rows.length > 0) await db.insertInto('notifications').values(rows).execute()
}
