/** Puts the neighbour together: one OpenID provider per embedded pool, made when it is first asked for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { type Accounts, createAccounts } from './account.server.ts'
import { createAdmin, type IdentityAdmin } from './admin.server.ts'
import { createAttempts } from './attempts.server.ts'
import { audienceAt, createConfiguration } from './configuration.server.ts'
import { sweepUnconfirmed } from './confirmation.server.ts'
import type { House } from './door.ts'
import { createCodes } from './factors/codes.server.ts'
import { createPasswords } from './factors/passwords.server.ts'
import { createSecrets } from './factors/secrets.server.ts'
import { createTotp } from './factors/totp.server.ts'
import { loadSigningKeys, type SigningKey } from './keys.server.ts'
import { createLogout } from './logout.server.ts'
import { NO_HOUSE } from './no-house.ts'
import type { EmbeddedPool } from './pools.ts'
import { createPort, type VisitorResponse } from './port.server.ts'
import { createSender } from './sender.server.ts'
import { createUserinfo } from './userinfo.server.ts'
import type { User } from './users.server.ts'

/** As much of a pino logger as this room uses. */
type Log = Record<'info' | 'warn' | 'error', (facts: object, message: string) => void>

type Setting = {
  /** Of the role that sees this room's tables only; closed with the provider. */
  database: Pool
  /** The public origin: whatever a request says about hosts and protocols, this is where it came to. */
  origin: string
  secret: string
  /** The embedded pools. A function is asked again for a pool that is not known yet. */
  pools: readonly EmbeddedPool[] | (() => Promise<readonly EmbeddedPool[]>)
  log: Log
  /** Whether an error says that the database is away or overrun. */
  isOutage?: (error: unknown) => boolean
  /** Milliseconds for which signing keys are not asked for again. */
  keepKeys?: number
} & Partial<House>

type Mounted = IncomingMessage & { originalUrl?: string }

export type Identity = {
  /** To be mounted at `/idp`, so that `req.url` begins with the pool: `app.use('/idp', identity.handle)`. */
  handle(req: Mounted, res: ServerResponse, next: (error?: unknown) => void): void
  port(req: IncomingMessage, res: VisitorResponse): ReturnType<typeof createPort>
  admin: IdentityAdmin
  /** For people who are signed in. */
  accounts: Accounts
  close(): Promise<void>
}

const SWEEP_EVERY = 10 * 60 * 1000
const KEEP_KEYS = 30 * 1000

