/** The form of a new or existing person; people who may only change themselves see less of it. */
import { getFormProps } from '@conform-to/react'
import type { ReactNode } from 'react'
import { OWN_FIELDS } from '#app/domain/account/profile-form.ts'
import { labelsOf, namesOf, pick } from '#app/domain/fields.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { OwnUserForm, User, UserForm } from '#app/domain/users/user.ts'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { DefaultButton } from '#app/ui/form/default-button.tsx'
import { FormActions, FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import type { DialCodes } from '#app/ui/form/phone-input.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion, useOpenedAt } from '#app/ui/form/seen-version.tsx'
import { FixedPerson, PersonSection } from './person-fields.tsx'
import { type RoleScopes, RolesInput, type Row, rolesInWords } from './roles-input.tsx'

type Phone = { dial_code: string; phone_number: string }

type UserFieldsProps = RoleScopes & {
  /** Absent for a new one. */
  user?: User
  /** The phone number in its two parts. */
  phone?: Phone
  timezones: readonly string[]
  dialCodes: DialCodes
  /** Whether roles and the address can be changed, too. */
  manages: boolean
  /** Whether only the roles can be changed, because the account is managed elsewhere. */
  isFixed?: boolean
  /** Whether it is the visitor's own form. */
  own?: boolean
  /** Placed beside the save button. */
  children?: ReactNode
}

export function UserFields({
  user,
  phone,
  timezones,
  dialCodes,
  manages,
  isFixed = false,
  own = false,
  children,
  ...scopes
}: UserFieldsProps) {
  const schema = manages ? UserForm : (OwnUserForm as unknown as typeof UserForm)
  const opened = useOpenedAt(user?.lock_version)
  const { form, fields, stored, typed } = useSchemaForm(schema, {
    id: user ? `user-${opened}` : 'user',
    defaultValue: user
      ? toFields(user, phone)
      : {
          user_general_roles: [{ role: 'user', sub_tenant_id: scopes.within ?? undefined }],
          send_welcome: true,
        },
  })
  const current = User.safeParse(stored).data
  const labels = { ...pick(LABELS, own ? OWN_FIELDS : namesOf(PERSON)), user_general_roles: 'Roles' }
  const inWords = ({ user_general_roles = [], ...others }: Record<string, unknown>) => ({
    ...others,
    user_general_roles: manages ? rolesInWords(user_general_roles as Row[], scopes.subTenants) : '',
  })
  return (
    <Form method="post" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} labels={{ email: 'Work e-mail', user_general_roles: 'Roles' }} />
      {current ? (
        <SavedMeanwhile
          differences={compare(labels, inWords(current) as never, inWords(withNumber(typed)))}
        />
      ) : null}
      {user ? <SeenVersion field={fields.lock_version} saved={current?.lock_version} /> : null}
      {user && isFixed ? (
        <FixedPerson user={user} />
      ) : (
        <PersonSection fields={fields} user={user} {...{ timezones, dialCodes, manages, own }} />
      )}
      {manages ? (
        <FormSection title="Roles" help="What they can do, and where. A person can have several.">
          <RolesInput form={form} field={fields.user_general_roles} {...scopes} />
        </FormSection>
      ) : null}
      {user ? null : (
        <FormSection title="Invitation">
          <CheckboxInput
            field={fields.send_welcome}
            label="Send the invitation now"
            help="It tells them how to sign in. A link to choose a password is valid for 7 days. You can also send it later."
          />
        </FormSection>
      )}
      <FormActions>
        {children}
        <SubmitButton>{user ? 'Save user' : 'Add user'}</SubmitButton>
      </FormActions>
    </Form>
  )
}

function toFields(user: User, phone: Phone | undefined) {
  return {
    ...pick(user, [...namesOf(PERSON), 'lock_version']),
    dial_code: phone?.dial_code ?? '',
    mobile_phone: phone?.phone_number ?? '',
    user_general_roles: user.user_general_roles.map(({ role, sub_tenant_id }) => ({
      role,
      ...(sub_tenant_id ? { sub_tenant_id } : {}),
    })),
  }
}

/** The number as stored: with its dial code, and otherwise digits only. */
function withNumber({ dial_code = '', mobile_phone = '', ...typed }: Record<string, unknown>) {
  const digits = String(mobile_phone).replace(/[^\d+]/g, '')
  const number = digits === '' || digits.startsWith('+') ? digits : `${dial_code}${digits.replace(/^0/, '')}`
  return { ...typed, mobile_phone: number }
}

const LABELS = labelsOf(PERSON)
