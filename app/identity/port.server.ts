/** The sign-in screens' way in, for one request: `IdentityPort` of app/auth/identity-port.ts, met by its shape. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { answerChallenge } from './answer-challenge.server.ts'
import { asWords } from './attributes.ts'
import { INTERACTION_COOKIE } from './cookies.ts'
import type { Doorkeeper, Visit } from './door.ts'
import { interactionExpired, sessionExpired } from './errors.ts'
import {
  type Challenge,
  findInteractionPool,
  readStanding,
  type Standing,
  writeChallenge,
  writeProgress,
} from './interactions.server.ts'
import { type EmbeddedPool, rulesOf, type Screens } from './pools.ts'
import {
  type Contact,
  confirmContact,
  confirmResetPassword,
  resetPassword,
  sendContactCode,
} from './recovery.server.ts'
import { openInvitation, type Progressed, resendSignInCode, signIn } from './sign-in.server.ts'
import { autoSignIn, confirmSignUp, requireAdmitted, sendSignUpCode, signUp } from './sign-up.server.ts'
import { findBySub, toUsername, type User } from './users.server.ts'

/** The front writes down the address behind trusted proxies as `locals.ip`. */
export type VisitorResponse = ServerResponse & { locals?: { ip?: unknown } }

type Setting = {
  door: Doorkeeper
  poolOf(poolId: string): Promise<EmbeddedPool | undefined>
  providerOf(poolId: string): Promise<Provider | undefined>
}

type Interaction = InstanceType<Provider['Interaction']>
type Found = Visit & Standing & { provider: Provider; interaction: Interaction }

type Username = { username: string }

export function createPort(setting: Setting, req: IncomingMessage, res: VisitorResponse) {
  const { door } = setting
  const { database } = door
  let finding: Promise<Found | null> | undefined
  /** One search for a request, whose steps tell it what they prove. */
  function find(): Promise<Found | null> {
    finding ??= findInteraction(setting, req, res)
    return finding
  }

  async function require(): Promise<Found> {
    const found = await find()
    if (!found) throw interactionExpired()
    return found
  }

  async function prove(found: Found, challenge: Challenge | null): Promise<void> {
    await writeChallenge(database, found.pool.id, found.interaction.uid, challenge)
    found.challenge = challenge
  }

  async function proceed(found: Found, { next, challenge }: Progressed) {
    await prove(found, challenge)
    return next
  }

  /** The account that this interaction is about, as it is now. */
  async function requireUser({ pool, challenge }: Found, among: readonly Challenge['step'][]) {
    const isDue = challenge !== null && among.includes(challenge.step)
    const user = isDue && challenge.sub !== null ? await findBySub(database, pool.id, challenge.sub) : null
    if (!user || !challenge) throw sessionExpired()
    return { user, challenge }
  }

  return {
    async current() {
      const found = await find()
      if (!found) return null
      const { pool, rules, interaction, progress } = found
      return {
        pool_id: pool.id,
        saved: progress,
        username: hintOf(interaction),
        entrance: entranceOf(interaction, rules.screens),
        screens: rules.screens,
        resends_texts: true,
        company: await door.house.companyOf({ pool: pool.id, email: hintOf(interaction) }),
        password_policy: rules.password_policy,
        totp: await totpOf(door, found),
      }
    },

    async save(state: object) {
      const { pool, interaction } = await require()
      await writeProgress(database, pool.id, interaction.uid, state)
    },

    async signIn(credentials: Username & { password: string }) {
      const found = await require()
      // Who holds the code of a sign-up may still enter it after a password that was wrong.
      if (found.challenge?.step !== 'SIGNED_UP') await prove(found, null)
      return proceed(found, await signIn(door, found, credentials))
    },

    async openInvitation({ code }: { code: string }) {
      const found = await require()
      await prove(found, null)
      const { challenge, ...invited } = await openInvitation(door, found, code)
      await prove(found, challenge)
      return invited
    },

    async confirmSignIn(response: {
      challenge_response: string
      user_attributes?: Record<string, string> | undefined
    }) {
      const found = await require()
      const known = await requireUser(found, ['NEW_PASSWORD', 'SMS_CODE', 'TOTP_CODE', 'TOTP_SETUP'])
      return proceed(found, await answerChallenge(door, found, known, response))
    },

    async resendSignInCode() {
      const found = await require()
      const { user } = await requireUser(found, ['SMS_CODE'])
      await door.attempts.countSend(found.ip)
      return resendSignInCode(door, found, user)
    },

    async signUp(wish: Username & { password: string; user_attributes: Record<string, string> }) {
      const found = await require()
      const { next, challenge } = await signUp(door, found, wish)
      await prove(found, challenge)
      return next
    },

    async confirmSignUp({ username, confirmation_code }: Username & { confirmation_code: string }) {
      const found = await require()
      const { challenge } = found
      // Of a form sent twice, the other one has been answered.
      if (challenge?.step === 'CONFIRMED') return { step: 'COMPLETE_AUTO_SIGN_IN' as const }
      if (challenge?.step !== 'SIGNED_UP') throw sessionExpired()
      const code = { username, code: confirmation_code }
      await prove(found, await confirmSignUp(door, found, challenge, code))
      return { step: 'COMPLETE_AUTO_SIGN_IN' as const }
    },

    async resendSignUpCode({ username, is_resend }: Username & { is_resend: boolean }) {
      const found = await require()
      const { challenge } = found
      if (challenge?.step !== 'SIGNED_UP') throw sessionExpired()
      await door.attempts.countSend(found.ip)
      return sendSignUpCode(door, found, toUsername(username), { challenge, is_resend })
    },

    async autoSignIn() {
      const found = await require()
      const { user } = await requireUser(found, ['CONFIRMED'])
      return proceed(found, await autoSignIn(door, found, user))
    },

    async resetPassword(asked: Username & { is_resend: boolean }) {
      return resetPassword(door, await require(), asked)
    },

    async confirmResetPassword(reset: Username & { confirmation_code: string; new_password: string }) {
      const found = await require()
      await prove(found, null)
      await confirmResetPassword(door, found, reset)
    },

    async fetchUserAttributes() {
      const { user } = await requireUser(await require(), ['DONE'])
      return asWords({ sub: user.sub, ...user.attributes })
    },

    async sendUserAttributeVerificationCode(asked: { key: Contact; is_resend: boolean }) {
      const found = await require()
      const { user } = await requireUser(found, ['DONE'])
      await door.attempts.countSend(found.ip)
      return sendContactCode(door, found, user, asked)
    },

    async confirmUserAttribute(said: { key: Contact; confirmation_code: string }) {
      const found = await require()
      const { user } = await requireUser(found, ['DONE'])
      await confirmContact(door, found, user, said)
    },

    async cancel() {
      const found = await require()
      await prove(found, null)
      await writeProgress(database, found.pool.id, found.interaction.uid, null)
    },

    async complete() {
      const found = await require()
      const { user, challenge } = await requireUser(found, ['DONE'])
      if (!user.enabled || user.status !== 'CONFIRMED') throw sessionExpired()
      await requireAdmitted(door, user)
      return finish(found, user, challenge)
    },
  }
}

