/** The events of a sign-in, and the calls that it makes to its provider. The names are Cognito's. */
import type { CodeDelivery, CodeRoute, Contact, Entrance } from './state.ts'

export type SignInStep =
  | { step: 'DONE' }
  | { step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED'; missing_attributes: string[] }
  | { step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE'; delivery: CodeDelivery }
  | { step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' }
  | { step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' }
  | { step: 'CONFIRM_SIGN_UP' }
  | { step: 'RESET_PASSWORD' }

/** The invited person, and the attributes that the pool requires besides a password. */
export type Invited = { username: string; missing_attributes: string[] }

export type SignUpStep =
  | { step: 'DONE' }
  | { step: 'COMPLETE_AUTO_SIGN_IN' }
  | { step: 'CONFIRM_SIGN_UP'; delivery: CodeDelivery }

export type UserAttributes = Record<string, string>

/** Attributes as the provider returns them, with booleans as strings. */
export type FetchedAttributes = Record<string, string | undefined>

export type Effect =
  | { call: 'signIn'; username: string; password: string }
  | { call: 'openInvitation'; code: string }
  | { call: 'confirmSignIn'; challenge_response: string; user_attributes?: UserAttributes }
  | { call: 'signUp'; username: string; password: string; user_attributes: UserAttributes }
  | { call: 'confirmSignUp'; username: string; confirmation_code: string }
  | { call: 'resendSignUpCode'; username: string; is_resend: boolean }
  | { call: 'autoSignIn' }
  | { call: 'resendSignInCode' }
  | { call: 'resetPassword'; username: string; is_resend: boolean }
  | { call: 'confirmResetPassword'; username: string; confirmation_code: string; new_password: string }
  | { call: 'fetchUserAttributes' }
  | { call: 'sendUserAttributeVerificationCode'; key: Contact; is_resend: boolean }
  | { call: 'confirmUserAttribute'; key: Contact; confirmation_code: string }
  | { call: 'cancel' }
  | { call: 'complete' }
  | { call: 'signOut' }
export type Call = Effect['call']

export type Action =
  | { type: 'START'; initial: Entrance; has_user: boolean }
  | { type: 'OPEN_INVITATION'; code: string }
  | { type: 'GO'; to: Entrance | CodeRoute }
  | { type: 'SIGN_IN'; username: string; password: string }
  | { type: 'SIGN_UP'; username: string; password: string; user_attributes: UserAttributes }
  | { type: 'FORGOT_PASSWORD'; username: string }
  | { type: 'CODE'; confirmation_code: string }
  | { type: 'RESET'; confirmation_code: string; new_password: string }
  | { type: 'NEW_PASSWORD'; password: string; user_attributes: UserAttributes }
  | { type: 'VERIFY'; attribute: Contact }
  | { type: 'RESEND' }
  | { type: 'SKIP' }
  | { type: 'BACK' }
  /** The waiting page asks again; `now` in milliseconds. */
  | { type: 'POLL'; now: number }
  | { type: 'SIGN_OUT' }

export type CodeCall =
  | 'resendSignUpCode'
  | 'resendSignInCode'
  | 'resetPassword'
  | 'sendUserAttributeVerificationCode'

export type Answer =
  | ({ type: 'signedIn' } & SignInStep)
  | ({ type: 'invited' } & Invited)
  | ({ type: 'signedUp' } & SignUpStep)
  | { type: 'signUpConfirmed'; step: 'DONE' | 'COMPLETE_AUTO_SIGN_IN' }
  | { type: 'codeSent'; call: CodeCall; delivery: CodeDelivery }
  | { type: 'passwordReset' }
  | { type: 'attributesFetched'; attributes: FetchedAttributes }
  | { type: 'attributeConfirmed' }
  | { type: 'cancelled' }
  | { type: 'completed' }
  | { type: 'signedOut' }
  | { type: 'failed'; call: Call; name: string; message: string; now: number }

export type Event = Action | Answer

/** The provider has accepted a sign-up and is not ready to sign the person in. */
export const NOT_READY = 'UserNotReadyException'
