import type { ApiClient } from '#app/api/client.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { markAllRead } from './told.server.ts'

/** Whether what the form asks for could be done. */
export async function changeNotifications(api: ApiClient, form: FormData): Promise<boolean> {
  const intent = intentOf(form, ['delete', 'read_all', 'read'])
  try {
    if (intent === 'delete') await api.delete(`/notifications/${Number(form.get('id'))}`)
    else if (intent === 'read_all') await markAllRead(api)
    else
      await api.patch('/notifications', { notification_ids: form.getAll('id').map(Number), has_read: true })
    return true
  } catch (error) {
    if (!(error instanceof Response)) throw error
    return false
  }
}