async function findInteraction(
  { door, poolOf, providerOf }: Setting,
  req: IncomingMessage,
  res: VisitorResponse,
): Promise<Found | null> {
  const uid = uidIn(req.headers.cookie ?? '')
  const pool_id = uid && (await findInteractionPool(door.database, uid))
  const pool = pool_id ? await poolOf(pool_id) : undefined
  const provider = pool && (await providerOf(pool.id))
  if (!pool || !provider) return null
  try {
    const interaction = await provider.interactionDetails(req, res)
    if (interaction.prompt.name !== 'login') return null
    const standing = await readStanding(door.database, pool.id, interaction.uid)
    return { pool, rules: rulesOf(pool), ip: addressOf(req, res), provider, interaction, ...standing }
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null
    throw error
  }
}

/** The signed cookie is checked by the provider afterwards; this only finds out which provider to ask. */
function uidIn(cookies: string): string | undefined {
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith(`${INTERACTION_COOKIE}=`))
  return pair?.slice(INTERACTION_COOKIE.length + 1)
}

function hintOf({ params }: Interaction): string {
  return typeof params.login_hint === 'string' ? params.login_hint : ''
}

/** Whoever asked for a screen at `/login` gets it, else the pool says which is the first. */
function entranceOf(
  { params }: Interaction,
  { initial_screen, sign_up }: Screens,
): Screens['initial_screen'] {
  const asked = params.screen_hint
  if (asked === 'forgotPassword' || asked === 'signIn') return asked
  if (asked === 'signUp' || initial_screen === 'signUp') return sign_up ? 'signUp' : 'signIn'
  return initial_screen
}

async function totpOf(door: Doorkeeper, { pool, rules, challenge }: Found) {
  if (challenge?.step !== 'TOTP_SETUP' || challenge.sub === null) return null
  const user = await findBySub(door.database, pool.id, challenge.sub)
  return user && door.totp.setUp(user, rules.name)
}

function addressOf(req: IncomingMessage, { locals }: VisitorResponse): string {
  return typeof locals?.ip === 'string' ? locals.ip : (req.socket.remoteAddress ?? '')
}

/** A session of somebody else in this browser ends here; otherwise the library would ask to log out first. */
async function finish({ provider, interaction }: Found, user: User, { amr }: Challenge) {
  const before = interaction.session
  if (before?.uid && before.accountId !== user.sub) {
    const session = await provider.Session.findByUid(before.uid)
    await session?.destroy()
    delete interaction.session
  }
  interaction.result = { login: { accountId: user.sub, amr, remember: false } }
  await interaction.persist()

  const { pathname, search } = new URL(interaction.returnTo)
  return { redirect_to: pathname + search }
}
