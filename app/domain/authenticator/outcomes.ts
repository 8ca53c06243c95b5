/** The next state or call after each outcome of a call. */
import { type Answer, type Effect, type FetchedAttributes, NOT_READY } from './events.ts'
import { maskEmail, maskPhone } from './mask.ts'
import { at, type Route, type State } from './state.ts'

/** How long a page waits for the sign-in, and how often it polls. */
export const WAIT_MS = 3 * 60 * 1000
export const POLL_SECONDS = 5

/** Correct whether the previous code was kept or replaced. */
const LATEST_CODE = 'You have asked for a code before. The one in our latest message is the one that works.'
const CHANGED_BEFORE =
  'Your password was changed before, by the form you sent first. Sign in with that password, or reset it again.'
const ALREADY_CONFIRMED = 'User is already confirmed.'

type SignedIn = Extract<Answer, { type: 'signedIn' }>
type Failed = Extract<Answer, { type: 'failed' }>

export function afterSignIn(state: State, answer: SignedIn): State | Effect {
  switch (answer.step) {
    case 'DONE':
      return { call: 'fetchUserAttributes' }
    case 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED':
      return at(state, 'forceNewPassword', { missing_attributes: answer.missing_attributes })
    case 'CONFIRM_SIGN_IN_WITH_SMS_CODE':
      return at(state, 'confirmSignIn', { challenge: 'SMS_MFA', delivery: answer.delivery })
    case 'CONFIRM_SIGN_IN_WITH_TOTP_CODE':
      return at(state, 'confirmSignIn', { challenge: 'SOFTWARE_TOKEN_MFA' })
    case 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP':
      return at(state, 'setupTotp')
    case 'CONFIRM_SIGN_UP':
      return { call: 'resendSignUpCode', username: state.username, is_resend: false }
    case 'RESET_PASSWORD':
      return { call: 'resetPassword', username: state.username, is_resend: false }
  }
}

export function afterSignUp(state: State, answer: Extract<Answer, { type: 'signedUp' }>): State | Effect {
  if (answer.step === 'CONFIRM_SIGN_UP') {
    const { route, username } = state.pending_code ?? {}
    const isRepeated = route === 'confirmSignUp' && username === state.username
    return at(state, 'confirmSignUp', { delivery: answer.delivery, notice: isRepeated ? LATEST_CODE : null })
  }
  return answer.step === 'DONE' ? at(state, 'signIn') : { call: 'autoSignIn' }
}

const ANOTHER_CODE = 'A new code is on its way. Only the latest one works.'

const TAKES_CODE = {
  resendSignUpCode: 'confirmSignUp',
  resetPassword: 'confirmResetPassword',
  sendUserAttributeVerificationCode: 'confirmVerifyUser',
  resendSignInCode: 'confirmSignIn',
} as const satisfies Record<string, Route>

export function afterCode(state: State, { call, delivery }: Extract<Answer, { type: 'codeSent' }>): State {
  const { unverified, attribute } = state
  const verifying = call === 'sendUserAttributeVerificationCode' ? { unverified, attribute } : {}
  const signingIn = call === 'resendSignInCode' ? ({ challenge: 'SMS_MFA' } as const) : {}
  const isAnother = state.from === TAKES_CODE[call]
  return at(state, TAKES_CODE[call], {
    delivery,
    ...verifying,
    ...signingIn,
    notice: isAnother ? ANOTHER_CODE : null,
  })
}

/** People without a verified contact are asked for one: without it, they could not reset a forgotten password. */
export function afterAttributes(state: State, attributes: FetchedAttributes): State | Effect {
  const { email, phone_number } = attributes
  const unverified = {
    ...(email && { email: maskEmail(email) }),
    ...(phone_number && { phone_number: maskPhone(phone_number) }),
  }
  const hasVerified = isTrue(attributes.email_verified) || isTrue(attributes.phone_number_verified)
  if (hasVerified || Object.keys(unverified).length === 0) return { call: 'complete' }
  return at(state, 'verifyUser', { unverified })
}

const isTrue = (value: string | undefined) => value !== undefined && value !== 'false'

export function afterFailure(state: State, failure: Failed): State | Effect {
  const { call, message } = failure
  if (call === 'fetchUserAttributes') return { call: 'complete' }
  if (call === 'autoSignIn') return afterNoSignIn(state, failure)
  if (call === 'resendSignUpCode' && message === ALREADY_CONFIRMED) return at(state, 'signIn')
  if (call === 'confirmResetPassword' && state.has_reset)
    return at(state, 'signIn', { notice: CHANGED_BEFORE, has_reset: true })
  // The password was right, and a code sent before may still be valid.
  if (state.from === 'signIn' && (call === 'resendSignUpCode' || call === 'resetPassword'))
    return at(state, TAKES_CODE[call])
  return { ...state, route: state.from ?? 'signIn', from: null }
}

/** Failures that are not shown: the next screen says enough. */
export const isQuiet = ({ call, message }: Failed): boolean =>
  call === 'fetchUserAttributes' || call === 'autoSignIn' || message === ALREADY_CONFIRMED

function afterNoSignIn(state: State, { name, now }: Failed): State {
  const since = state.waiting_since ?? now
  if (name === NOT_READY && now - since < WAIT_MS)
    return at(state, 'transition', { from: 'signIn', waiting_since: since })
  return at(state, 'signIn', { notice: 'Your account is confirmed. You can sign in now.' })
}
