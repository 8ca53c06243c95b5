/** Calls to a Cognito user pool's API, with a time limit, and retried only where that can do no harm. */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import type { Pool } from '../pools/pools.server.ts'
import { clientSecretOf } from '../pools/pools.server.ts'
import { PoolConfigurationError, ProviderAwayError } from '../principal.ts'
import { CognitoRefusal, isMisconfigured, kindOf } from './errors.ts'

export type CognitoClient = {
  client_id: string
  client_secret: string | null
  /** The proof that every call naming a user needs when the client has a secret. */
  secretHash(username: string): { SECRET_HASH: string } | Record<string, never>
  /** `repeatable`: carrying it out twice does no more than once. */
  call<Result>(
    work: (sdk: CognitoIdentityProviderClient, options: { abortSignal: AbortSignal }) => Promise<Result>,
    how: 'repeatable' | 'once',
  ): Promise<Result>
}

const MAX_ATTEMPTS = 3
const FIRST_PAUSE_MS = 100
const PATIENCE_MS = 5000

export function createCognitoClient(pool: Pool): CognitoClient {
  const { client_id } = pool
  const secret = clientSecretOf(pool)
  const sdk = sdkOf(pool)
  return {
    client_id,
    client_secret: secret,
    secretHash(username) {
      if (secret === null) return {}
      return {
        SECRET_HASH: createHmac('sha256', secret)
          .update(username + client_id)
          .digest('base64'),
      }
    },
    async call(work, how) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work(sdk, { abortSignal: AbortSignal.timeout(PATIENCE_MS) })
        } catch (error) {
          const kind = kindOf(error)
          const mayRepeat = kind === 'throttled' || (kind === 'unknown' && how === 'repeatable')
          if (!mayRepeat || attempt === MAX_ATTEMPTS) throw translated(pool, error)
          await sleep(FIRST_PAUSE_MS * 2 ** attempt * Math.random())
        }
      }
    },
  }
}

function translated({ id }: Pool, error: unknown): Error {
  if (!(error instanceof Error) || kindOf(error) === 'unknown') return new ProviderAwayError(error)
  if (isMisconfigured(error)) return new PoolConfigurationError(id, `${error.name}: ${error.message}`)
  const name = kindOf(error) === 'throttled' ? 'TooManyRequestsException' : error.name
  return new CognitoRefusal(name, error.message)
}

const kept = new Map<string, CognitoIdentityProviderClient>()

/** One SDK client per endpoint, which keeps its connections. None of these calls is signed. */
function sdkOf({ issuer, settings }: Pool): CognitoIdentityProviderClient {
  const region = regionOf(issuer)
  const endpoint = settings.api_endpoint
  const key = `${region} ${endpoint ?? ''}`
  const known = kept.get(key)
  if (known) return known
  const made = new CognitoIdentityProviderClient({
    region,
    ...(endpoint ? { endpoint } : {}),
    // We retry ourselves: the library would also repeat calls that must not be repeated.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 2000, requestTimeout: PATIENCE_MS },
  })
  kept.set(key, made)
  return made
}

/** `https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab12` */
function regionOf(issuer: string): string {
  return /\/\/cognito-idp\.([\w-]+)\./.exec(issuer)?.[1] ?? /\/([\w-]+)_\w+$/.exec(issuer)?.[1] ?? 'us-east-1'
}
