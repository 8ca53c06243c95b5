/** Signing in over a user pool's API: a password, and whatever it asks for after that. */
import {
  AssociateSoftwareTokenCommand,
  type AuthenticationResultType,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { SignInStep, UserAttributes } from '#app/domain/authenticator/events.ts'
import type { CognitoClient } from './client.server.ts'
import { CognitoRefusal } from './errors.ts'
import type { CognitoTokens, Progress } from './progress.ts'

export type Reached = { step: SignInStep; progress: Progress }

type Answer = {
  ChallengeName?: string | undefined
  ChallengeParameters?: Record<string, string> | undefined
  Session?: string | undefined
  AuthenticationResult?: AuthenticationResultType | undefined
}

export async function signIn(
  client: CognitoClient,
  { username, password }: { username: string; password: string },
): Promise<Reached> {
  const AuthParameters = { USERNAME: username, PASSWORD: password, ...client.secretHash(username) }
  const command = new InitiateAuthCommand({
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId: client.client_id,
    AuthParameters,
  })
  try {
    const answer = await client.call((sdk, options) => sdk.send(command, options), 'repeatable')
    return await reach(client, answer, { username })
  } catch (error) {
    // Not refusals but ways on, as the specification's outcomes have them.
    if (!(error instanceof CognitoRefusal)) throw error
    if (error.name === 'UserNotConfirmedException')
      return { step: { step: 'CONFIRM_SIGN_UP' }, progress: { username } }
    if (error.name === 'PasswordResetRequiredException')
      return { step: { step: 'RESET_PASSWORD' }, progress: { username } }
    if (isWrongPassword(error))
      throw new CognitoRefusal('NotAuthorizedException', 'Incorrect username or password.')
    throw error
  }
}

/** Servers that speak the service's language have words of their own for it, and others for an unknown name. */
const isWrongPassword = ({ name, message }: CognitoRefusal): boolean =>
  name === 'InvalidPasswordException' ||
  (name === 'NotAuthorizedException' && message === 'User not authorized')

/** With the session that confirming a sign-up gave, in place of the password. */
export async function signInWithSession(client: CognitoClient, progress: Progress): Promise<Reached> {
  const { username = '', session } = progress
  if (progress.challenge !== 'SIGNED_UP' || !session) throw expired()
  const command = new InitiateAuthCommand({
    AuthFlow: 'USER_AUTH',
    ClientId: client.client_id,
    AuthParameters: { USERNAME: username, ...client.secretHash(username) },
    Session: session,
  })
  const answer = await client.call((sdk, options) => sdk.send(command, options), 'once')
  return reach(client, answer, { username })
}

export async function confirmSignIn(
  client: CognitoClient,
  progress: Progress,
  input: { challenge_response: string; user_attributes?: UserAttributes },
): Promise<Reached> {
  switch (progress.challenge) {
    case 'NEW_PASSWORD_REQUIRED': {
      const attributes = Object.entries(input.user_attributes ?? {})
      const named = attributes.map(([name, value]) => [`userAttributes.${name}`, value])
      const responses = { NEW_PASSWORD: input.challenge_response, ...Object.fromEntries(named) }
      return respond(client, progress, responses)
    }
    case 'SMS_MFA':
    case 'EMAIL_OTP':
    case 'SOFTWARE_TOKEN_MFA':
      return respond(client, progress, { [`${progress.challenge}_CODE`]: input.challenge_response })
    case 'MFA_SETUP':
      return setUp(client, progress, input.challenge_response)
    default:
      throw expired()
  }
}

async function setUp(client: CognitoClient, progress: Progress, code: string): Promise<Reached> {
  const command = new VerifySoftwareTokenCommand({ Session: progress.session, UserCode: code })
  const { Session, Status } = await client.call((sdk, options) => sdk.send(command, options), 'once')
  if (Status !== 'SUCCESS') throw new CognitoRefusal('EnableSoftwareTokenMFAException', 'Code mismatch')
  return respond(client, { ...progress, session: Session ?? progress.session }, {})
}

async function respond(
  client: CognitoClient,
  progress: Progress,
  responses: Record<string, string>,
): Promise<Reached> {
  const name = progress.user_id ?? progress.username ?? ''
  const command = new RespondToAuthChallengeCommand({
    ClientId: client.client_id,
    ChallengeName: progress.challenge as 'SMS_MFA',
    Session: progress.session,
    ChallengeResponses: { USERNAME: name, ...client.secretHash(name), ...responses },
  })
  const answer = await client.call((sdk, options) => sdk.send(command, options), 'once')
  return reach(client, answer, { ...progress, session: undefined, challenge: undefined })
}

async function reach(client: CognitoClient, answer: Answer, before: Progress): Promise<Reached> {
  const { AuthenticationResult, ChallengeParameters: asked = {}, Session } = answer
  if (AuthenticationResult)
    return {
      step: { step: 'DONE' },
      progress: { username: before.username, tokens: tokensOf(AuthenticationResult) },
    }

  const user_id = asked.USER_ID_FOR_SRP ?? before.user_id
  const progress: Progress = { username: before.username, user_id, session: Session }
  switch (answer.ChallengeName) {
    case 'NEW_PASSWORD_REQUIRED': {
      const missing_attributes = namesIn(asked.requiredAttributes)
      const step = { step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED', missing_attributes } as const
      return { step, progress: { ...progress, challenge: 'NEW_PASSWORD_REQUIRED' } }
    }
    case 'SMS_MFA':
    case 'EMAIL_OTP': {
      const step = { step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE', delivery: deliveryOf(asked) } as const
      return { step, progress: { ...progress, challenge: answer.ChallengeName } }
    }
    case 'SOFTWARE_TOKEN_MFA':
      return {
        step: { step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' },
        progress: { ...progress, challenge: 'SOFTWARE_TOKEN_MFA' },
      }
    case 'SELECT_MFA_TYPE':
      return select(client, progress, asked.MFAS_CAN_CHOOSE)
    case 'MFA_SETUP':
      return beginSetUp(client, progress, asked.MFAS_CAN_SETUP)
    default:
      throw new CognitoRefusal(
        'UnsupportedUserStateException',
        `Sign-in asks for ${answer.ChallengeName}, which these screens do not know.`,
      )
  }
}

/** Of two factors, the app: it costs nothing and needs no network. */
async function select(client: CognitoClient, progress: Progress, can: string | undefined): Promise<Reached> {
  const factors = namesIn(can)
  const ANSWER = factors.find((name) => name === 'SOFTWARE_TOKEN_MFA') ?? factors[0] ?? 'SMS_MFA'
  const name = progress.user_id ?? progress.username ?? ''
  const command = new RespondToAuthChallengeCommand({
    ClientId: client.client_id,
    ChallengeName: 'SELECT_MFA_TYPE',
    Session: progress.session,
    ChallengeResponses: { USERNAME: name, ANSWER, ...client.secretHash(name) },
  })
  return reach(client, await client.call((sdk, options) => sdk.send(command, options), 'once'), progress)
}

async function beginSetUp(
  client: CognitoClient,
  progress: Progress,
  can: string | undefined,
): Promise<Reached> {
  if (!namesIn(can).includes('SOFTWARE_TOKEN_MFA'))
    throw new CognitoRefusal('UnsupportedUserStateException', 'No second factor can be set up here.')
  const command = new AssociateSoftwareTokenCommand({ Session: progress.session })
  const { SecretCode, Session } = await client.call((sdk, options) => sdk.send(command, options), 'once')
  return {
    step: { step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' },
    progress: {
      ...progress,
      challenge: 'MFA_SETUP',
      session: Session ?? progress.session,
      totp_secret: SecretCode,
    },
  }
}

/** `["userAttributes.name"]` */
function namesIn(list: string | undefined): string[] {
  try {
    const names: unknown = JSON.parse(list ?? '[]')
    return Array.isArray(names) ? names.map((name) => String(name).replace(/^userAttributes\./, '')) : []
  } catch {
    return []
  }
}

function deliveryOf(asked: Record<string, string>) {
  const medium = asked.CODE_DELIVERY_DELIVERY_MEDIUM === 'EMAIL' ? 'EMAIL' : 'SMS'
  return {
    destination: asked.CODE_DELIVERY_DESTINATION ?? null,
    medium,
    attribute_name: medium === 'EMAIL' ? 'email' : 'phone_number',
  } as const
}

export function tokensOf(result: AuthenticationResultType): CognitoTokens {
  return {
    access_token: result.AccessToken ?? '',
    id_token: result.IdToken ?? null,
    refresh_token: result.RefreshToken ?? null,
    expires_in: result.ExpiresIn ?? 3600,
  }
}

export const expired = () =>
  new CognitoRefusal('NotAuthorizedException', 'Invalid session for the user, session is expired.')
