/** The sign-in screens' way in, for one request: `IdentityPort` of app/auth/identity-port.ts, met by its shape. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { INTERACTION_COOKIE } from './cookies.ts'
import { findInteractionPool, type Progress, readProgress, writeProgress } from './models.server.ts'
import { DEFAULT_POLICY } from './passwords.server.ts'
import { authenticate, chooseFirstPassword, type Doorkeeper } from './sign-in.server.ts'
import { findBySub, type User } from './users.server.ts'

/** The front writes down the address behind trusted proxies as `locals.ip`. */
export type VisitorResponse = ServerResponse & { locals?: { ip?: unknown } }

type Setting = { door: Doorkeeper; providerOf(poolId: string): Promise<Provider | undefined> }
type Interaction = InstanceType<Provider['Interaction']>
type Found = { pool_id: string; provider: Provider; interaction: Interaction; progress: Progress | null }

export function createPort({ door, providerOf }: Setting, req: IncomingMessage, res: VisitorResponse) {
  const { database } = door
  const policy = DEFAULT_POLICY

  async function find(): Promise<Found | null> {
    const uid = uidIn(req.headers.cookie ?? '')
    const pool_id = uid && (await findInteractionPool(database, uid))
    const provider = pool_id && (await providerOf(pool_id))
    if (!provider) return null
    try {
      const interaction = await provider.interactionDetails(req, res)
      if (interaction.prompt.name !== 'login') return null
      return {
        pool_id,
        provider,
        interaction,
        progress: await readProgress(database, pool_id, interaction.uid),
      }
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return null
      throw error
    }
  }

  return {
    async current() {
      const found = await find()
      if (!found) return null
      const { pool_id, interaction, progress } = found
      const user = progress && (await findBySub(database, pool_id, progress.sub))
      return {
        pool_id,
        screen: user ? progress.screen : ('signIn' as const),
        username: user?.username ?? hintOf(interaction),
        password_policy: policy,
      }
    },

    async signIn({ username, password }: { username: string; password: string }) {
      const found = await find()
      if (!found) return { step: 'EXPIRED' as const }
      const { pool_id, interaction } = found

      const user = await authenticate(door, { pool_id, username, password, ip: addressOf(req, res) })
      if (user.status !== 'FORCE_CHANGE_PASSWORD') return finish(found, user)
      await writeProgress(database, pool_id, interaction.uid, { screen: 'forceNewPassword', sub: user.sub })
      return { step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED' as const }
    },

    async completeNewPassword({ password }: { password: string }) {
      const found = await find()
      const sub = found?.progress?.sub
      const user = sub ? await findBySub(database, found.pool_id, sub) : null
      if (!found || !user) return { step: 'EXPIRED' as const }

      await chooseFirstPassword(door, policy, user, password)
      return finish(found, user)
    },

    async cancel() {
      const found = await find()
      if (found) await writeProgress(database, found.pool_id, found.interaction.uid, null)
    },
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

function addressOf(req: IncomingMessage, { locals }: VisitorResponse): string {
  return typeof locals?.ip === 'string' ? locals.ip : (req.socket.remoteAddress ?? '')
}

/** A session of somebody else in this browser ends here; otherwise the library would ask to log out first. */
async function finish({ provider, interaction }: Found, user: User) {
  const before = interaction.session
  if (before?.uid && before.accountId !== user.sub) {
    const session = await provider.Session.findByUid(before.uid)
    await session?.destroy()
    delete interaction.session
  }
  interaction.result = { login: { accountId: user.sub, amr: ['pwd'], remember: false } }
  await interaction.persist()

  const { pathname, search } = new URL(interaction.returnTo)
  return { step: 'DONE' as const, redirect_to: pathname + search }
}
