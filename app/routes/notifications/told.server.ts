/** A person's notifications, for the top bar and the page. */

import type { ApiClient } from '#app/api/client.server.ts'
import { listNotifications, markNotificationsRead } from '#app/api/contract/people/notifications.ts'
import { NOTIFICATIONS_PER_PAGE, type Told } from '#app/domain/notifications/notification.ts'
import { zoneAtHome } from '#app/domain/users/clock.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { stampOf } from '#app/ui/stamp.ts'

/** The maximum number per API call. */
const MAX = 100

/** "View More" lets the list grow; nobody reads further than this. */
const MAX_PAGES = 100

export function pagesAsked({ url }: Request): number {
  const wanted = Number(new URL(url).searchParams.get('page') ?? 1)
  return Number.isInteger(wanted) && wanted >= 1 ? Math.min(wanted, MAX_PAGES) : 1
}

/** The first `pages` pages of ten. */
export async function readTold(api: ApiClient, reading: Promise<CurrentUser>, pages = 1): Promise<Told> {
  const wanted = pages * NOTIFICATIONS_PER_PAGE
  const [user, { first, all, isMore }] = await Promise.all([reading, readRows(api, wanted)])
  const zone = zoneAtHome(user)
  // Notifications are in the person's home tenant, so the clock there counts.
  const now = new Date(Date.now() + (user.is_impersonating ? 0 : user.current_tenant.clock_ahead_ms))
  return {
    notifications: all.slice(0, wanted).map((one) => ({ ...one, stamp: stampOf(one.created_on, zone, now) })),
    unread: first.unread,
    is_capped: first.pagination.is_capped ?? false,
    next: isMore ? pages + 1 : null,
  }
}

/** Another server may return fewer than requested. */
async function readRows(api: ApiClient, wanted: number) {
  const limit = Math.min(wanted, MAX)
  const first = await api(listNotifications, { limit, page: 1 })
  const all = new Map(first.data.map((one) => [one.id, one]))
  let isMore = first.pagination.total_pages > 1
  for (let page = 2; isMore && all.size < wanted; page++) {
    const { data, pagination } = await api(listNotifications, { limit, page })
    const known = all.size
    for (const one of data) all.set(one.id, one)
    isMore = page < pagination.total_pages && all.size > known
  }
  return { first, all: [...all.values()], isMore: isMore || all.size > wanted }
}

/** Marks all as read, page by page, as the API needs their ids. Ones newer than the `newest` shown stay unread. */
export async function markAllRead(api: ApiClient, newest: string): Promise<void> {
  let newer = 0
  const seen = new Set<number>()
  for (let page = 1; ; page++) {
    const { data, pagination, unread } = await api(listNotifications, {
      limit: MAX,
      page,
    })
    const left = data.filter((one) => !one.has_read)
    const notification_ids = left
      .filter((one) => newest === '' || one.created_on <= newest)
      .map(({ id }) => id)
    if (notification_ids.length > 0) await api(markNotificationsRead, { notification_ids, has_read: true })
    newer += left.length - notification_ids.length
    const isCounted = pagination.is_capped === undefined
    if (isCounted && unread === newer + notification_ids.length) return
    const known = seen.size
    for (const { id } of data) seen.add(id)
    if (seen.size === known || page >= pagination.total_pages) return
  }
}
