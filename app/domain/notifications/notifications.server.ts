/** Creating notifications, and reading, marking and deleting them. Everyone sees only their own, in every scope. */
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import type { DB } from '#app/db/schema.ts'
import { offsetOf } from '#app/domain/page.ts'
import { notFound } from '../errors.ts'
import { atHome, type Scope, scopeUser } from '../scope/scope.server.ts'
import {
  NOTIFICATIONS_PER_PAGE,
  Notification,
  type NotificationPage,
  type NotificationQuery,
  type NotificationsRead,
} from './notification.ts'

type Query = z.infer<typeof NotificationQuery>

export async function notify(
  { actor, db }: Scope,
  userIds: readonly number[],
  told: Pick<Notification, 'notification_type' | 'content'>,
): Promise<void> {
  if (userIds.length === 0) return
  const { notification_type } = told
  const content = JSON.stringify(told.content)
  await sql`insert into notifications (tenant_id, user_id, notification_type, content, created_on)
    select ${actor.tenant_id}, id, ${notification_type}, ${content}::jsonb, scope_now()
    from users where id = any(${userIds}::bigint[]) and activation_status <> 'disabled'
      and not ${notification_type} = any(muted_notifications)`.execute(db)
}

/** Each person gets words of their own. */
export async function notifyEach(
  { actor, db }: Scope,
  notification_type: Notification['notification_type'],
  told: readonly { user_id: number; content: Notification['content'] }[],
): Promise<void> {
  const [ids, contents] = [told.map((one) => one.user_id), told.map((one) => JSON.stringify(one.content))]
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await sql`insert into notifications (tenant_id, user_id, notification_type, content, created_on)
      select ${actor.tenant_id}, u.id, ${notification_type}, told.content, scope_now()
      from unnest(${ids.slice(start, start + AT_ONCE)}::bigint[], ${contents.slice(start, start + AT_ONCE)}::jsonb[])
        with ordinality as told (user_id, content, nth)
        cross join lateral (select id, activation_status, muted_notifications from users where id = told.user_id offset 0) u
      where u.activation_status <> 'disabled' and not ${notification_type} = any(u.muted_notifications)
      order by told.nth`.execute(db)
}

const AT_ONCE = 5000

export const listNotifications = (scope: Scope, query: Query): Promise<NotificationPage> =>
  atHome(scope, (home) => readPage(home, query))

/** `first`: only the newest ones, in a statement without parameters. */
function statementOf(db: Kysely<DB>, { page, limit }: Query, first: boolean) {
  const own = db.selectFrom('notifications').where('user_id', '=', scopeUser)
  const counted = own.select((eb) => [
    eb.fn.countAll<number>().as('total'),
    eb.fn.countAll<number>().filterWhere('has_read', '=', sql.lit(false)).as('unread'),
  ])
  const page_of_them = own
    .selectAll()
    .orderBy('created_on', 'desc')
    .orderBy('id', 'desc')
    .limit(first ? sql.lit(limit) : limit)
    .$if(!first, (query) => query.offset(offsetOf({ page, per_page: limit })))
  return db
    .selectFrom(counted.as('counted'))
    .leftJoinLateral(page_of_them.as('one'), (join) => join.onTrue())
    .selectAll()
    .orderBy('one.created_on', 'desc')
    .orderBy('one.id', 'desc')
}

/** The newest, as shown on every page of the site. */
const NEWEST: Query = { page: 1, limit: NOTIFICATIONS_PER_PAGE }
const readNewest = plannedOnce((db) => statementOf(db, NEWEST, true))

async function readPage({ db }: Scope, query: Query): Promise<NotificationPage> {
  const { page, limit } = query
  const isFirst = page === NEWEST.page && limit === NEWEST.limit
  const rows = await (isFirst ? readNewest(db) : statementOf(db, query, false).execute())
  const { total = 0, unread = 0 } = rows[0] ?? {}
  return {
    // Without any notification there is still one row, with the counts.
    data: rows.flatMap(({ total: _, unread: __, created_on, ...row }) =>
      created_on === null ? [] : [Notification.parse({ ...row, created_on: created_on.toISOString() })],
    ),
    pagination: { current_page: page, total_pages: Math.max(1, Math.ceil(Number(total) / limit)) },
    unread: Number(unread),
  }
}

export async function markRead(
  scope: Scope,
  { notification_ids }: z.infer<typeof NotificationsRead>,
): Promise<void> {
  if (notification_ids.length === 0) return
  await atHome(scope, ({ actor, db }) =>
    db
      .updateTable('notifications')
      .set({ has_read: true })
      .where('user_id', '=', actor.user_id ?? 0)
      .where('id', 'in', notification_ids)
      .execute(),
  )
}

export async function deleteNotification(scope: Scope, id: number): Promise<void> {
  const { numDeletedRows } = await atHome(scope, ({ actor, db }) =>
    db
      .deleteFrom('notifications')
      .where('user_id', '=', actor.user_id ?? 0)
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  if (numDeletedRows === 0n) throw notFound()
}
