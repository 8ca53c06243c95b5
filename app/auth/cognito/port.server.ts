/** The sign-in screens' access to a Cognito user pool, for one request: an `IdentityPort` over its API. */
import { findCompany, findJoined } from '#app/domain/pools/companies.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import type { IdentityPort } from '../identity-port.ts'
import { INTERACTION_EXPIRED } from '../identity-port.ts'
import * as account from './account.server.ts'
import { entranceOf, findOnScreens, keepProgress, keepScreen, type UnderWay } from './attempts.server.ts'
import { createCognitoClient } from './client.server.ts'
import { CognitoRefusal } from './errors.ts'
import type { Progress } from './progress.ts'
import { signInSteps } from './sign-in-steps.server.ts'
import { signUpSteps } from './sign-up-steps.server.ts'

/** The account's issuer in an authenticator app; this is the specification's default. */
const ISSUER = 'AWSCognito'

/** Null when this browser has no sign-in in progress at such a pool. */
export async function createCognitoPort(request: Request, database: Database): Promise<IdentityPort | null> {
  if (!(await findOnScreens(request, database))) return null
  const underWay: UnderWay = {
    database,
    async require() {
      const found = await findOnScreens(request, database)
      if (!found) throw new CognitoRefusal(INTERACTION_EXPIRED, 'The sign-in has ended.')
      return { ...found, client: createCognitoClient(found.pool) }
    },
  }
  return {
    current: () => situationOf(request, database),
    save: async (state) => keepScreen(database, await underWay.require(), state),
    ...signInSteps(underWay),
    ...signUpSteps(underWay),
    ...contactSteps(underWay),
    ...endSteps(underWay),
  }
}

async function situationOf(request: Request, database: Database) {
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
    is_ours: false,
    company: await findCompany(database, pool, row.login_hint ?? ''),
    password_policy: rules.password_policy,
    totp: totpOf(progress),
  }
}

type ContactStep =
  | 'resetPassword'
  | 'confirmResetPassword'
  | 'fetchUserAttributes'
  | 'sendUserAttributeVerificationCode'
  | 'confirmUserAttribute'

function contactSteps({ database, require }: UnderWay): Pick<IdentityPort, ContactStep> {
  return {
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
      const found = await require()
      const { client, progress } = found
      await account.confirmAttribute(client, progress, input)
      await keepProgress(database, found, { ...progress, tokens: await account.renewed(client, progress) })
    },
  }
}

function endSteps({ database, require }: UnderWay): Pick<IdentityPort, 'cancel' | 'complete'> {
  return {
    async cancel() {
      const found = await require()
      await keepProgress(database, found, {})
      await keepScreen(database, found, null)
    },
    /** The tokens wait, sealed, with the attempt; the callback takes them from there instead of exchanging a code. */
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
