/** The Cognito adapter against `cognito-local`; what that server lacks is skipped here, and replayed in cognito-wire. */
import { createHmac } from 'node:crypto'
import {
  AssociateSoftwareTokenCommand,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as account from '#app/auth/cognito/account.server.ts'
import { createCognitoClient } from '#app/auth/cognito/client.server.ts'
import { confirmSignIn, signIn } from '#app/auth/cognito/sign-in.server.ts'
import type { Pool } from '#app/auth/pools/pools.server.ts'
import { seal, setSecret } from '#app/auth/seal.server.ts'
import { PoolSettings } from '#app/domain/pools/settings.ts'
import { CODE, type CognitoLocal, GAPS, startCognitoLocal } from '#tests/fakes/cognito-local.ts'

const PASSWORD = 'correct horse 42 Battery!'
let cognito: CognitoLocal
let pool: Awaited<ReturnType<CognitoLocal['createPool']>>
let client: ReturnType<typeof createCognitoClient>

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  cognito = await startCognitoLocal()
  pool = await cognito.createPool()
  client = clientOf(pool)
})
afterAll(() => cognito.stop())

function clientOf(its: typeof pool) {
  const { id, issuer, client_id, client_secret } = its
  const sealed = client_secret && seal(client_secret, `pool:${id}`)
  const settings = PoolSettings.parse({ api_endpoint: cognito.endpoint })
  const row = { name: '', kind: 'cognito', login_mode: 'screens', is_default: false, created_on: new Date() }
  return createCognitoClient({
    ...row,
    id,
    issuer,
    client_id,
    client_secret_sealed: sealed,
    settings,
  } as Pool)
}
const refused = (name: string) => expect.objectContaining({ name })

