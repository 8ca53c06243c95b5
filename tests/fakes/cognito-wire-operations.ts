/** The service's operations that sign people in, and their answers. */
import {
  isOfApp,
  Refusal,
  refused,
  requirePolicy,
  secretOf,
  sendCode,
  spendCode,
  type WirePeople,
  type WireUser,
} from './cognito-wire-people.ts'

export type Body = Record<string, unknown> & {
  ClientId?: string
  Username?: string
  Password?: string
  Session?: string
  ConfirmationCode?: string
  AccessToken?: string
  AuthParameters?: Record<string, string>
  ChallengeResponses?: Record<string, string>
  UserAttributes?: { Name: string; Value: string }[]
}
type Operations = Record<string, (body: Body) => object | Promise<object>>

/** Access and refresh tokens, with their owners. */
export type WireTokens = {
  issue(user: WireUser): Promise<object>
  ownerOf(token: unknown): string | undefined
  revoke(token: unknown): void
}

export const createOperations = (people: WirePeople, tokens: WireTokens): Operations => ({
  ...signingIn(people, tokens),
  ...signingUp(people),
  ...accounts(people, tokens),
})

function signingIn(people: WirePeople, tokens: WireTokens): Operations {
  function challenge(user: WireUser, ChallengeName: string, parameters: object = {}) {
    const Session = people.openSession(user, ChallengeName)
    return { ChallengeName, Session, ChallengeParameters: { USER_ID_FOR_SRP: user.sub, ...parameters } }
  }

  function afterPassword(user: WireUser) {
    switch (user.mfa) {
      case 'SMS_MFA': {
        const { Destination } = sendCode(user, 'SMS_MFA', 'phone_number').CodeDeliveryDetails
        const sent = { CODE_DELIVERY_DELIVERY_MEDIUM: 'SMS', CODE_DELIVERY_DESTINATION: Destination }
        return challenge(user, 'SMS_MFA', sent)
      }
      case 'SOFTWARE_TOKEN_MFA':
        return challenge(user, 'SOFTWARE_TOKEN_MFA')
      case 'SETUP':
        return challenge(user, 'MFA_SETUP', { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' })
      default:
        return tokens.issue(user)
    }
  }

  function authenticate({ USERNAME, PASSWORD }: Record<string, string>): WireUser {
    const user = people.find(USERNAME)
    if (!user) throw refused.password()
    if (user.failures >= 5) throw refused.attempts()
    user.failures += 1
    if (user.password !== PASSWORD) throw refused.password()
    user.failures = 0
    if (!user.enabled) throw refused.disabled()
    return user
  }

  function withPassword(said: Record<string, string>) {
    const user = authenticate(said)
    if (user.status === 'UNCONFIRMED') throw refused.unconfirmed()
    if (user.status === 'RESET_REQUIRED') throw refused.reset()
    if (user.status !== 'FORCE_CHANGE_PASSWORD') return afterPassword(user)
    const requiredAttributes = user.attributes.given_name ? '[]' : '["userAttributes.given_name"]'
    return challenge(user, 'NEW_PASSWORD_REQUIRED', { requiredAttributes, userAttributes: '{}' })
  }

  const answers: Record<string, (user: WireUser, said: Record<string, string>) => Promise<void> | void> = {
    NEW_PASSWORD_REQUIRED(user, { NEW_PASSWORD = '', ...said }) {
      requirePolicy(NEW_PASSWORD)
      for (const [name, value] of Object.entries(said))
        if (name.startsWith('userAttributes.')) user.attributes[name.slice(15)] = value
      Object.assign(user, { password: NEW_PASSWORD, status: 'CONFIRMED' })
    },
    SMS_MFA: (user, { SMS_MFA_CODE }) => spendCode(user, 'SMS_MFA', SMS_MFA_CODE),
    async SOFTWARE_TOKEN_MFA(user, { SOFTWARE_TOKEN_MFA_CODE }) {
      if (!(await isOfApp(user, SOFTWARE_TOKEN_MFA_CODE))) throw refused.appCode()
    },
  }

  return {
    InitiateAuth({ AuthFlow, AuthParameters = {}, Session }) {
      if (AuthFlow === 'USER_AUTH') return afterPassword(people.takeSession(Session, 'SIGNED_UP'))
      if (AuthFlow !== 'REFRESH_TOKEN_AUTH') return withPassword(AuthParameters)
      const user = people.find(tokens.ownerOf(AuthParameters.REFRESH_TOKEN))
      if (!user?.enabled) throw refused.token()
      return tokens.issue(user)
    },
    async RespondToAuthChallenge({ ChallengeName, Session, ChallengeResponses: said = {} }) {
      const name = String(ChallengeName)
      const user = people.takeSession(Session, name === 'MFA_SETUP' ? 'SET_UP' : name)
      if (said.USERNAME !== user.sub) throw refused.session()
      await answers[name]?.(user, said)
      return name === 'NEW_PASSWORD_REQUIRED' ? afterPassword(user) : tokens.issue(user)
    },
    AssociateSoftwareToken({ Session }) {
      const user = people.takeSession(Session, 'MFA_SETUP')
      return { SecretCode: secretOf(user), Session: people.openSession(user, 'MFA_SETUP') }
    },
    async VerifySoftwareToken({ Session, UserCode }) {
      const user = people.takeSession(Session, 'MFA_SETUP')
      if (!(await isOfApp(user, String(UserCode)))) throw refused.setUp()
      user.mfa = 'SOFTWARE_TOKEN_MFA'
      return { Status: 'SUCCESS', Session: people.openSession(user, 'SET_UP') }
    },
  }
}

function signingUp(people: WirePeople): Operations {
  return {
    SignUp({ Username = '', Password = '', UserAttributes = [] }) {
      if (people.users.has(Username)) throw refused.taken()
      requirePolicy(Password)
      const attributes = Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]))
      if (!attributes.email)
        throw new Refusal(
          'InvalidParameterException',
          'Attributes did not conform to the schema: email: The attribute is required',
        )
      const user = people.add(Username, { password: Password, status: 'UNCONFIRMED', attributes })
      const Session = people.openSession(user, 'SIGN_UP')
      return { UserConfirmed: false, UserSub: user.sub, Session, ...sendCode(user, 'SIGN_UP') }
    },
    ConfirmSignUp({ Username, ConfirmationCode, Session }) {
      const user = people.need(Username)
      if (user.status !== 'UNCONFIRMED') throw refused.confirmation()
      spendCode(user, 'SIGN_UP', ConfirmationCode)
      user.status = 'CONFIRMED'
      user.attributes.email_verified = 'true'
      return people.hasSession(Session) ? { Session: people.openSession(user, 'SIGNED_UP') } : {}
    },
    ResendConfirmationCode({ Username }) {
      const user = people.need(Username)
      if (user.status !== 'UNCONFIRMED') throw refused.confirmed()
      return sendCode(user, 'SIGN_UP')
    },
  }
}

