import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { Outlet, useActionData, useLoaderData } from '@remix-run/react'
import { confirmContactChange, getContacts, requestContactChange } from '#app/api/contract/people/contacts.ts'
import { CONTACT_KINDS, type ContactKind, type Contacts } from '#app/domain/account/contact-change.ts'
import { maskPhone } from '#app/domain/authenticator/mask.ts'
import { dialCodes, splitPhone, toE164 } from '#app/domain/users/phone/phone.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { ProfileTabs } from '#app/routes/settings/profile-tabs.tsx'
import { Page } from '#app/ui/page.tsx'
import { CodeForm, EmailForm, PhoneForm } from './contact-forms.tsx'
import { numberOfCodes } from './number-of-codes.server.ts'

const HERE = '/settings/contact'

export const meta: MetaFunction = () => [{ title: 'E-mail and phone · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  if (searchOf(args.request).ask === 'remove') throw redirect(`${HERE}/remove`)
  const contacts = await api(getContacts)
  const codes_to = await numberOfCodes(api)
  const isElsewhere = codes_to !== null && codes_to !== maskPhone(contacts.mobile_phone ?? '')
  return {
    contacts,
    codes_elsewhere: isElsewhere ? codes_to : null,
    known: splitPhone(contacts.mobile_phone),
    dial_codes: dialCodes(),
  }
}

/** `form`: the form that the refusal belongs to. */
type Refused = { form: string; problem: string; at: 'value' | 'password'; typed: Record<string, string> }

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const form = await args.request.formData()
  const isCode = requireIntent(form, ['request', 'confirm']) === 'confirm'
  const password = form.get('password')
  form.delete('password')
  const typed = readTyped(form)
  const secret = password ? { password: String(password) } : {}
  const kind = CONTACT_KINDS.find((one) => one === typed.kind)
  if (!kind) return data<Refused | null>(null, { status: 400 })
  try {
    if (isCode) await api(confirmContactChange, { kind, code: typed.code ?? '' })
    else {
      const value = contactOf(kind, typed)
      await api(requestContactChange, { kind, value, ...secret })
    }
  } catch (error) {
    const at = await isAboutPassword(error)
    const problem = await sayWhy(error)
    const { status } = error as Response
    return data<Refused | null>({ form: isCode ? `${kind}-code` : kind, problem, at, typed }, { status })
  }
  return redirectWithToast(HERE, isCode ? CHANGED[kind] : ON_ITS_WAY)
}

async function isAboutPassword(error: unknown): Promise<'value' | 'password'> {
  if (!(error instanceof Response)) return 'value'
  const { detail } = (await error.clone().json()) as { detail?: unknown }
  return typeof detail === 'object' && detail !== null && 'password' in detail ? 'password' : 'value'
}

const ON_ITS_WAY = { title: 'A code is on its way', message: 'Enter it here.', variant: 'info' } as const
const CHANGED = {
  email: { title: 'E-mail address changed' },
  phone: { title: 'Phone number verified' },
} as const

const readTyped = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']))

/** An invalid number is sent as typed, so that the API reports the error. */
function contactOf(kind: ContactKind, { value = '', dial_code, phone_number = '' }: Record<string, string>) {
  if (kind === 'email') return value
  return toE164(phone_number, dial_code) ?? phone_number
}

export default function EditContacts() {
  const { contacts, codes_elsewhere, known, dial_codes } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const of = (form: string) => (refused?.form === form ? refused : null)
  return (
    <Page
      narrow
      title="E-mail and phone"
      lead="A new address or number counts once you have entered the code that is sent there."
    >
      <ProfileTabs />
      <Code kind="email" contacts={contacts} refused={of('email-code')} />
      <Code kind="phone" contacts={contacts} refused={of('phone-code')} />
      <EmailForm contacts={contacts} refused={of('email')} />
      <PhoneForm
        contacts={contacts}
        codesElsewhere={codes_elsewhere}
        refused={of('phone')}
        known={known}
        dialCodes={dial_codes}
      />
      <Outlet />
    </Page>
  )
}

type CodeProps = { kind: ContactKind; contacts: Contacts; refused: Refused | null }

function Code({ kind, contacts, refused }: CodeProps) {
  const pending = contacts.pending.find((one) => one.kind === kind)
  return pending ? <CodeForm pending={pending} refused={refused} /> : null
}