export async function createIdentity({
  database,
  origin,
  secret,
  pools,
  log,
  isOutage = () => false,
  keepKeys = KEEP_KEYS,
  ...house
}: Setting): Promise<Identity> {
  const secrets = createSecrets(secret)
  const attempts = createAttempts(database, secrets)
  const codes = createCodes(database, secrets)
  const passwords = await createPasswords()
  const admin = createAdmin(database, passwords, origin)
  const sender = createSender(log)
  const door = {
    database,
    attempts,
    codes,
    passwords,
    totp: createTotp(database, secrets),
    house: { ...NO_HOUSE, ...house },
    login_address: `${origin}/login`,
    later: sender.later,
    send: sender.sendBy(house.deliver ?? NO_HOUSE.deliver),
    reinvite: ({ pool_id, sub }: User) => admin.resendInvite({ pool: pool_id, sub }),
  }
  /** Made of these keys, which are good until they are looked at again. */
  type Made = { provider: Provider; kids: string; until: number }
  const providers = new Map<string, Promise<Made>>()

  function create(pool: EmbeddedPool, keys: SigningKey[]): Made {
    const issuer = `${origin}/idp/${pool.id}`
    const { requiresMfa } = door.house
    const setting = { database, pool, origin, secrets, keys, requiresMfa }
    const provider = new Provider(issuer, createConfiguration(setting))
    believeOnly(provider, origin)
    provider.use(createLogout(database, pool.id))
    provider.use(createUserinfo({ database, pool_id: pool.id, keys, issuer, audience: audienceAt(origin) }))
    listen(provider, log, isOutage)
    return { provider, kids: kidsOf(keys), until: Date.now() + keepKeys }
  }

  /** A provider keeps nothing of its own, so another one with other keys goes on where it was. */
  async function renew(made: Made, poolId: string): Promise<Made> {
    const [pool, keys] = await Promise.all([poolOf(poolId), loadSigningKeys(database, secrets, poolId)])
    if (pool && kidsOf(keys) !== made.kids) return create(pool, keys)
    return { ...made, until: Date.now() + keepKeys }
  }

  const poolOf = async (poolId: string) =>
    (typeof pools === 'function' ? await pools() : pools).find(({ id }) => id === poolId)

  async function providerOf(poolId: string): Promise<Provider | undefined> {
    const known = await providers.get(poolId)
    if (known && known.until > Date.now()) return known.provider
    // Those who come meanwhile go on with what is known; a database that is away changes nothing.
    if (known) {
      providers.set(poolId, Promise.resolve({ ...known, until: Date.now() + keepKeys }))
      const renewed = await renew(known, poolId).catch(() => known)
      providers.set(poolId, Promise.resolve(renewed))
      return renewed.provider
    }
    const pool = await poolOf(poolId)
    if (!pool) return undefined
    const made =
      providers.get(poolId) ?? loadSigningKeys(database, secrets, pool.id).then((keys) => create(pool, keys))
    providers.set(poolId, made)
    made.catch(() => providers.delete(poolId))
    return (await made).provider
  }

  const sweep = () => {
    database
      .query(`delete from identity.models where expires_at < now() - interval '1 hour'`)
      .then(() => Promise.all([attempts.sweep(), codes.sweep(), sweepUnconfirmed(database)]))
      .catch((error) => log.warn({ err: error }, 'identity: the sweep failed'))
  }
  const sweeping = setInterval(sweep, SWEEP_EVERY).unref()

  return {
    handle(req, res, next) {
      const { pathname, search } = new URL(req.url ?? '/', origin)
      const [, poolId = '', ...rest] = pathname.split('/')
      providerOf(poolId)
        .then((provider) => {
          if (!provider) return next()
          req.url = `/${rest.join('/')}${search}`
          req.originalUrl = `/idp/${poolId}${req.url}`
          return provider.callback()(req, res)
        })
        .catch(next)
    },
    port: (req, res) => createPort({ door, poolOf, providerOf }, req, res),
    admin,
    accounts: createAccounts({ door, poolOf }),
    async close() {
      clearInterval(sweeping)
      await sender.finish()
      await database.end()
    },
  }
}

const kidsOf = (keys: SigningKey[]): string => keys.map(({ kid }) => kid).join()

/**
 * Every URL the provider writes begins with the configured origin, and its cookies are Secure on
 * `http://localhost` as well, which browsers take for a secure place.
 */
function believeOnly(provider: Provider, origin: string): void {
  const { host, protocol } = new URL(origin)
  const createContext = provider.createContext.bind(provider)
  provider.createContext = (req, res) => {
    const context = createContext(req, res)
    Object.defineProperties(context.request, {
      host: { value: host },
      protocol: { value: protocol.slice(0, -1) },
    })
    context.cookies.secure = true
    return context
  }
}

/** Refused requests are worth a line; the texts carry no tokens. */
function listen(provider: Provider, log: Log, isOutage: (error: unknown) => boolean): void {
  const refused = (event: string) => (_ctx: unknown, error: Error) => {
    const { message, name } = error
    const detail = error instanceof errors.OIDCProviderError ? error.error_detail : undefined
    log.info({ event, error: name, message, detail }, 'identity: refused')
  }
  provider.on('authorization.error', refused('authorization'))
  provider.on('grant.error', refused('token'))
  provider.on('revocation.error', refused('revocation'))
  provider.on('end_session.error', refused('logout'))
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error }, 'identity: failed')
    if (!isOutage(error)) return
    ctx.status = 503
    ctx.set('retry-after', '5')
  })
  const koa: NodeJS.EventEmitter = provider
  koa.on('error', (error: unknown) => log.error({ err: error }, 'identity: failed'))
}
