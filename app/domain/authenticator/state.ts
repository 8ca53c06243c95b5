/** Where a sign-in is: the states of the authenticator, and what each carries. No secret is among it. */

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

/** Those a person chooses freely, and a configuration may begin with. */
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
  /** What the provider wants to know besides a new password. */
  missing_attributes: string[]
  /** Came by the link of an invitation, and knows no password. */
  is_invited: boolean
  unverified: Partial<Record<Contact, string>>
  attribute: Contact | null
  /** Since when the page waits to be signed in, in milliseconds. */
  waiting_since: number | null
  notice: string | null
  /** A forgotten password was just changed: its form may be sent once more. */
  has_reset: boolean
  /** A code on its way whose screen was left, by Back or a link: it can be returned to. */
  pending_code: PendingCode | null
}

export const CODE_ROUTES = ['confirmSignUp', 'confirmResetPassword'] as const
export type CodeRoute = (typeof CODE_ROUTES)[number]
export type PendingCode = { route: CodeRoute; username: string; delivery: CodeDelivery | null }

/** Where one may go from here without losing anything: the entrances, and the screen of a code on its way. */
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

/** Where the form of a forgotten password is sent once more, as by a double press; null for all else. */
export const sentAgain = (state: State, route: string): State | null =>
  state.has_reset && route === 'confirmResetPassword' ? at(state, route, { has_reset: true }) : null

/** A state as it was kept; `idle` where there is none. */
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
