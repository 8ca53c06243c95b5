import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { CONTACT_KINDS, Contacts } from '#app/domain/contact/contact-change.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { CodeForm, RequestForm } from './contact-forms.tsx'

const HERE = '/settings/contact'

export const meta: MetaFunction = () => [{ title: 'E-mail and phone · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  return api.get('/users/me/contacts', Contacts)
}

/** What was refused, for which of the forms, and what had been typed into it. */
type Refused = { kind: string; why: string; typed: string }

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const form = Object.fromEntries(await args.request.formData())
  const kind = CONTACT_KINDS.find((one) => one === form.kind)
  if (!kind) return data<Refused | null>(null, { status: 400 })
  const isCode = form.intent === 'confirm'
  const typed = String((isCode ? form.code : form.value) ?? '').trim()
  try {
    if (!isCode) {
      await api.post('/users/me/contacts', { kind, value: typed })
      return redirectWithToast(HERE, {
        title: 'A code is on its way',
        message: 'Enter it here.',
        variant: 'info',
      })
    }
    await api.post('/users/me/contacts/confirm', { kind, code: typed })
    return redirectWithToast(HERE, {
      title: kind === 'email' ? 'E-mail address changed' : 'Phone number verified',
    })
  } catch (error) {
    if (!(error instanceof Response)) throw error
    const { detail } = (await error.json()) as { detail: string | Record<string, string[]> }
    const why = typeof detail === 'string' ? detail : Object.values(detail).flat().join(' ')
    return data<Refused | null>(
      { kind: isCode ? `${kind}-code` : kind, why, typed },
      { status: error.status },
    )
  }
}

export default function EditContacts() {
  const contacts = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const of = (form: string) => (refused?.kind === form ? refused : null)
  const back = (
    <ButtonLink to="/settings/profile" variant="soft" color="gray">
      Your profile
    </ButtonLink>
  )
  return (
    <Page
      narrow
      title="E-mail and phone"
      lead="A new address or number counts once you have entered the code that is sent there."
      action={back}
    >
      {CONTACT_KINDS.map((kind) => {
        const pending = contacts.pending.find((one) => one.kind === kind)
        return (
          <div key={kind}>
            <RequestForm kind={kind} contacts={contacts} refused={of(kind)} />
            {pending ? <CodeForm pending={pending} refused={of(`${kind}-code`)} /> : null}
          </div>
        )
      })}
    </Page>
  )
}
