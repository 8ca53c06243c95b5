/** The sign-in in progress in the browser of one request, and what it has proved. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { INTERACTION_COOKIE } from '#app/identity/cookies.ts'
import type { Doorkeeper, Visit } from '#app/identity/door.ts'
import { interactionExpired, sessionExpired } from '#app/identity/errors.ts'
import {
  type Challenge,
  findInteractionPool,
  readStanding,
  type Standing,
  writeChallenge,
} from '#app/identity/interactions.server.ts'
import { type EmbeddedPool, rulesOf } from '#app/identity/pools.ts'
import type { Progressed } from '#app/identity/sign-in.server.ts'
import { findBySub } from '#app/identity/users.server.ts'

/** The front stores the client's address, as found behind trusted proxies, in `locals.ip`. */
export type VisitorResponse = ServerResponse & { locals?: { ip?: unknown } }

export type Setting = {
  door: Doorkeeper
  poolOf(poolId: string): Promise<EmbeddedPool | undefined>
  providerOf(poolId: string): Promise<Provider | undefined>
}

export type Interaction = InstanceType<Provider['Interaction']>
export type Found = Visit & Standing & { provider: Provider; interaction: Interaction }
export type InteractionOfRequest = ReturnType<typeof createInteraction>

export function createInteraction(setting: Setting, req: IncomingMessage, res: VisitorResponse) {
  const { door } = setting
  let finding: Promise<Found | null> | undefined
  /** Searched once per request; the steps record in the result what they prove. */
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
    await writeChallenge(door.database, found.pool.id, found.interaction.uid, challenge)
    found.challenge = challenge
  }

  async function proceed(found: Found, { next, challenge }: Progressed) {
    await prove(found, challenge)
    return next
  }

  /** The current state of the account this interaction is about. */
  async function requireUser({ pool, challenge }: Found, among: readonly Challenge['step'][]) {
    const isDue = challenge !== null && among.includes(challenge.step)
    const user =
      isDue && challenge.sub !== null ? await findBySub(door.database, pool.id, challenge.sub) : null
    if (!user || !challenge) throw sessionExpired()
    return { user, challenge }
  }

  return { door, find, require, prove, proceed, requireUser }
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

/** Read before the signature is verified (the provider does that), only to choose the provider to ask. */
function uidIn(cookies: string): string | undefined {
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith(`${INTERACTION_COOKIE}=`))
  return pair?.slice(INTERACTION_COOKIE.length + 1)
}

function addressOf(req: IncomingMessage, { locals }: VisitorResponse): string {
  return typeof locals?.ip === 'string' ? locals.ip : (req.socket.remoteAddress ?? '')
}
