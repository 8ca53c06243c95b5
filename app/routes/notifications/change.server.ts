import type { ApiClient } from '#app/api/client.server.ts'
import { deleteNotification } from '#app/api/contract/people/notifications.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { markAllRead } from './told.server.ts'

/** Carries out what the form asks for; returns the reason if it failed. */
export async function changeNotifications(api: ApiClient, form: FormData): Promise<string | null> {
  const intent = requireIntent(form, ['delete', 'read_all'])
  try {
    if (intent === 'delete') await api(deleteNotification, { id: String(form.get('id')) })
    else await markAllRead(api, String(form.get('newest') ?? ''))
    return null
  } catch (error) {
    const { status } = refusalOf(error)
    if (intent === 'read_all') return 'The notifications could not be marked as read. Please try again.'
    return status === 404 || status === 403
      ? 'That notification is gone.'
      : 'The notification could not be deleted. Please try again.'
  }
}
