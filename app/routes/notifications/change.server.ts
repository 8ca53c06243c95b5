import type { ApiClient } from '#app/api/client.server.ts'
import { deleteNotification, markNotificationsRead } from '#app/api/contract/people/notifications.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { getConfig } from '#app/config.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { markAllRead } from './told.server.ts'

/** What the form asks for; answers why it could not be done. */
export async function changeNotifications(api: ApiClient, form: FormData): Promise<string | null> {
  const intent = intentOf(form, ['delete', 'read_all', 'read'])
  try {
    if (intent === 'delete') await api(deleteNotification, { id: String(form.get('id')) })
    else if (intent === 'read_all') await markAllRead(api)
    else await api(markNotificationsRead, { notification_ids: idsIn(form), has_read: true })
    return null
  } catch (error) {
    const { status } = refusalOf(error)
    if (status === 404 || status === 403) return 'That notification is gone.'
    return intent === 'delete'
      ? 'The notification could not be deleted. Please try again.'
      : 'The notifications could not be marked as read. Please try again.'
  }
}

/** Ours are numbers; those of another server are known to its own side. */
function idsIn(form: FormData): number[] {
  const ids = form.getAll('id').map(String)
  return getConfig().WEB_TIER ? (ids as unknown[] as number[]) : ids.map(Number)
}
