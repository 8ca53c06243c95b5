/** A foreign Cognito server, `cognito-local` of the npm registry, in a separate process and folder. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  CreateUserPoolCommand,
  type CreateUserPoolCommandInput,
} from '@aws-sdk/client-cognito-identity-provider'
import { freePort } from '#tests/support/process.ts'

/** The code in every message it sends. */
export const CODE = '123456'

/**
 * Where it differs from the service, found in its sources of version 5.3. For these the wire formats of the service
 * itself are replayed instead (tests/api/sign-in/cognito-wire.test.ts).
 */
export const GAPS = {
  temporaryPassword: 'any password opens an account that has to choose one',
  passwordPolicy: 'no password policy is enforced',
  disabledUser: 'a disabled user signs in',
  resendCode: 'ResendConfirmationCode is not there',
  mfaSetup: 'MFA_SETUP by session is not there',
  limits: 'nothing is limited',
  verificationDelivery: 'GetUserAttributeVerificationCode does not say where the code went',
  nonce: 'the ID token of its hosted pages carries no nonce, so nobody is let in by it',
  globalSignOut: 'GlobalSignOut is not there',
  autoSignIn: 'confirming a sign-up gives no session',
  requireReset: 'AdminResetUserPassword is not there',
  spentCode: 'a code that was used is one that never was right',
  sms: 'nobody can be given a second factor by text',
} as const

export type CognitoLocal = Awaited<ReturnType<typeof startCognitoLocal>>

export async function startCognitoLocal() {
  const folder = mkdtempSync(join(tmpdir(), 'liftwell-cognito-'))
  const port = await freePort()
  const endpoint = `http://localhost:${port}`
  const script = createRequire(import.meta.url).resolve('cognito-local/lib/bin/start.js')
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), HOST: 'localhost', CODE },
    stdio: 'ignore',
  })
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${endpoint}/health`).catch(() => null)
    if (answer?.ok) break
    if (tries > 300 || child.exitCode !== null) throw new Error('cognito-local does not start')
    await sleep(50)
  }
  const admin = new CognitoIdentityProviderClient({
    region: 'local',
    endpoint,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })

  return {
    endpoint,
    admin,
    /** Creates a pool with one client; returns the fields of our row of pools. */
    async createPool(settings: Partial<CreateUserPoolCommandInput> = {}, GenerateSecret = true) {
      const { UserPool } = await admin.send(
        new CreateUserPoolCommand({ PoolName: 'test', AutoVerifiedAttributes: ['email'], ...settings }),
      )
      const { UserPoolClient } = await admin.send(
        new CreateUserPoolClientCommand({
          UserPoolId: UserPool?.Id,
          ClientName: 'liftwell',
          GenerateSecret,
          CallbackURLs: ['http://localhost:3000/auth/callback'],
          LogoutURLs: ['http://localhost:3000/login'],
          AllowedOAuthFlows: ['code'],
          AllowedOAuthScopes: ['openid', 'email', 'profile'],
          AllowedOAuthFlowsUserPoolClient: true,
        }),
      )
      return {
        id: UserPool?.Id ?? '',
        issuer: `${endpoint}/${UserPool?.Id}`,
        client_id: UserPoolClient?.ClientId ?? '',
        client_secret: UserPoolClient?.ClientSecret ?? null,
      }
    },
    async createUser(UserPoolId: string, email: string, Password?: string, Permanent = true) {
      const { User } = await admin.send(
        new AdminCreateUserCommand({
          UserPoolId,
          Username: email,
          TemporaryPassword: 'Temporary-1',
          MessageAction: 'SUPPRESS',
          UserAttributes: [
            { Name: 'email', Value: email },
            { Name: 'email_verified', Value: 'true' },
          ],
        }),
      )
      if (Password)
        await admin.send(
          new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password, Permanent }),
        )
      return User?.Attributes?.find(({ Name }) => Name === 'sub')?.Value ?? ''
    },
    /** Everything that it stores about a pool. */
    stored: (UserPoolId: string): string =>
      readFileSync(join(folder, '.cognito/db', `${UserPoolId}.json`), 'utf8'),
    async stop() {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill()
      await ended
      admin.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
