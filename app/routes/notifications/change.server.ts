import type { ApiClient } from '#app/api/client.server.ts'
import { markAllRead } from './told.server.ts'

/** Whether what the form asks for could be done. */
export async function changeNotifications(api: ApiClient, form: FormData): Promise<boolean> {
  try {
    if (form.get('intent') === 'delete') await api.delete(`/notifications/${Number(form.get('id'))}`)
    else if (form.get('intent') === 'read_all') await markAllRead(api)
    else
      await api.patch('/notifications', { notification_ids: form.getAll('id').map(Number), has_read: true })
    return true
  } catch (error) {
    if (!(error instanceof Response)) throw error
    return false
  }
}
