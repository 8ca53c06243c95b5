/** Signing in over a user pool's API: a password, and every challenge after it. */
import {
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { UserAttributes } from '#app/domain/authenticator/events.ts'
import { type Reached, reach } from './challenge.server.ts'
import type { CognitoClient } from './client.server.ts'
import { CognitoRefusal, expired } from './errors.ts'
import type { Progress } from './progress.ts'

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
    // Some refusals lead to a next step, as the specification lists them.
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

/** Other servers with Cognito's API use errors of their own for a wrong password and for an unknown name. */
const isWrongPassword = ({ name, message }: CognitoRefusal): boolean =>
  name === 'InvalidPasswordException' ||
  (name === 'NotAuthorizedException' && message === 'User not authorized')

/** Signs in with the session that a confirmed sign-up returned, instead of the password. */
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
