import type { ApiClient } from '#app/api/client.server.ts'
import { deleteNotification, markNotificationsRead } from '#app/api/contract/notifications.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { markAllRead } from './told.server.ts'

/** What the form asks for; answers why it could not be done. */
export async function changeNotifications(api: ApiClient, form: FormData): Promise<string | null> {
  const intent = intentOf(form, ['delete', 'read_all', 'read'])
  try {
    if (intent === 'delete') await api(deleteNotification, { id: Number(form.get('id')) })
    else if (intent === 'read_all') await markAllRead(api)
    else await api(markNotificationsRead, { notification_ids: form.getAll('id').map(Number), has_read: true })
    return null
  } catch (error) {
    const { status } = refusalOf(error)
    if (status !== 503) return 'That notification is gone.'
    return intent === 'delete'
      ? 'The notification could not be deleted. Please try again.'
      : 'The notifications could not be marked as read. Please try again.'
  }
}
