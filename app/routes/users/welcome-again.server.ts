/** Invites a person again whose details another server does not show. */
import { type ActionFunctionArgs, data } from '@remix-run/node'
import { inviteUser } from '#app/api/contract/people/users.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'
import { requirePeople } from './guard.server.ts'

export async function welcomeAgain(args: ActionFunctionArgs, form: FormData) {
  const { api } = await requirePeople(args, 'users:create')
  requireIntent(form, ['resend'])
  const { pathname } = new URL(args.request.url)
  try {
    await api(inviteUser, { id: args.params.userId })
  } catch (error) {
    const { status } = refusalOf(error)
    if (status === 404) throw data({ detail: 'Not Found' }, { status })
    return redirectWithToast(pathname, { title: 'Error', message: await sayWhy(error), variant: 'error' })
  }
  return redirectWithToast(pathname, { title: 'Invitation sent' })
}
