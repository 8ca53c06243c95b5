import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { getContacts } from '#app/api/contract/people/contacts.ts'
import { updateProfile } from '#app/api/contract/people/users.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { ErrorSummary } from '#app/ui/form/error-summary.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { CodesGoTo } from './codes-go-to.tsx'
import { numberOfCodes } from './number-of-codes.server.ts'
import { Password, type Refused } from './password.tsx'

const CONTACT = '/settings/contact'

export const meta: MetaFunction = () => [{ title: 'Remove your number? · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const contacts = await api(getContacts)
  if (!contacts.mobile_phone) throw redirect(CONTACT)
  return { contacts, codes_to: await numberOfCodes(api) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const password = (await args.request.formData()).get('password')
  try {
    await api(updateProfile, { mobile_phone: null, ...(password ? { password: String(password) } : {}) })
  } catch (error) {
    const problem = await sayWhy(error)
    return data<Refused>({ problem, at: 'password', typed: {} }, { status: (error as Response).status })
  }
  return redirectWithToast(CONTACT, { title: 'Phone number removed' })
}

export default function RemoveNumber() {
  const { contacts, codes_to } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>() ?? null
  return (
    <Modal title="Remove your number?" closeHref={CONTACT} size="small">
      <Form method="post" className="form-section-fields">
        {refused ? (
          <ErrorSummary
            id="remove-summary"
            problems={[{ fieldId: 'password-remove', label: 'Your password', errors: [refused.problem] }]}
          />
        ) : null}
        <p>
          <strong>{contacts.mobile_phone}</strong>
        </p>
        {codes_to ? <CodesGoTo number={codes_to} /> : null}
        <p>{`You get no ${codes_to ? 'other ' : ''}text messages, and your consent to them ends.`}</p>
        <Password kind="remove" contacts={contacts} refused={refused} />
        <div className="dialog-actions">
          <ButtonLink to={CONTACT} variant="soft" color="gray" preventScrollReset>
            Cancel
          </ButtonLink>
          <SubmitButton color="red">Yes, remove</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}
