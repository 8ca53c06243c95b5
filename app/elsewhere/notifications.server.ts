import { NOTIFICATION_TYPES } from '#app/domain/notifications/notification.ts'
import { id, moment, oneOf, pageOf, rowsOf, text, thing, yes } from './read.server.ts'

export function readNotifications(sent: unknown) {
  const data = rowsOf(sent).flatMap((one) => {
    const own = id(one.id)
    const content = thing(one.content)
    if (own === null) return []
    return [
      {
        id: own,
        content: { title: text(content.title) ?? 'Notification', message: text(content.message) ?? '' },
        notification_type: oneOf(NOTIFICATION_TYPES, one.notification_type) ?? ('info' as const),
        has_read: yes(one.has_read),
        created_on: moment(one.created_on) ?? '',
      },
    ]
  })
  const { current_page, total_pages } = pageOf(sent, data.length)
  const is_capped = current_page < total_pages && data.at(-1)?.has_read === false
  return {
    data,
    pagination: { current_page, total_pages, is_capped },
    unread: data.filter((one) => !one.has_read).length,
  }
}
