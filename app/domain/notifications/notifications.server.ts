/** Creating notifications, and reading, marking and deleting them. Everyone sees only their own, in every scope. */
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import { offsetOf } from '#app/domain/page.ts'
import { notFound } from '../errors.ts'
import { askOnce, remember } from '../scope/ask-once.server.ts'
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

type Rows = { total: number; unread: number; data: z.input<typeof Notification>[] }
type Whole = RawBuilder<number>

const rowsOf = (limit: Whole, offset: Whole) => sql<Rows>`(
  select jsonb_build_object('total', count(*), 'unread', count(*) filter (where not has_read), 'data',
    (select coalesce(jsonb_agg(to_jsonb(one) order by one.created_on desc, one.id desc), '[]')
      from (select * from notifications where user_id = ${scopeUser}
        order by created_on desc, id desc limit ${limit} offset ${offset}) one))
  from notifications where user_id = ${scopeUser})`

/** The newest, as shown on every page of the site: a part of a statement about the person, at home. */
export const newestRows = rowsOf(sql.lit(NOTIFICATIONS_PER_PAGE), sql.lit(0))
const readNewest = plannedOnce<{ rows: Rows }>(() => sql`select ${newestRows} as rows`)

const NEWEST = ['newest notifications']
export const rememberNewest = (home: Scope, rows: Rows) => remember(home, NEWEST, [{ rows }])

async function readPage(home: Scope, { page, limit }: Query): Promise<NotificationPage> {
  const isNewest = page === 1 && limit === NOTIFICATIONS_PER_PAGE
  const [found] = isNewest
    ? await askOnce(home, NEWEST, () => readNewest(home.db))
    : await home.db
        .selectNoFrom(rowsOf(sql`${limit}`, sql`${offsetOf({ page, per_page: limit })}`).as('rows'))
        .execute()
  const { total = 0, unread = 0, data = [] }: Partial<Rows> = found?.rows ?? {}
  return {
    data: data.map((row) =>
      Notification.parse({ ...row, created_on: new Date(row.created_on).toISOString() }),
    ),
    pagination: { current_page: page, total_pages: Math.max(1, Math.ceil(total / limit)) },
    unread,
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
