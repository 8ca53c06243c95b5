import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { type Accounts, createAccounts } from './account.server.ts'
import { createAdmin, type IdentityAdmin } from './admin.server.ts'
import { createAttempts } from './attempts.server.ts'
import { sweepUnconfirmed } from './confirmation.server.ts'
import type { House } from './door.ts'
import { createCodes } from './factors/codes.server.ts'
import { createPasswords } from './factors/passwords.server.ts'
import { createSecrets } from './factors/secrets.server.ts'
import { createTotp } from './factors/totp.server.ts'
import { NO_HOUSE } from './no-house.ts'
import { createProviders, type Log } from './oidc/providers.server.ts'
import type { EmbeddedPool } from './pools.ts'
import type { VisitorResponse } from './port/interaction.server.ts'
import { createPort } from './port/port.server.ts'
import { createSender } from './sender.server.ts'
import type { User } from './users.server.ts'

type Setting = {
  /** The pool of the role that sees only the provider's tables; closed with the provider. */
  database: Pool
  /** The public origin, regardless of what requests say about hosts and protocols. */
  origin: string
  secret: string
  /** The embedded pools. A function is called again for an unknown pool. */
  pools: readonly EmbeddedPool[] | (() => Promise<readonly EmbeddedPool[]>)
  log: Log
  isOutage?: (error: unknown) => boolean
  /** How many milliseconds signing keys are cached. */
  keepKeys?: number
} & Partial<House>

type Mounted = IncomingMessage & { originalUrl?: string }

export type Identity = {
  /** For mounting at `/idp`, so that `req.url` begins with the pool: `app.use('/idp', identity.handle)`. */
  handle(req: Mounted, res: ServerResponse, next: (error?: unknown) => void): void
  port(req: IncomingMessage, res: VisitorResponse): ReturnType<typeof createPort>
  admin: IdentityAdmin
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
  ...given
}: Setting): Promise<Identity> {
  const secrets = createSecrets(secret)
  const attempts = createAttempts(database, secrets)
  const codes = createCodes(database, secrets)
  const passwords = await createPasswords()
  const house: House = { ...NO_HOUSE, ...given }
  const admin = createAdmin({ database, passwords, origin, house })
  const sender = createSender(log)
  const door = {
    database,
    attempts,
    codes,
    passwords,
    totp: createTotp(database, secrets),
    house,
    login_address: `${origin}/login`,
    later: sender.later,
    send: sender.sendBy(house.deliver),
    reinvite: ({ pool_id, sub }: User) => admin.resendInvite({ pool: pool_id, sub }),
  }
  const poolOf = async (poolId: string) =>
    (typeof pools === 'function' ? await pools() : pools).find(({ id }) => id === poolId)
  const { requiresMfa } = house
  const setting = { database, origin, secrets, requiresMfa, poolOf, log, isOutage, keepKeys }
  const providerOf = createProviders(setting)

  const sweep = () => {
    database
      .query(`delete from identity.models where expires_at < now() - interval '1 hour'`)
      .then(() => Promise.all([attempts.sweep(), codes.sweep(), sweepUnconfirmed(database)]))
      .catch((error) => log.warn({ err: error }, 'identity: the sweep failed'))
  }
  const sweeping = setInterval(sweep, SWEEP_EVERY).unref()

  return {
    handle: handler(origin, providerOf),
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

function handler(
  origin: string,
  providerOf: (poolId: string) => Promise<Provider | undefined>,
): Identity['handle'] {
  return (req, res, next) => {
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
  }
}
