import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { may, mayEditUser } from '#app/domain/access/permissions.ts'
import { splitPhone } from '#app/domain/users/phone.ts'
import { OwnUserForm, User, UserForm } from '#app/domain/users/user.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { backAddress, besideAddress, useBackAddress } from '#app/ui/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { AccountSection, Question, UserFacts } from './edit-parts.tsx'
import { readChoices } from './guard.server.ts'
import { sayWhy } from './refusals.server.ts'
import { toBody } from './save-user.server.ts'
import { UserFields } from './user-form.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? data.user.name : 'User'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const user = await visitor.api.get(encodePath`/users/${args.params.userId}`, User)
  const { rights } = user
  const isOpen = rights.includes('edit') || rights.includes('give_roles')
  const own = user.id === visitor.principal.user_id
  return {
    user,
    own,
    phone: splitPhone(user.mobile_phone),
    choices: isOpen ? await readChoices(visitor) : null,
    manages: may(visitor.actor, 'users:edit'),
  }
}

export async function action(args: ActionFunctionArgs) {
  const { api, actor, principal } = await requireDashboard(args)
  const path = encodePath`/users/${args.params.userId}`
  const { id } = await api.get(path, User)
  if (!mayEditUser(actor, id)) throw data('You do not have permission to do this.', { status: 403 })
  const formData = await args.request.formData()
  const intent = intentOf(formData, DEEDS)
  const { searchParams } = new URL(args.request.url)
  const back = {
    here: besideAddress(`/users/edit/${id}`, searchParams),
    list: backAddress('/users', searchParams),
  }
  if (intent) return settleAccount(api, id, intent, back)

  const isWhole = may(actor, 'users:edit')
  const submission = readForm(formData, isWhole ? UserForm : OwnUserForm)
  if (submission.status !== 'success') return refuse(submission)
  const { send_welcome: _, ...body } = { send_welcome: false, ...toBody(submission.value) }
  // One's own number is changed where it is proved.
  const sent = id === principal.user_id ? { ...body, mobile_phone: undefined } : body
  try {
    const { name } = await api.put(path, sent, User)
    return redirectWithToast(isWhole ? back.list : back.here, { title: 'User saved', message: name })
  } catch (error) {
    return refuse(submission, error)
  }
}

const DONE = {
  deactivate: 'Account deactivated',
  activate: 'Account activated',
  delete: 'User deleted',
  erase: 'Person erased',
  resend_welcome: 'Invitation sent',
  reset_password: 'A new password is due at the next sign-in',
  take_second_factor: 'Second factor taken away',
  opt_out: 'No more texts are sent to this number',
} as const
type Deed = keyof typeof DONE
const DEEDS = Object.keys(DONE) as Deed[]

/** Where one goes on: the page itself, and the list it was reached from. */
type Back = { here: string; list: string }

async function settleAccount(api: ApiClient, id: number, intent: Deed, { here, list }: Back) {
  try {
    if (intent === 'delete') await api.delete(encodePath`/users/${id}`)
    else if (intent === 'erase') await api.post(encodePath`/users/${id}/erasure`)
    else if (intent === 'opt_out') await api.post(encodePath`/users/${id}/opt_out`)
    else if (intent === 'reset_password') await api.post(encodePath`/users/${id}/password_reset`)
    else if (intent === 'take_second_factor') await api.delete(encodePath`/users/${id}/second_factor`)
    else if (intent === 'resend_welcome') await api.post(encodePath`/auth/resend-welcome-email/${id}`)
    else
      await api.patch(encodePath`/users/${id}/activation`, {
        activation_status: intent === 'activate' ? 'active' : 'disabled',
      })
  } catch (error) {
    const refused = await sayWhy(error)
    return data({ refused }, { status: (error as Response).status })
  }
  const isGone = intent === 'delete' || intent === 'erase'
  return redirectWithToast(isGone ? list : here, { title: DONE[intent] })
}

export default function EditUser() {
  const { user, own, phone, choices, manages } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const list = useBackAddress()('/users')
  const answer = useActionData<typeof action>()
  const refused = answer && 'refused' in answer ? answer.refused : null
  return (
    <Page
      title={user.name}
      lead="Who this person is, what they may do, and whether their account is in use."
      action={own ? <ButtonLink to="/settings/profile">Your profile</ButtonLink> : undefined}
      narrow={choices === null}
    >
      {choices ? (
        <UserFields
          key={user.lock_version}
          user={user}
          phone={phone}
          {...choices}
          isWhole={manages}
          isFixed={!user.rights.includes('edit')}
          own={own}
        >
          <ButtonLink to={list} variant="soft" color="gray">
            Cancel
          </ButtonLink>
        </UserFields>
      ) : (
        <UserFacts user={user} />
      )}
      {manages ? <AccountSection user={user} refused={refused} /> : null}
      {manages ? <Question user={user} ask={refused ? null : search.get('ask')} /> : null}
    </Page>
  )
}
