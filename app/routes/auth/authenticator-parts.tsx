/** Parts of the authenticator's screens, each of which is a plain form. */
import {
  type DefaultValue,
  type FieldMetadata,
  type FormMetadata,
  getFormProps,
  type SubmissionResult,
  useForm,
} from '@conform-to/react'
import { getZodConstraint } from '@conform-to/zod/v4'
import { Callout, Flex, Heading, Text } from '@radix-ui/themes'
import { type ReactNode, useRef } from 'react'
import type { z } from 'zod'
import type { PasswordPolicy } from '#app/domain/authenticator/new-password.ts'
import type { ScreenSettings, State } from '#app/domain/authenticator/state.ts'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useStillClicks } from '#app/ui/form/still-clicks.ts'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { useErrorTitle } from '#app/ui/frame/error-title.ts'
import { Icon } from '#app/ui/icons.tsx'

export type ScreenProps = {
  state: State
  screens: ScreenSettings
  is_ours: boolean
  /** The company of the sign-in, if the visitor may read it. */
  company: string | null
  pool_id: string
  /** True if neither the address nor "remember me" has been asked yet. */
  asks_all: boolean
  /** The destination after the sign-in. */
  target: string
  password_policy: PasswordPolicy
  totp: { secret: string; qr: { size: number; path: string } } | null
  dial_codes: { value: string; label: string }[]
  lastResult: SubmissionResult<string[]> | null
}

type Fields = Record<string, unknown>

/** The names of fields left so far. */
export const useLeft = () => useRef(new Set<string>()).current

/** The field that Conform validates because it was left; a submit validates the whole form. */
function checkedIn(formData: FormData): string[] {
  const intent = formData.get('__intent__')
  if (typeof intent !== 'string') return [...formData.keys()]
  const { name } = JSON.parse(intent).payload ?? {}
  return typeof name === 'string' ? [name] : []
}

/** A form validated when a field is left, then at every change, and on submit; without scripts, only on submit. */
export function useScreenForm<Schema extends z.ZodObject>(
  id: string,
  schema: Schema,
  lastResult: SubmissionResult<string[]> | null,
  defaultValue: Fields = {},
  left?: Set<string>,
) {
  useStillClicks()
  return useForm<z.input<Schema> & Fields, z.output<Schema>, string[]>({
    id,
    lastResult,
    defaultValue: defaultValue as DefaultValue<z.input<Schema> & Fields>,
    constraint: getZodConstraint(schema) as never,
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate({ formData }) {
      for (const name of checkedIn(formData)) left?.add(name)
      return parseForm(formData, schema)
    },
  })
}

type FormScreenProps<Schema extends Fields> = {
  title: string
  form: FormMetadata<Schema>
  notice?: string | null
  /** Links and buttons under the form. */
  aside?: ReactNode
  company?: string | null
  /** Above the heading. */
  above?: ReactNode
  children: ReactNode
}

export function FormScreen<Schema extends Fields>(props: FormScreenProps<Schema>) {
  const { title, form, notice, aside, above, company, children } = props
  useErrorTitle(form.status === 'error')
  return (
    <Flex direction="column" gap="4">
      {above}
      <Heading as="h1" size="6">
        {title}
      </Heading>
      {company ? (
        <Text as="p" color="gray" weight="medium">
          {company}
        </Text>
      ) : null}
      {notice && !form.errors ? <Notice>{notice}</Notice> : null}
      <Form method="post" ref={focusFirstError} {...getFormProps(form)}>
        <Flex direction="column" gap="4">
          {children}
        </Flex>
      </Form>
      {aside ? (
        <Flex direction="column" gap="3" align="center" className="sign-in-links">
          {aside}
        </Flex>
      ) : null}
    </Flex>
  )
}

const focusFirstError = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>('[role=alert], [aria-invalid=true]')?.focus()

function Notice({ children }: { children: string }) {
  return (
    <Callout.Root color="iris" role="status">
      <Callout.Icon>
        <Icon name="info" />
      </Callout.Icon>
      <Callout.Text>{children}</Callout.Text>
    </Callout.Root>
  )
}

/** A separate form, so that missing or invalid input cannot hold it back. */
export function IntentButton({ intent, children }: { intent: 'back' | 'resend' | 'skip'; children: string }) {
  return (
    <Form method="post">
      <SubmitButton intent={intent} variant="ghost">
        {children}
      </SubmitButton>
    </Form>
  )
}

export const BackToSignIn = () => <IntentButton intent="back">Back to Sign In</IntentButton>

type CodeInputProps = { field: FieldMetadata<unknown>; label?: string }

export function CodeInput({ field, label = 'Confirmation Code' }: CodeInputProps) {
  return (
    <TextInput
      field={field}
      label={label}
      placeholder="Enter your code"
      autoComplete="one-time-code"
      inputMode="numeric"
      spellCheck={false}
    />
  )
}

/** Tells password managers the username of a new password. */
export const HiddenUsername = ({ username }: { username: string }) => (
  <input type="email" autoComplete="username" value={username} readOnly hidden />
)
