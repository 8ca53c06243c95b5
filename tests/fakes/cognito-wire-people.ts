/** The users of one of the service's user pools, the codes sent to them, and its refusals, in its own words. */
import { generateSecret, verify } from 'otplib'
import { CODE } from './cognito-local.ts'

export type WireUser = {
  sub: string
  password: string
  status: 'UNCONFIRMED' | 'CONFIRMED' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED'
  enabled: boolean
  attributes: Record<string, string>
  /** `SETUP`: the pool requires an authenticator app, and the user has none yet. */
  mfa: 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | 'SETUP' | null
  secret: string
  failures: number
  /** The latest code for each purpose; used ones are removed. */
  codes: Map<string, string>
}

export class Refusal extends Error {
  constructor(type: string, message: string) {
    super(message)
    this.name = type
  }
}
const refusal = (type: string, message: string) => () => new Refusal(type, message)

export const refused = {
  password: refusal('NotAuthorizedException', 'Incorrect username or password.'),
  attempts: refusal('NotAuthorizedException', 'Password attempts exceeded'),
  disabled: refusal('NotAuthorizedException', 'User is disabled.'),
  session: refusal('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
  token: refusal('NotAuthorizedException', 'Invalid Refresh Token'),
  confirmation: refusal('NotAuthorizedException', 'User cannot be confirmed. Current status is CONFIRMED'),
  unknown: refusal('UserNotFoundException', 'User does not exist.'),
  taken: refusal('UsernameExistsException', 'User already exists'),
  unconfirmed: refusal('UserNotConfirmedException', 'User is not confirmed.'),
  confirmed: refusal('InvalidParameterException', 'User is already confirmed.'),
  unchosen: refusal('NotAuthorizedException', 'User password cannot be reset in the current state.'),
  reset: refusal('PasswordResetRequiredException', 'Password reset required for the user'),
  weak: refusal('InvalidPasswordException', 'Password did not conform with policy: Password not long enough'),
  code: refusal('CodeMismatchException', 'Invalid verification code provided, please try again.'),
  textCode: refusal('CodeMismatchException', 'Invalid code or auth state for the user.'),
  appCode: refusal('CodeMismatchException', 'Invalid code received for user'),
  setUp: refusal('EnableSoftwareTokenMFAException', 'Code mismatch'),
  spent: refusal('ExpiredCodeException', 'Invalid code provided, please request a code again.'),
  limit: refusal('LimitExceededException', 'Attempt limit exceeded, please try after some time.'),
}

export type WirePeople = ReturnType<typeof createPeople>

export function createPeople() {
  const users = new Map<string, WireUser>()
  const sessions = new Map<string, { username: string; step: string }>()

  /** By the name that people type, or by the pool's own name. */
  const find = (username = '') =>
    users.get(username) ?? [...users.values()].find(({ sub }) => sub === username) ?? null
  const nameOf = (user: WireUser) => [...users].find(([, one]) => one === user)?.[0] ?? ''

  function need(username?: string): WireUser {
    const user = find(username)
    if (!user) throw refused.unknown()
    return user
  }

  return {
    users,
    find,
    need,
    nameOf,
    openSession(user: WireUser, step: string): string {
      const id = `session-${crypto.randomUUID()}`
      sessions.set(id, { username: nameOf(user), step })
      return id
    },
    takeSession(id: string | undefined, step: string): WireUser {
      const session = sessions.get(id ?? '')
      if (session?.step !== step) throw refused.session()
      return need(session.username)
    },
    hasSession: (id = '') => sessions.has(id),
    add(username: string, more: Partial<WireUser>): WireUser {
      const unusual = { password: '', status: 'CONFIRMED', enabled: true, mfa: null, ...more } as const
      const rest = { sub: crypto.randomUUID(), attributes: {}, secret: '', failures: 0, codes: new Map() }
      const user: WireUser = { ...rest, ...unusual }
      users.set(username, user)
      return user
    },
  }
}

/** Returns the masked destination, as the service writes it. */
export function sendCode(user: WireUser, purpose: string, AttributeName: 'email' | 'phone_number' = 'email') {
  user.codes.set(purpose, CODE)
  const to = user.attributes[AttributeName] ?? ''
  const isMail = AttributeName === 'email'
  const Destination = isMail ? to.replace(/^(.)[^@]*@(.).*$/, '$1***@$2***') : `+*******${to.slice(-4)}`
  return { CodeDeliveryDetails: { AttributeName, DeliveryMedium: isMail ? 'EMAIL' : 'SMS', Destination } }
}

export function spendCode(user: WireUser, purpose: string, code: string | undefined): void {
  if (user.failures >= 5) throw refused.limit()
  const sent = user.codes.get(purpose)
  if (sent === undefined) throw refused.spent()
  user.failures += 1
  if (sent !== code) throw purpose === 'SMS_MFA' ? refused.textCode() : refused.code()
  user.failures = 0
  user.codes.delete(purpose)
}

export function requirePolicy(password = ''): void {
  if (password.length < 8) throw refused.weak()
}

/** Stays the same until an app has proved that it knows it. */
export function secretOf(user: WireUser): string {
  user.secret ||= generateSecret()
  return user.secret
}

/** Accepts an app whose clock is half a minute off. */
export const isOfApp = async ({ secret }: WireUser, token = '') =>
  /^\d{6}$/.test(token) && (await verify({ secret, token, epochTolerance: 30 })).valid
