/** One OpenID provider per embedded pool, created on first use. */
import { errors, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import type { House } from '#app/identity/door.ts'
import type { Secrets } from '#app/identity/factors/secrets.server.ts'
import { loadSigningKeys, type SigningKey } from '#app/identity/keys.server.ts'
import type { EmbeddedPool } from '#app/identity/pools.ts'
import { audienceAt, createConfiguration } from './configuration.server.ts'
import { createLogout } from './logout.server.ts'
import { createUserinfo } from './userinfo.server.ts'

export type Log = Record<'info' | 'warn' | 'error', (facts: object, message: string) => void>

type Setting = {
  database: Pool
  origin: string
  secrets: Secrets
  requiresMfa: House['requiresMfa']
  poolOf(poolId: string): Promise<EmbeddedPool | undefined>
  log: Log
  isOutage: (error: unknown) => boolean
  keepKeys: number
}

/** A provider built with these keys, which are checked again after `until`. */
type Made = { provider: Provider; kids: string; until: number }

export function createProviders(setting: Setting) {
  const { database, secrets, poolOf, keepKeys } = setting
  const providers = new Map<string, Promise<Made>>()

  /** Providers hold no state of their own, so one with other keys can replace them at any time. */
  async function renew(made: Made, poolId: string): Promise<Made> {
    const [pool, keys] = await Promise.all([poolOf(poolId), loadSigningKeys(database, secrets, poolId)])
    if (pool && kidsOf(keys) !== made.kids) return create(setting, pool, keys)
    return { ...made, until: performance.now() + keepKeys }
  }

  return async function providerOf(poolId: string): Promise<Provider | undefined> {
    const known = await providers.get(poolId)
    if (known && known.until > performance.now()) return known.provider
    // Requests that come meanwhile use the known provider; so do all while the database is away.
    if (known) {
      providers.set(poolId, Promise.resolve({ ...known, until: performance.now() + keepKeys }))
      const renewed = await renew(known, poolId).catch(() => known)
      providers.set(poolId, Promise.resolve(renewed))
      return renewed.provider
    }
    const pool = await poolOf(poolId)
    if (!pool) return undefined
    const made =
      providers.get(poolId) ??
      loadSigningKeys(database, secrets, pool.id).then((keys) => create(setting, pool, keys))
    providers.set(poolId, made)
    made.catch(() => providers.delete(poolId))
    return (await made).provider
  }
}

function create(setting: Setting, pool: EmbeddedPool, keys: SigningKey[]): Made {
  const { database, origin, secrets, requiresMfa, log, isOutage, keepKeys } = setting
  const issuer = `${origin}/idp/${pool.id}`
  const configuration = createConfiguration({ database, pool, origin, secrets, keys, requiresMfa })
  const provider = new Provider(issuer, configuration)
  believeOnly(provider, origin)
  provider.use(createLogout(database, pool.id))
  provider.use(createUserinfo({ database, pool_id: pool.id, keys, issuer, audience: audienceAt(origin) }))
  listen(provider, log, isOutage)
  return { provider, kids: kidsOf(keys), until: performance.now() + keepKeys }
}

const kidsOf = (keys: SigningKey[]): string => keys.map(({ kid }) => kid).join()

/** Uses the configured origin for every URL; cookies are Secure on `http://localhost` too, which browsers allow. */
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

/** Logs refused requests; their texts contain no tokens. */
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
