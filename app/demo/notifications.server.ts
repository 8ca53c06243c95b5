/** The notifications of the demo's administrators: of its journeys, and of the company. */
import type { Notification } from '#app/domain/notifications/notification.ts'
import { SETTINGS_CHANGED } from '#app/domain/notifications/telling.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'

type Told = Pick<Notification, 'content' | 'notification_type'> & { created_on: Date }

const DAYS_BETWEEN = 3
const UNREAD = 5

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
  const journeys = await db
    .selectFrom('journeys')
    .select(['id', 'name', 'launched_at'])
    .where('launched_at', 'is not', null)
    .execute()
  const launches = journeys.map(
    ({ id, name, launched_at }): Told => ({
      notification_type: 'launch',
      content: {
        ...{ title: name, message: `The learning journey “${name}” was launched.` },
        path: `/lljs/${id}/schedule`,
      },
      created_on: launched_at ?? new Date(),
    }),
  )
  const changes = Array.from({ length: Math.max(0, each - launches.length) }, (_, nth): Told => {
    const ago = (nth * DAYS_BETWEEN + 1) * 24 * 3_600_000
    return { notification_type: 'info', content: SETTINGS_CHANGED, created_on: new Date(Date.now() - ago) }
  })
  const told = [...launches, ...changes].toSorted((one, other) => +other.created_on - +one.created_on)
  const rows = admins.flatMap(({ id }) =>
    told.slice(0, each).map(({ content, ...row }, nth) => ({
      ...{ ...row, tenant_id: actor.tenant_id, user_id: id },
      content: JSON.stringify(content),
      has_read: nth >= UNREAD,
    })),
  )
  if (rows.length > 0) await db.insertInto('notifications').values(rows).execute()
}
