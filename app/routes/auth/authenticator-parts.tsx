/** The screens of the authenticator, each a plain form. */
import { type FormMetadata, getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { getZodConstraint, parseWithZod } from '@conform-to/zod/v4'
import { Callout, Flex, Heading, Text } from '@radix-ui/themes'
import { Form, Link, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Interaction } from '#app/auth/identity-port.ts'
import { Credentials } from '#app/domain/authenticator/credentials.ts'
import { describePolicy, newPasswordOf } from '#app/domain/authenticator/new-password.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SubmitButton, TextInput } from '#app/ui/form.tsx'
import { Icon } from '#app/ui/icons.tsx'

type Props = { interaction: Interaction; lastResult: SubmissionResult<string[]> | undefined }

export function SignIn({ interaction, lastResult }: Props) {
  const [form, fields] = useForm({
    id: 'sign-in',
    lastResult: lastResult ?? null,
    defaultValue: { username: interaction.username },
    constraint: getZodConstraint(Credentials),
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema: Credentials }),
  })
  return (
    <Screen title="Sign In" form={form} aside={<AnotherEmail />}>
      <TextInput field={fields.username} label="Email" type="email" autoComplete="username" />
      <TextInput field={fields.password} label="Password" type="password" autoComplete="current-password" />
      <Refusal form={form} />
      <SubmitButton>Sign In</SubmitButton>
    </Screen>
  )
}

function AnotherEmail() {
  return (
    <Text size="2" align="center">
      <Link to="/login">Use another email</Link>
    </Text>
  )
}

export function ForceNewPassword({ interaction, lastResult }: Props) {
  const { username, password_policy } = interaction
  const schema = newPasswordOf(password_policy)
  const [form, fields] = useForm({
    id: 'new-password',
    lastResult: lastResult ?? null,
    constraint: getZodConstraint(schema),
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
  })
  return (
    <Screen title="Change Password" form={form} aside={<Back />}>
      <Text as="p">
        Choose a password of your own for {username}. The temporary one is not needed any more.
      </Text>
      {/* Password managers file the new password under it. */}
      <input type="email" autoComplete="username" value={username} readOnly hidden />
      <TextInput
        field={fields.password}
        label="New password"
        help={describePolicy(password_policy)}
        type="password"
        autoComplete="new-password"
      />
      <TextInput
        field={fields.confirm_password}
        label="Confirm password"
        type="password"
        autoComplete="new-password"
      />
      <Refusal form={form} />
      <SubmitButton>Change Password</SubmitButton>
    </Screen>
  )
}

/** A screen that does not exist, or a sign-in that is over: finished, given up or too old. */
export function Lost() {
  return (
    <Flex direction="column" gap="4">
      <Heading as="h1" size="6">
        This sign-in is over
      </Heading>
      <Text as="p">
        It was finished, or it waited too long. Nothing is lost: enter your email and begin again.
      </Text>
      <ButtonLink to="/login">Back to Sign In</ButtonLink>
    </Flex>
  )
}

/** A form of its own, which nothing that was typed can hold back. */
function Back() {
  return (
    <Form method="post">
      <Flex direction="column">
        <SubmitButton intent="back" variant="ghost">
          Back to Sign In
        </SubmitButton>
      </Flex>
    </Form>
  )
}

type ScreenProps<Schema extends Record<string, unknown>> = {
  title: string
  form: FormMetadata<Schema>
  aside: ReactNode
  children: ReactNode
}

function Screen<Schema extends Record<string, unknown>>({
  title,
  form,
  aside,
  children,
}: ScreenProps<Schema>) {
  return (
    <Flex direction="column" gap="4">
      <Heading as="h1" size="6">
        {title}
      </Heading>
      <Form method="post" ref={focusFirstError} {...getFormProps(form)}>
        <Flex direction="column" gap="4">
          {children}
        </Flex>
      </Form>
      {aside}
    </Flex>
  )
}

const focusFirstError = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>('[role=alert], [aria-invalid=true]')?.focus()

/** What the provider said no to. The same page, asked for anew, is without it. */
function Refusal<Schema extends Record<string, unknown>>({ form }: { form: FormMetadata<Schema> }) {
  const { pathname } = useLocation()
  if (!form.errors?.length) return null
  return (
    <Callout.Root color="red" role="alert" id={form.errorId} tabIndex={-1}>
      <Callout.Icon>
        <Icon name="error" />
      </Callout.Icon>
      <Callout.Text>
        {form.errors.join(' ')} <Link to={pathname}>Dismiss</Link>
      </Callout.Text>
    </Callout.Root>
  )
}
