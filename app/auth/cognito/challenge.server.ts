/** What a user pool asks for next, and what this browser has proved so far. */
import {
  AssociateSoftwareTokenCommand,
  type AuthenticationResultType,
  RespondToAuthChallengeCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { SignInStep } from '#app/domain/authenticator/events.ts'
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

export async function reach(client: CognitoClient, answer: Answer, before: Progress): Promise<Reached> {
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

/** Of two factors it chooses the app, which costs nothing and needs no network. */
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

/** Parses Cognito's list of names, such as `["userAttributes.name"]`. */
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
