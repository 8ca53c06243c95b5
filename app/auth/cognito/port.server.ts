/** The sign-in screens' way to a Cognito user pool, for one request: `IdentityPort` over its API. */
import { setTimeout as sleep } from 'node:timers/promises'
import { findCompany, findJoined } from '#app/domain/pools/companies.server.ts'
import type { Database } from '#app/domain/scope.server.ts'
import type { IdentityPort } from '../identity-port.ts'
import { INTERACTION_EXPIRED } from '../identity-port.ts'
import * as account from './account.server.ts'
import { entranceOf, findOnScreens, keepProgress, keepScreen, type OnScreens } from './attempts.server.ts'
import { type CognitoClient, createCognitoClient } from './client.server.ts'
import { CognitoRefusal } from './errors.ts'
import type { Progress } from './progress.ts'
import { confirmSignIn, type Reached, signIn, signInWithSession } from './sign-in.server.ts'

/** What an authenticator app calls the account, as the specification's default has it. */
const ISSUER = 'AWSCognito'
const MOMENT_MS = 300

/** Null when this browser is in the middle of no sign-in at such a pool. */
export async function createCognitoPort(request: Request, database: Database): Promise<IdentityPort | null> {
  if (!(await findOnScreens(request, database))) return null

  async function require(): Promise<OnScreens & { client: CognitoClient }> {
    const found = await findOnScreens(request, database)
    if (!found) throw new CognitoRefusal(INTERACTION_EXPIRED, 'The sign-in has ended.')
    return { ...found, client: createCognitoClient(found.pool) }
  }
  async function reached(found: OnScreens, { step, progress }: Reached) {
    await keepProgress(database, found, progress)
    return step
  }

  /** The name is taken by this very browser: of a form sent twice, the other one may just have been answered. */
  async function sentTwice(error: unknown, username: string) {
    if (!(error instanceof CognitoRefusal) || error.name !== 'UsernameExistsException') throw error
    await sleep(MOMENT_MS)
    const { progress } = await require()
    if (!progress.signed_up || progress.username !== username) throw error
    return { step: { step: 'CONFIRM_SIGN_UP', delivery: progress.signed_up } as const, progress }
  }

  return {
    async current() {
      const found = await findOnScreens(request, database)
      if (!found) return null
      const { row, pool, rules, progress } = found
      return {
        pool_id: pool.id,
        saved: row.screen,
        username: row.login_hint ?? '',
        entrance: entranceOf(found),
        screens: {
          initial_screen: rules.initial_screen,
          sign_up: rules.sign_up !== null,
          joins: (await findJoined(database, [pool])).get(pool.id) ?? null,
          required_attributes: rules.required_attributes,
          social_providers: pool.settings.social_providers,
        },
        resends_texts: false,
        company: await findCompany(database, pool, row.login_hint ?? ''),
        password_policy: rules.password_policy,
        totp: totpOf(progress),
      }
    },
    save: async (state) => keepScreen(database, await require(), state),

    async signIn(input) {
      const found = await require()
      return reached(found, await signIn(found.client, input))
    },
    /** Such a pool's own mails invite its people. */
    async openInvitation() {
      throw new CognitoRefusal('NotAuthorizedException', 'Sign in with the password from your invitation.')
    },
    async confirmSignIn(input) {
      const found = await require()
      return reached(found, await confirmSignIn(found.client, found.progress, input))
    },
    async resendSignInCode() {
      throw new CognitoRefusal('UnsupportedUserStateException', 'Please sign in again for another code.')
    },
    async autoSignIn() {
      const found = await require()
      return reached(found, await signInWithSession(found.client, found.progress))
    },
    async signUp(input) {
      const found = await require()
      // Its own screens ask for the address as the name: a pool may want to read it as an attribute as well.
      const user_attributes = { ...input.user_attributes, email: input.username }
      const { step, progress } = await account
        .signUp(found.client, { ...input, user_attributes })
        .catch((error) => sentTwice(error, input.username))
      await keepProgress(database, found, progress)
      return step
    },
    async confirmSignUp(input) {
      const found = await require()
      const { step, progress } = await account.confirmSignUp(found.client, found.progress, input)
      await keepProgress(database, found, progress)
      return { step }
    },
    resendSignUpCode: async (input) => account.resendSignUpCode((await require()).client, input),
    resetPassword: async (input) => account.resetPassword((await require()).client, input),
    confirmResetPassword: async (input) => account.confirmResetPassword((await require()).client, input),
    async fetchUserAttributes() {
      const { client, progress } = await require()
      return account.fetchUserAttributes(client, progress)
    },
    async sendUserAttributeVerificationCode({ key }) {
      const { client, progress } = await require()
      return account.sendVerificationCode(client, progress, key)
    },
    async confirmUserAttribute(input) {
      const { client, progress } = await require()
      await account.confirmAttribute(client, progress, input)
    },

    async cancel() {
      const found = await require()
      await keepProgress(database, found, {})
      await keepScreen(database, found, null)
    },
    /** The tokens wait, sealed, with the attempt: the callback takes them as it takes a code's. */
    async complete() {
      const { row, progress } = await require()
      if (!progress.tokens) throw new CognitoRefusal('NotAuthorizedException', 'Nobody has signed in yet.')
      return { redirect_to: `/auth/callback?${new URLSearchParams({ state: row.state, code: 'screens' })}` }
    },
  }
}

function totpOf({ totp_secret, username = '' }: Progress) {
  if (!totp_secret) return null
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(username)}`
  const search = new URLSearchParams({ secret: totp_secret, issuer: ISSUER })
  return { secret: totp_secret, uri: `otpauth://totp/${label}?${search}` }
}
