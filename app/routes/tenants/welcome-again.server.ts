/** Sends welcome e-mails again to the selected people. */
import type { ApiClient } from '#app/api/client.server.ts'
import { inviteUsers } from '#app/api/contract/people/users.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'

export async function resendWelcome(api: ApiClient, form: FormData, here: string) {
  // Ids of another server may not be numbers.
  const user_ids = form.getAll('user_ids').map(String) as unknown[] as number[]
  if (user_ids.length === 0)
    return redirectWithToast(here, { title: 'Please select at least one person', variant: 'info' })
  try {
    await api(inviteUsers, { user_ids })
    const title = user_ids.length === 1 ? 'Invitation sent' : 'Invitations sent'
    return redirectWithToast(here, { title })
  } catch (error) {
    return redirectWithToast(here, { title: 'Error', message: await sayWhy(error), variant: 'error' })
  }
}
