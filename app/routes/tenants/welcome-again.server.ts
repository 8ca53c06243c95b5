/** Sends welcome e-mails again to those who were chosen. */
import type { ApiClient } from '#app/api/client.server.ts'
import { inviteUsers } from '#app/api/contract/people/users.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'

export async function resendWelcome(api: ApiClient, form: FormData, here: string) {
  // Their server knows whether its ids are numbers.
  const user_ids = form.getAll('user_ids').map(String) as unknown[] as number[]
  if (user_ids.length === 0)
    return redirectWithToast(here, { title: 'Please select at least one person', variant: 'info' })
  try {
    await api(inviteUsers, { user_ids })
    const title = user_ids.length === 1 ? 'Invitation sent' : 'Invitations sent'
    return redirectWithToast(here, { title })
  } catch (error) {
    const { detail } = (await refusalOf(error).json()) as { detail?: unknown }
    const message = typeof detail === 'string' ? detail : 'Something went wrong'
    return redirectWithToast(here, { title: 'Error', message, variant: 'error' })
  }
}
