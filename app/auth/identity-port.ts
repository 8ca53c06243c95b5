/**
 * What the sign-in screens may ask of whoever keeps the passwords. The words are Cognito's,
 * so that a user pool elsewhere can stand behind the same screens.
 */
import type { PasswordPolicy } from '#app/domain/authenticator/new-password.ts'

/** The sign-in that this browser is in the middle of. */
export type Interaction = {
  pool_id: string
  /** The screen that is due; kept by the provider, so reload and Back find it again. */
  screen: 'signIn' | 'forceNewPassword'
  /** Who is signing in: what the visitor typed at `/login`, or the account once it is known. */
  username: string
  password_policy: PasswordPolicy
}

/** What comes after a step that was accepted. */
export type Outcome =
  | { step: 'DONE'; redirect_to: string }
  | { step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED' }
  /** The interaction ended in the meantime: start again at `/login`. */
  | { step: 'EXPIRED' }

/** Every call but `current` throws an `IdentityError` when the step is refused. */
export type IdentityPort = {
  current(): Promise<Interaction | null>
  signIn(input: { username: string; password: string }): Promise<Outcome>
  completeNewPassword(input: { password: string }): Promise<Outcome>
  /** Back to the first screen of the same interaction. */
  cancel(): Promise<void>
}

const IDENTITY_ERRORS = [
  'InvalidParameterException',
  'InvalidPasswordException',
  'LimitExceededException',
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'UserNotConfirmedException',
  'UserNotFoundException',
] as const

/** A refusal by the provider: callers branch on the name, people read the message. */
export type IdentityError = Error & { name: (typeof IDENTITY_ERRORS)[number] }

/** By name, because each provider throws a class of its own. */
export function isIdentityError(error: unknown): error is IdentityError {
  return error instanceof Error && IDENTITY_ERRORS.some((name) => name === error.name)
}