function accounts(people: WirePeople, tokens: WireTokens): Operations {
  const owner = ({ AccessToken }: Body) => people.need(tokens.ownerOf(AccessToken))
  return {
    ForgotPassword({ Username }) {
      const user = people.need(Username)
      if (user.status === 'FORCE_CHANGE_PASSWORD') throw refused.unchosen()
      return sendCode(user, 'RESET')
    },
    ConfirmForgotPassword({ Username, ConfirmationCode, Password }) {
      const user = people.need(Username)
      requirePolicy(Password)
      spendCode(user, 'RESET', ConfirmationCode)
      Object.assign(user, { password: Password, status: 'CONFIRMED' })
      return {}
    },
    GetUser(body) {
      const { sub, attributes } = owner(body)
      const all = Object.entries({ sub, ...attributes })
      return { Username: sub, UserAttributes: all.map(([Name, Value]) => ({ Name, Value })) }
    },
    GetUserAttributeVerificationCode(body) {
      const name = body.AttributeName === 'phone_number' ? 'phone_number' : 'email'
      return sendCode(owner(body), name, name)
    },
    VerifyUserAttribute(body) {
      const user = owner(body)
      spendCode(user, String(body.AttributeName), String(body.Code))
      user.attributes[`${body.AttributeName}_verified`] = 'true'
      return {}
    },
    RevokeToken({ Token }) {
      tokens.revoke(Token)
      return {}
    },
  }
}