describe('Signing in', () => {
  it('returns tokens of the person who signed in', async () => {
    const sub = await cognito.createUser(pool.id, 'adam@example.com', PASSWORD)
    const { step, progress } = await signIn(client, { username: 'adam@example.com', password: PASSWORD })
    expect(step).toEqual({ step: 'DONE' })
    const { tokens } = progress
    expect(decodeJwt(tokens?.id_token ?? '')).toMatchObject({ sub, iss: pool.issuer, aud: pool.client_id })
    expect(decodeJwt(tokens?.access_token ?? '')).toMatchObject({ token_use: 'access' })
    expect(tokens?.refresh_token).toBeTruthy()
  })

  it('keeps leading spaces of a password', async () => {
    const password = `  ${'x'.repeat(122)}Aa1!`
    await cognito.createUser(pool.id, 'spaces@example.com', password)
    const wrong = signIn(client, { username: 'spaces@example.com', password: password.trim() })
    await expect(wrong).rejects.toThrow()
    const right = await signIn(client, { username: 'spaces@example.com', password })
    expect(right.step.step).toBe('DONE')
  })

  it('is refused for an unknown person, under Cognito’s error name', async () => {
    const asked = signIn(client, { username: 'nobody@example.com', password: PASSWORD })
    await expect(asked).rejects.toEqual(refused('NotAuthorizedException'))
  })

  it('asks an invited person to choose a password', async () => {
    await cognito.createUser(pool.id, 'ivan@example.com')
    const asked = await signIn(client, { username: 'ivan@example.com', password: 'Temporary-1' })
    expect(asked.step).toEqual({ step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED', missing_attributes: [] })
    const done = await confirmSignIn(client, asked.progress, { challenge_response: PASSWORD })
    expect(done.step).toEqual({ step: 'DONE' })
    expect((await signIn(client, { username: 'ivan@example.com', password: PASSWORD })).step.step).toBe(
      'DONE',
    )
  })

  it('computes the secret hash from client secret, username and client id', () => {
    const proof = createHmac('sha256', pool.client_secret ?? '')
      .update(`adam${pool.client_id}`)
      .digest('base64')
    expect(pool.client_secret).toBeTruthy()
    expect(client.secretHash('adam')).toEqual({ SECRET_HASH: proof })
  })

  it('reports an unknown client as a configuration error', async () => {
    const other = clientOf({ ...pool, client_id: 'nobody' })
    const asked = signIn(other, { username: 'adam@example.com', password: PASSWORD })
    await expect(asked).rejects.toEqual(refused('PoolConfigurationError'))
  })

  it('refuses a confirmation without a pending step', async () => {
    const answered = confirmSignIn(client, {}, { challenge_response: CODE })
    await expect(answered).rejects.toEqual(refused('NotAuthorizedException'))
  })
})

describe('Signing up', () => {
  const eva = {
    username: 'eva@example.com',
    password: PASSWORD,
    user_attributes: { email: 'eva@example.com' },
  }

  it('sends a code, and rejects a wrong one', async () => {
    const { step, progress } = await account.signUp(client, eva)
    expect(step).toMatchObject({
      step: 'CONFIRM_SIGN_UP',
      delivery: { medium: 'EMAIL', attribute_name: 'email' },
    })
    expect((await signIn(client, eva)).step).toEqual({ step: 'CONFIRM_SIGN_UP' })
    const wrong = account.confirmSignUp(client, progress, { ...eva, confirmation_code: '000000' })
    await expect(wrong).rejects.toEqual(refused('CodeMismatchException'))
    const right = await account.confirmSignUp(client, progress, { ...eva, confirmation_code: CODE })
    expect(right.step).toBe('DONE')
    expect((await signIn(client, eva)).step.step).toBe('DONE')
  })

  it('is refused for a username that is taken', async () => {
    await expect(account.signUp(client, eva)).rejects.toEqual(refused('UsernameExistsException'))
  })
})

describe('A person with an account', () => {
  const known = async (email: string) => {
    await cognito.createUser(pool.id, email, PASSWORD)
    return (await signIn(client, { username: email, password: PASSWORD })).progress
  }

  it('resets a forgotten password with a code', async () => {
    await known('fay@example.com')
    const username = 'fay@example.com'
    expect(await account.resetPassword(client, { username })).toMatchObject({ medium: 'EMAIL' })
    const reset = (confirmation_code: string) =>
      account.confirmResetPassword(client, { username, confirmation_code, new_password: `${PASSWORD}2` })
    await expect(reset('000000')).rejects.toEqual(refused('CodeMismatchException'))
    await reset(CODE)
    expect((await signIn(client, { username, password: `${PASSWORD}2` })).step.step).toBe('DONE')
  })

  it('can read their attributes, and verify their e-mail address with a code', async () => {
    const progress = await known('gus@example.com')
    expect(await account.fetchUserAttributes(client, progress)).toMatchObject({ email: 'gus@example.com' })
    await account.sendVerificationCode(client, progress, 'email')
    const confirm = (confirmation_code: string) =>
      account.confirmAttribute(client, progress, { key: 'email', confirmation_code })
    await expect(confirm('000000')).rejects.toEqual(refused('CodeMismatchException'))
    await confirm(CODE)
  })

  it('gets fresh tokens until they sign out', async () => {
    const { tokens } = await known('hal@example.com')
    if (!tokens?.refresh_token || !tokens.id_token) throw new Error('There are no tokens')
    const asking = { refresh_token: tokens.refresh_token, user_id: String(decodeJwt(tokens.id_token).sub) }
    const fresh = await account.refresh(client, asking)
    expect(decodeJwt(fresh.access_token).sub).toBe(asking.user_id)
    expect(fresh.refresh_token).toBe(tokens.refresh_token)
    await account.signOut(client, tokens.refresh_token)
    await expect(account.refresh(client, asking)).rejects.toEqual(refused('NotAuthorizedException'))
  })
})

describe('A second factor', () => {
  it('is requested after the password: the code of an app, and a wrong one is rejected', async () => {
    const its = await cognito.createPool({ MfaConfiguration: 'OPTIONAL' })
    const there = clientOf(its)
    const who = { username: 'tia@example.com', password: PASSWORD }
    await cognito.createUser(its.id, who.username, PASSWORD)
    const { tokens } = (await signIn(there, who)).progress
    const AccessToken = tokens?.access_token
    const { SecretCode = '' } = await cognito.admin.send(new AssociateSoftwareTokenCommand({ AccessToken }))
    const UserCode = totp(SecretCode)
    await cognito.admin.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode }))
    const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true }
    await cognito.admin.send(new SetUserMFAPreferenceCommand({ AccessToken, SoftwareTokenMfaSettings }))

    const { step, progress } = await signIn(there, who)
    expect(step).toEqual({ step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' })
    const answer = (challenge_response: string) => confirmSignIn(there, progress, { challenge_response })
    await expect(answer('000000')).rejects.toEqual(refused('CodeMismatchException'))
    expect((await answer(totp(SecretCode))).step).toEqual({ step: 'DONE' })
  })
})

/** Computes the code of an authenticator app (RFC 6238). */
function totp(secret: string): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
  const binary = bits.map((five) => five.toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((binary.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', key).update(step).digest()
  const at = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

describe('What cognito-local lacks', () => {
  for (const gap of Object.values(GAPS)) it.skip(gap, () => {})
})
