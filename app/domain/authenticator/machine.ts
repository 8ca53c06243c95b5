/** The authenticator as one pure function: a state and an event give the next state and, maybe, one call. */
import type { Action, Answer, Effect, Event } from './events.ts'
import { afterAttributes, afterCode, afterFailure, afterSignIn, afterSignUp } from './outcomes.ts'
import {
  at,
  CODE_ROUTES,
  type CodeRoute,
  type Entrance,
  idle,
  isEntrance,
  isOpen,
  type Route,
  type State,
} from './state.ts'

export type Next = { state: State; effect: Effect | null }

/** An event that does not fit the state changes nothing: a late answer, a second tab, an old page. */
export function transition(state: State, event: Event): Next {
  const isUnderWay = state.route === 'transition'
  if (isAction(event))
    return (isUnderWay && state.waiting_since === null ? null : act(state, event)) ?? show(state)
  return (isUnderWay ? hear(state, event) : null) ?? show(state)
}

const isAction = (event: Event): event is Action => event.type === event.type.toUpperCase()

const show = (state: State): Next => ({ state, effect: null })

/** Calls the provider; the state remembers where it came from. */
const ask = (state: State, effect: Effect): Next => ({
  state: { ...state, route: 'transition', from: state.route, notice: null },
  effect,
})

function act(state: State, event: Action): Next | null {
  const onRoute = ACTIONS[state.route]
  if (event.type === 'BACK' && isCodeRoute(state.route)) return show(go(state, 'signIn'))
  if (event.type === 'BACK' && mayGoBack(state)) return ask(state, { call: 'cancel' })
  if (event.type === 'GO' && mayGo(state.route) && isOpen(state, event.to)) return show(go(state, event.to))
  if (event.type === 'SIGN_OUT') return ask(at(state, 'signOut'), { call: 'signOut' })
  return onRoute?.(state, event) ?? null
}

const isCodeRoute = (route: Route): route is CodeRoute => (CODE_ROUTES as readonly Route[]).includes(route)

const mayGoBack = ({ route, waiting_since }: State) => GO_BACK.has(route) || waiting_since !== null

const GO_BACK = new Set<Route>(['signUp', 'forgotPassword', 'confirmSignIn', 'setupTotp', 'forceNewPassword'])

/** Whether leaving this screen loses nothing that was verified. */
const mayGo = (route: Route) => isEntrance(route) || isCodeRoute(route)

/** Remembers a code that was sent, so that the visitor can return to its screen. */
function go(state: State, to: Entrance | CodeRoute): State {
  const { route, username, delivery, pending_code: left } = state
  if (left?.route === to) return at({ ...state, username: left.username }, to, { delivery: left.delivery })
  return at(state, to, { pending_code: isCodeRoute(route) ? { route, username, delivery } : left })
}

type OnAction = (state: State, event: Action) => Next | null

const ACTIONS: Partial<Record<Route, OnAction>> = {
  idle(state, event) {
    if (event.type === 'OPEN_INVITATION')
      return ask(at(state, 'signIn'), { call: 'openInvitation', code: event.code })
    return event.type === 'START' ? act(at(state, 'setup'), event) : null
  },
  setup(state, event) {
    if (event.type !== 'START') return null
    return show(at(state, event.has_user ? 'authenticated' : event.initial))
  },
  signIn(state, event) {
    if (event.type !== 'SIGN_IN') return null
    const { username, password } = event
    return ask({ ...state, username }, { call: 'signIn', username, password })
  },
  signUp(state, event) {
    if (event.type !== 'SIGN_UP') return null
    const { username, password, user_attributes } = event
    return ask({ ...state, username }, { call: 'signUp', username, password, user_attributes })
  },
  forgotPassword(state, event) {
    if (event.type !== 'FORGOT_PASSWORD') return null
    const { username } = event
    return ask({ ...state, username }, { call: 'resetPassword', username, is_resend: false })
  },
  confirmSignUp(state, event) {
    const { username } = state
    if (event.type === 'RESEND') return ask(state, { call: 'resendSignUpCode', username, is_resend: true })
    if (event.type !== 'CODE') return null
    return ask(state, { call: 'confirmSignUp', username, confirmation_code: event.confirmation_code })
  },
  confirmResetPassword(state, event) {
    const { username } = state
    if (event.type === 'RESEND') return ask(state, { call: 'resetPassword', username, is_resend: true })
    if (event.type !== 'RESET') return null
    const { confirmation_code, new_password } = event
    return ask(state, { call: 'confirmResetPassword', username, confirmation_code, new_password })
  },
  confirmSignIn(state, event) {
    if (event.type === 'RESEND' && state.challenge === 'SMS_MFA')
      return ask(state, { call: 'resendSignInCode' })
    return confirmWithCode(state, event)
  },
  setupTotp: confirmWithCode,
  forceNewPassword(state, event) {
    if (event.type !== 'NEW_PASSWORD') return null
    const { password, user_attributes } = event
    return ask(state, { call: 'confirmSignIn', challenge_response: password, user_attributes })
  },
  verifyUser(state, event) {
    if (event.type === 'SKIP') return ask(state, { call: 'complete' })
    if (event.type !== 'VERIFY' || !(event.attribute in state.unverified)) return null
    const key = event.attribute
    return ask(
      { ...state, attribute: key },
      { call: 'sendUserAttributeVerificationCode', key, is_resend: false },
    )
  },
  confirmVerifyUser(state, event) {
    const key = state.attribute
    if (event.type === 'SKIP') return ask(state, { call: 'complete' })
    if (!key) return null
    if (event.type === 'RESEND')
      return ask(state, { call: 'sendUserAttributeVerificationCode', key, is_resend: true })
    if (event.type !== 'CODE') return null
    return ask(state, { call: 'confirmUserAttribute', key, confirmation_code: event.confirmation_code })
  },
  transition(state, event) {
    return event.type === 'POLL' && state.waiting_since !== null
      ? { state, effect: { call: 'autoSignIn' } }
      : null
  },
}

function confirmWithCode(state: State, event: Action): Next | null {
  if (event.type !== 'CODE') return null
  return ask(state, { call: 'confirmSignIn', challenge_response: event.confirmation_code })
}

const PASSWORD_CHANGED = 'Your password was changed. Sign in with the new one.'

function hear(state: State, answer: Answer): Next | null {
  switch (answer.type) {
    case 'signedIn':
      return then(state, afterSignIn(state, answer))
    case 'invited': {
      const { username, missing_attributes } = answer
      return show(at({ ...state, username }, 'forceNewPassword', { missing_attributes, is_invited: true }))
    }
    case 'signedUp':
      return then(state, afterSignUp(state, answer))
    case 'signUpConfirmed':
      return answer.step === 'DONE'
        ? show(at(state, 'signIn', { notice: 'Your account is confirmed. You can sign in now.' }))
        : then(state, { call: 'autoSignIn' })
    case 'codeSent':
      return show(afterCode(state, answer))
    case 'passwordReset':
      return show(at(state, 'signIn', { notice: PASSWORD_CHANGED, has_reset: true }))
    case 'attributesFetched':
      return then(state, afterAttributes(state, answer.attributes))
    case 'attributeConfirmed':
      return then(state, { call: 'complete' })
    case 'cancelled':
      return show(at(state, 'signIn'))
    case 'completed':
      return show(at(state, 'authenticated'))
    case 'signedOut':
      return show(idle())
    case 'failed':
      return then(state, afterFailure(state, answer))
  }
}

/** A further call for the same screen, or the next screen. */
const then = (state: State, next: Effect | State): Next =>
  'call' in next ? { state, effect: next } : show(next)
