/** Converts the form of each screen into an action of the state machine. */

import type { Submission } from '@conform-to/react'
import { z } from 'zod'
import type { Interaction } from '#app/auth/identity-port.ts'
import { attributesIn } from '#app/domain/authenticator/attributes.ts'
import {
  CodeForm,
  ContactChoice,
  Credentials,
  ForgottenPassword,
} from '#app/domain/authenticator/credentials.ts'
import type { Action } from '#app/domain/authenticator/events.ts'
import { newPasswordOf, resetOf, signUpOf } from '#app/domain/authenticator/new-password.ts'
import type { Route, State } from '#app/domain/authenticator/state.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { readForm as readStrictly } from '#app/routes/read-form.server.ts'

const Nothing = z.object({})

type Filled = { submission: Submission<unknown>; action: Action | null }
type Reading = (form: FormData, interaction: Interaction, state: State) => Filled

function read<Schema extends z.ZodType>(
  form: FormData,
  schema: Schema,
  toAction: (value: z.output<Schema>) => Action,
): Filled {
  const submission = readStrictly(form, schema)
  const action = submission.status === 'success' ? toAction(submission.value as z.output<Schema>) : null
  return { submission: submission as Submission<unknown>, action }
}

const readCode: Reading = (form) => read(form, CodeForm, (value) => ({ type: 'CODE', ...value }))

const READINGS: Partial<Record<Route, Reading>> = {
  signIn: (form) =>
    read(form, Credentials, ({ username, password }) => ({ type: 'SIGN_IN', username, password })),
  signUp: (form, { password_policy, screens }) =>
    read(form, signUpOf(password_policy, screens.required_attributes), (value) => {
      const { username, password, confirm_password: _, ...rest } = value
      return { type: 'SIGN_UP', username, password, user_attributes: attributesIn(rest) }
    }),
  forgotPassword: (form) => read(form, ForgottenPassword, (value) => ({ type: 'FORGOT_PASSWORD', ...value })),
  confirmSignUp: readCode,
  confirmSignIn: readCode,
  setupTotp: readCode,
  confirmVerifyUser: readCode,
  verifyUser: (form) =>
    read(form, ContactChoice, ({ unverifiedAttr }) => ({ type: 'VERIFY', attribute: unverifiedAttr })),
  confirmResetPassword: (form, { password_policy }) =>
    read(form, resetOf(password_policy), ({ confirmation_code, password }) => ({
      type: 'RESET',
      confirmation_code,
      new_password: password,
    })),
  forceNewPassword: (form, { password_policy }, { missing_attributes }) =>
    read(form, newPasswordOf(password_policy, missing_attributes), (value) => {
      const { password, confirm_password: _, ...rest } = value
      return { type: 'NEW_PASSWORD', password, user_attributes: attributesIn(rest) }
    }),
}

/** Buttons that need no field. */
const PLAIN = new Map<string, Action>([
  ['back', { type: 'BACK' }],
  ['resend', { type: 'RESEND' }],
  ['skip', { type: 'SKIP' }],
])

export function readForm(form: FormData, interaction: Interaction, state: State): Filled {
  const plain = PLAIN.get(intentOf(form, [...PLAIN.keys()]) ?? '')
  const reading = READINGS[state.route]
  if (plain || !reading) return { submission: readStrictly(form, Nothing), action: plain ?? null }
  return reading(form, interaction, state)
}
