/** The states of a sign-in in the authenticator, and what each carries. None of it is secret. */

export const ROUTES = [
  'setup',
  'idle',
  'transition',
  'signIn',
  'signUp',
  'confirmSignUp',
  'confirmSignIn',
  'setupTotp',
  'forceNewPassword',
  'forgotPassword',
  'confirmResetPassword',
  'verifyUser',
  'confirmVerifyUser',
  'authenticated',
  'signOut',
] as const
export type Route = (typeof ROUTES)[number]

/** The screens that people can choose freely, and that a configuration can start with. */
export const ENTRANCES = ['signIn', 'signUp', 'forgotPassword'] as const
export type Entrance = (typeof ENTRANCES)[number]

export const isEntrance = (route: string): route is Entrance =>
  (ENTRANCES as readonly string[]).includes(route)

export type CodeDelivery = {
  destination: string | null
  medium: 'EMAIL' | 'SMS' | null
  attribute_name: string | null
}

export type Contact = 'email' | 'phone_number'

export type State = {
  route: Route
  from: Route | null
  username: string
  challenge: 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | null
  delivery: CodeDelivery | null
  /** The attributes that the provider requires besides a new password. */
  missing_attributes: string[]
  /** Came by the link of an invitation, without knowing a password. */
  is_invited: boolean
  unverified: Partial<Record<Contact, string>>
  attribute: Contact | null
  /** When the page began to wait for the sign-in, in milliseconds. */
  waiting_since: number | null
  notice: string | null
  /** A forgotten password was just changed: a repeated submit of its form is accepted. */
  has_reset: boolean
  /** A code on its way whose screen was left, by Back or a link: it can be returned to. */
  pending_code: PendingCode | null
}

export const CODE_ROUTES = ['confirmSignUp', 'confirmResetPassword'] as const
export type CodeRoute = (typeof CODE_ROUTES)[number]
export type PendingCode = { route: CodeRoute; username: string; delivery: CodeDelivery | null }

/** Screens that can be opened from here without losing anything: the entrances, and the screen of a pending code. */
export const isOpen = (state: State, route: string): route is Entrance | CodeRoute =>
  isEntrance(route) || state.pending_code?.route === route

export function idle(username = ''): State {
  return {
    route: 'idle',
    from: null,
    username,
    challenge: null,
    delivery: null,
    missing_attributes: [],
    is_invited: false,
    unverified: {},
    attribute: null,
    waiting_since: null,
    notice: null,
    has_reset: false,
    pending_code: null,
  }
}

export const at = (state: State, route: Route, more: Partial<State> = {}): State => ({
  ...idle(state.username),
  route,
  ...more,
})

/**
 * The state for a repeated submit of the form of a forgotten password, as by a double press; null for any other form.
 */
export const sentAgain = (state: State, route: string): State | null =>
  state.has_reset && route === 'confirmResetPassword' ? at(state, route, { has_reset: true }) : null

/** A stored state; `idle` if there is none. */
export function restore(saved: unknown, username: string): State {
  const kept = saved as Partial<State> | null | undefined
  const isKept = ROUTES.some((route) => route === kept?.route)
  return isKept ? { ...idle(username), ...kept } : idle(username)
}

export type ScreenSettings = {
  initial_screen: Entrance
  sign_up: boolean
  joins: string | null
  required_attributes: string[]
  social_providers: string[]
}
