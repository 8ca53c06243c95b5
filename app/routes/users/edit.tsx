import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { getAddressState, tryAddressAgain } from '#app/api/contract/people/mail-stops.ts'
import { getUser, updateUser } from '#app/api/contract/people/users.ts'
import { ifOffered } from '#app/api/not-offered.server.ts'
import { may, mayEditUser } from '#app/domain/access/permissions.ts'
import { splitPhone } from '#app/domain/users/phone/phone.ts'
import { OwnUserForm, UserForm } from '#app/domain/users/user.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'
import { already, isGone } from '#app/routes/why-not-done.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { useOpenedAt } from '#app/ui/form/seen-version.tsx'
import { backAddress, besideAddress, useBackAddress } from '#app/ui/list/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { ACCOUNT_ACTION_NAMES, type AccountActionName, accountAction } from './account-actions.ts'
import { AddressSection, TRY_AGAIN } from './address-section.tsx'
import { AccountQuestion, AccountRefusal, AccountSection, titleOf, UserFacts } from './edit-parts.tsx'
import { readChoices } from './guard.server.ts'
import { toBody } from './save-user.server.ts'
import { UnknownUser } from './unknown-user.tsx'
import { UserFields } from './user-form.tsx'
import { welcomeAgain } from './welcome-again.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data, location }) => {
  const asked = data?.manages ? new URLSearchParams(location.search).get('ask') : null
  return [{ title: `${data?.user ? titleOf(data.user, asked) : 'User'} · Liftwell` }]
}

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const user = await ifOffered(visitor.api(getUser, { id: args.params.userId }), null)
  if (!user) return { user, isAdmin: may(visitor.actor, 'users:create') }
  const { rights } = user
  const isOpen = rights.includes('edit') || rights.includes('give_roles')
  const own = user.id === visitor.principal.user_id
  const manages = may(visitor.actor, 'users:edit')
  return {
    user,
    address: manages ? await visitor.api(getAddressState, { id: user.id }).catch(nullWhereMissing) : null,
    own,
    phone: splitPhone(user.mobile_phone),
    choices: isOpen ? await readChoices(visitor) : null,
    manages,
  }
}

/** Another server may not have this call. */
function nullWhereMissing(error: unknown): null {
  if (error instanceof Response && error.status === 404) return null
  throw error
}

export async function action(args: ActionFunctionArgs) {
  const { api, actor, principal } = await requireDashboard(args)
  const formData = await args.request.formData()
  const known = await ifOffered(api(getUser, { id: args.params.userId }), null).catch(async (error) => {
    const done = doneOnLeaving(formData)
    if (!done || !isGone(error) || !may(actor, 'users:edit')) throw error
    throw await redirectWithToast(
      backAddress('/users', new URL(args.request.url).searchParams),
      already(done),
    )
  })
  if (!known) return welcomeAgain(args, formData)
  const { id } = known
  if (!mayEditUser(actor, id)) throw noPermission()
  const intent = intentOf(formData, [...ACCOUNT_ACTION_NAMES, TRY_AGAIN])
  const { searchParams } = new URL(args.request.url)
  const back = {
    here: besideAddress(`/users/edit/${id}`, searchParams),
    list: backAddress('/users', searchParams),
  }
  if (intent === TRY_AGAIN) {
    await api(tryAddressAgain, { id })
    return redirectWithToast(back.here, { title: 'This address is tried again' })
  }
  if (intent === 'erase' && known.is_erased) return redirectWithToast(back.list, already('erased'))
  if (intent) return changeAccount(api, id, intent, back)

  const manages = may(actor, 'users:edit')
  return saveForm(formData, manages ? UserForm : OwnUserForm, async (form) => {
    const { send_welcome: _, ...body } = { send_welcome: false, ...toBody(form) }
    // One's own number is changed on the page that confirms it with a code.
    const sent = id === principal.user_id ? { ...body, mobile_phone: undefined } : body
    const { name } = await api(updateUser, { id }, sent)
    return redirectWithToast(manages ? back.list : back.here, { title: 'User saved', message: name })
  })
}

/** After a double press, what the first request did to a person who is now gone. */
const doneOnLeaving = (form: FormData) => ON_LEAVING.get(String(form.get('intent')))
const ON_LEAVING: ReadonlyMap<string, Parameters<typeof already>[0]> = new Map([
  ['delete', 'deleted'],
  ['erase', 'erased'],
  ['remove_roles', 'removed'],
])

/** Where to continue: the page itself, and the list it was reached from. */
type Back = { here: string; list: string }

async function changeAccount(api: ApiClient, id: number, name: AccountActionName, { here, list }: Back) {
  const { call, done, leaves } = accountAction(name)
  try {
    await call(api, id)
  } catch (error) {
    const problem = await sayWhy(error)
    return data({ problem }, { status: (error as Response).status })
  }
  return redirectWithToast(leaves ? list : here, { title: done })
}

export default function EditUser() {
  const loaded = useLoaderData<typeof loader>()
  return loaded.user ? <KnownUser {...loaded} /> : <UnknownUser {...loaded} />
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

function KnownUser({ user, address, own, phone, choices, manages }: Extract<Loaded, { own: boolean }>) {
  const [search] = useSearchParams()
  const list = useBackAddress()('/users')
  const answer = useActionData<typeof action>()
  const problem = answer && 'problem' in answer ? answer.problem : null
  const opened = useOpenedAt(user.lock_version)
  return (
    <Page
      title={user.name}
      lead="Details, roles and account."
      action={own ? <ButtonLink to="/settings/profile">Your profile</ButtonLink> : undefined}
      narrow={choices === null}
    >
      {problem ? <AccountRefusal why={problem} /> : null}
      {choices ? (
        <UserFields
          key={opened}
          user={user}
          phone={phone}
          {...choices}
          manages={manages}
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
      {address ? <AddressSection address={address} /> : null}
      {manages ? <AccountSection user={user} /> : null}
      {manages ? <AccountQuestion user={user} ask={problem ? null : search.get('ask')} /> : null}
    </Page>
  )
}
