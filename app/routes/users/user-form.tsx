/** The form of a person, new or known; people who may only change themselves see less of it. */
import { getFormProps, useForm } from '@conform-to/react'
import { Form, Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { OwnUserForm, User, UserForm } from '#app/domain/users/user.ts'
import { DefaultButton } from '#app/ui/admins-input.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import {
  CheckboxInput,
  FormActions,
  FormErrors,
  FormSection,
  SelectInput,
  SubmitButton,
  TextInput,
} from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { useRefused } from '#app/ui/refused.ts'
import { compare, SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { type Places, RolesInput } from './roles-input.tsx'

type UserFieldsProps = Places & {
  /** Absent for a new one. */
  user?: User
  timezones: readonly string[]
  /** Whether roles and the address can be changed, too. */
  isWhole: boolean
  /** Whether it is the one who looks at it. */
  own?: boolean
  /** Stands beside the button that saves. */
  children?: ReactNode
}

type Values = z.input<typeof UserForm>

export function UserFields({ user, timezones, isWhole, own = false, children, ...places }: UserFieldsProps) {
  const { lastResult, current: stored } = useRefused()
  const current = User.safeParse(stored).data
  const schema = isWhole ? UserForm : OwnUserForm
  const [form, fields] = useForm<Values>({
    id: user ? `user-${user.lock_version}` : 'user',
    defaultValue: user
      ? toFields(user)
      : {
          user_general_roles: [{ role: 'user', sub_tenant_id: places.within ?? undefined }],
          send_welcome: true,
        },
    lastResult,
    constraint: constraintOf(UserForm),
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, schema) as never,
  })
  return (
    <Form method="post" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} labels={{ user_general_roles: 'Roles' }} />
      {current ? (
        <SavedMeanwhile differences={compare(LABELS, current, lastResult?.initialValue ?? {})} />
      ) : null}
      {user ? <input type="hidden" name="lock_version" value={(current ?? user).lock_version} /> : null}
      <FormSection title="Person" help="How colleagues see and reach them.">
        <TextInput field={fields.first_name} label="First name" autoComplete="off" required />
        <TextInput field={fields.last_name} label="Last name" autoComplete="off" />
        {isWhole ? <EmailInput field={fields.email} user={user} /> : null}
        {own ? (
          <OwnNumber number={user?.mobile_phone ?? null} />
        ) : (
          <TextInput
            field={fields.mobile_phone}
            label="Mobile phone"
            type="tel"
            help="With the country code: +43 664 1234567."
            autoComplete="off"
          />
        )}
        <TextInput field={fields.job_title} label="Job title" autoComplete="off" />
        <SelectInput
          field={fields.timezone}
          label="Time zone"
          placeholder="As the company"
          options={timezones}
        />
      </FormSection>
      {isWhole ? (
        <FormSection title="Roles" help="What they may do, and where. A person can hold several.">
          <RolesInput form={form} field={fields.user_general_roles} {...places} />
        </FormSection>
      ) : null}
      {user ? null : (
        <FormSection title="Invitation">
          <CheckboxInput
            field={fields.send_welcome}
            label="Send the invitation now"
            help="It has the way in and a temporary password. You can also send it later."
          />
        </FormSection>
      )}
      <FormActions>
        <SubmitButton>{user ? 'Save user' : 'Add user'}</SubmitButton>
        {children}
      </FormActions>
    </Form>
  )
}

/** One's own number is changed where it is proved; it is sent along all the same. */
function OwnNumber({ number }: { number: string | null }) {
  return (
    <div className="field">
      <span className="field-label">Mobile phone</span>
      <span>{number ?? 'No number on file.'}</span>
      <input type="hidden" name="mobile_phone" value={number ?? ''} />
      <Link to="/settings/contact">Change e-mail or phone</Link>
    </div>
  )
}

type EmailInputProps = { field: Parameters<typeof TextInput<string>>[0]['field']; user: User | undefined }

/** An address in use is its owner's to change; it is sent along all the same. */
function EmailInput({ field, user }: EmailInputProps) {
  if (user && user.activation_status !== 'invited')
    return (
      <div className="field">
        <span className="field-label">E-mail</span>
        <span>{user.email}</span>
        <input type="hidden" name="email" value={user.email} />
      </div>
    )
  return <TextInput field={field} label="Work e-mail" type="email" autoComplete="off" required />
}

function toFields(user: User): Values {
  const { first_name, last_name, email, mobile_phone, job_title, timezone } = user
  return {
    first_name,
    last_name,
    email,
    mobile_phone: mobile_phone ?? '',
    job_title: job_title ?? '',
    timezone: timezone ?? '',
    user_general_roles: user.user_general_roles.map(({ role, sub_tenant_id }) => ({
      role,
      ...(sub_tenant_id ? { sub_tenant_id } : {}),
    })),
  }
}

const LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  mobile_phone: 'Mobile phone',
  job_title: 'Job title',
  timezone: 'Time zone',
}
