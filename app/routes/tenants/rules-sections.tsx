/** The rules of our own sign-in screens: for one company, or for all that share a provider. */
import type { FieldMetadata } from '@conform-to/react'
import type { ReactNode } from 'react'
import { ASKED_FOR, labelOf } from '#app/domain/authenticator/attributes.ts'
import type { ScreenRules } from '#app/domain/pools/screen-rules.ts'
import { CheckboxInput, ChoiceInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

export const ENTRANCES = [
  { value: 'signIn', label: 'Sign in' },
  { value: 'signUp', label: 'Create account' },
  { value: 'forgotPassword', label: 'Forgot password' },
]

type RulesFields = { [Name in keyof ScreenRules]: FieldMetadata<ScreenRules[Name]> }

type RulesProps = {
  fields: RulesFields
  /** The attributes required now, which can include custom ones. */
  asked: readonly string[]
  /** The field for who can sign up. */
  signUp: ReactNode
  /** Cognito has its own setting for unknown addresses. */
  isCognito?: boolean
}

export function RulesSections({ fields, asked, signUp, isCognito = false }: RulesProps) {
  const rules = fields.password_policy.getFieldset()
  const names = [...new Set([...ASKED_FOR, ...asked])]
  return (
    <>
      <FormSection title="Sign-in screens" help="What people see first, and who can create an account.">
        {signUp}
        <SelectInput
          field={fields.initial_screen}
          label="First screen"
          options={ENTRANCES}
          help="“Create account” comes first only if people can create one."
        />
        <ChoiceInput
          field={fields.required_attributes}
          label="Asked for in addition to the e-mail address"
          help="At sign-up, and at the first sign-in of an invited person without it."
          options={names.map((value) => ({ value, label: labelOf(value) }))}
          multiple
        />
        {isCognito ? null : (
          <CheckboxInput
            field={fields.reveals_users}
            label={RULES_LABELS.reveals_users}
            help="Turned off, nobody can find out who has an account. That is safer."
          />
        )}
      </FormSection>
      <FormSection
        title="Passwords"
        help={
          isCognito
            ? 'Set the same rules as the Cognito pool, so that people see them before they submit. The pool itself decides.'
            : 'For every password chosen from now on.'
        }
      >
        <TextInput field={rules.min_length} label="Minimum length" type="number" inputMode="numeric" />
        <CheckboxInput field={rules.require_lowercase} label="Require lowercase letters" />
        <CheckboxInput field={rules.require_uppercase} label="Require uppercase letters" />
        <CheckboxInput field={rules.require_numbers} label="Require numbers" />
        <CheckboxInput field={rules.require_special_characters} label="Require special characters" />
      </FormSection>
    </>
  )
}

export const RULES_LABELS = {
  initial_screen: 'First screen',
  required_attributes: 'Asked for in addition to the e-mail address',
  reveals_users: 'Say when an address has no account',
  'password_policy.min_length': 'Minimum length',
}
