/** The calls the sign-in screens can make. Named after Cognito's, so that a user pool can serve them too. */

import type {
  FetchedAttributes,
  Invited,
  SignInStep,
  SignUpStep,
  UserAttributes,
} from '#app/domain/authenticator/events.ts'
import type { PasswordPolicy } from '#app/domain/authenticator/new-password.ts'
import type {
  CodeDelivery,
  Contact,
  Entrance,
  ScreenSettings,
  State,
} from '#app/domain/authenticator/state.ts'

export type Interaction = {
  pool_id: string
  /** The last `save`; the provider keeps it, so that reload, Back and a second tab find it again. */
  saved: unknown
  username: string
  entrance: Entrance
  screens: ScreenSettings
  /** Ours texts a code again without asking for the password, and invites again who never chose one. */
  is_ours: boolean
  /** The tenant's name, where the visitor may see it. */
  company: string | null
  password_policy: PasswordPolicy
  totp: { secret: string; uri: string } | null
}

type Username = { username: string }

/** All but `current` throw an `IdentityError` when refused: `InteractionExpiredException` after the interaction's end. */
export type IdentityPort = {
  current(): Promise<Interaction | null>
  save(state: State): Promise<void>

  signIn(input: Username & { password: string }): Promise<SignInStep>
  /** Takes the code of an invitation link, which is used up once a password is chosen. */
  openInvitation(input: { code: string }): Promise<Invited>
  /** The answer to the step before: a code, or a new password. */
  confirmSignIn(input: { challenge_response: string; user_attributes?: UserAttributes }): Promise<SignInStep>
  resendSignInCode(): Promise<CodeDelivery>
  signUp(input: Username & { password: string; user_attributes: UserAttributes }): Promise<SignUpStep>
  confirmSignUp(
    input: Username & { confirmation_code: string },
  ): Promise<{ step: 'DONE' | 'COMPLETE_AUTO_SIGN_IN' }>
  /** `is_resend`: the person insists on a new code; otherwise one that is on its way is enough. */
  resendSignUpCode(input: Username & { is_resend: boolean }): Promise<CodeDelivery>
  /** Throws `UserNotReadyException` while trying again can still succeed. */
  autoSignIn(): Promise<SignInStep>
  resetPassword(input: Username & { is_resend: boolean }): Promise<CodeDelivery>
  confirmResetPassword(input: Username & { confirmation_code: string; new_password: string }): Promise<void>
  fetchUserAttributes(): Promise<FetchedAttributes>
  sendUserAttributeVerificationCode(input: { key: Contact; is_resend: boolean }): Promise<CodeDelivery>
  confirmUserAttribute(input: { key: Contact; confirmation_code: string }): Promise<void>

  /** Forgets everything proved in this interaction, and the saved screen. */
  cancel(): Promise<void>
  /** After `DONE`: ends the interaction and says where the browser goes. */
  complete(): Promise<{ redirect_to: string }>
}

export const INTERACTION_EXPIRED = 'InteractionExpiredException'

const IDENTITY_ERRORS = [
  'AliasExistsException',
  'CodeDeliveryFailureException',
  'CodeMismatchException',
  'EnableSoftwareTokenMFAException',
  'ExpiredCodeException',
  'InvalidParameterException',
  'InvalidPasswordException',
  'LimitExceededException',
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'ServiceUnavailableException',
  'TooManyRequestsException',
  'UnsupportedUserStateException',
  'UserLambdaValidationException',
  'UserNotConfirmedException',
  'UserNotFoundException',
  'UserNotReadyException',
  'UsernameExistsException',
  INTERACTION_EXPIRED,
] as const

/** A refusal by the provider: callers branch on the name, people read the message. */
export type IdentityError = Error & { name: (typeof IDENTITY_ERRORS)[number] }

/** By name, because each provider throws a class of its own. */
export function isIdentityError(error: unknown): error is IdentityError {
  return error instanceof Error && IDENTITY_ERRORS.some((name) => name === error.name)
}
