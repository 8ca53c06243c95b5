/** Assembles the platform: database, provider, API, jobs. No other module knows all the rooms. */
import { createFrontPort } from '#app/auth/front-port.server.ts'
import type { IdentityPort } from '#app/auth/identity-port.ts'
import { setOwnAccounts } from '#app/auth/own-accounts.server.ts'
import { setOwnAddress } from '#app/auth/own-address.server.ts'
import { keepDefaultPool } from '#app/auth/pools/pools.server.ts'
import { setSecret, unseal } from '#app/auth/seal.server.ts'
import { setSignInMessages } from '#app/auth/sign-in-messages.server.ts'
import { sealStopLink } from '#app/auth/stop-links.server.ts'
import { type Config, getConfig } from '#app/config.server.ts'
import { type Databases, openDatabases } from '#app/db/databases.server.ts'
import { DatabaseStartError } from '#app/db/embedded/database-start-error.ts'
import { explain } from '#app/db/embedded/explain.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import { secretOf } from '#app/db/secret.server.ts'
import { requireStartable } from '#app/db/startable.server.ts'
import { describeAccounts, readDemoAccounts } from '#app/demo/accounts.server.ts'
import { beginAgain } from '#app/demo/again.server.ts'
import { seedDemo } from '#app/demo/seed.server.ts'
import { createIdentity, type Identity } from '#app/identity/provider.server.ts'
import { sampleMessages } from '#app/identity/sample-messages.ts'
import type { Carriers } from '#app/integrations/carrier.ts'
import type { Hooks } from '#app/integrations/hooks.server.ts'
import { log } from '#app/integrations/log.server.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { fileStore } from '#app/integrations/stores/files.server.ts'
import { createRecordStore } from '#app/integrations/stores/record-store.server.ts'
import { startWorkers, type Workers } from '#app/jobs/workers.server.ts'
import { createHooks } from '#app/process/carrier-hooks.server.ts'
import {
  checkCarriers,
  createCarriers,
  describeCarriers,
  outboxFolder,
  sendPatiently,
} from '#app/process/carriers.server.ts'
import { createHouse } from '#app/process/identity-host.server.ts'
import { inviteFirstSuperAdmin, withSeeding } from './first-start.server.ts'
import { openWebTier } from './web-tier.server.ts'

export type Platform = {
  config: Config
  identity: Pick<Identity, 'handle'> & { port(...visit: Parameters<Identity['port']>): IdentityPort }
  hooks: Hooks | undefined
  /** Whether the database answers, and the sender and the queue of this process are not stuck waiting for it. */
  isReady(): Promise<boolean>
  setAddress(url: string): void
  startWork(): Promise<void>
  /** Starts nothing new; resolves when running work is finished or given back. */
  stopWork(): Promise<void>
  /** What a start tells the person at the terminal; null when there is nothing to tell. */
  greeting(): Promise<string | null>
  stop(): Promise<void>
}

export async function startPlatform(signal?: AbortSignal): Promise<Platform> {
  const config = getConfig()
  if (config.WEB_TIER) return openWebTier(config)
  if (!config.DATABASE_URL) requireStartable(config.DATA_DIR)
  const secret = await secretOf(config)
  setSecret(secret)

  const databases = await openDatabases(config, tellOfReplica, signal).catch((error) =>
    tellOutage(config, error),
  )
  try {
    return await furnish(config, secret, databases)
  } catch (error) {
    await databases.close()
    return tellOutage(config, error)
  }
}

function tellOfReplica(isUsed: boolean): void {
  if (isUsed) log.info({ event: 'replica.back' })
  else log.warn({ event: 'replica.away' }, 'the database itself answers what its replica should')
}

/** Warns once at the start; files wait in the database until the file store takes them. */
async function checkFiles(): Promise<void> {
  await fileStore()
    ?.tryOut?.()
    .catch((err: unknown) => log.warn({ event: 'files.unwritable', err }))
}

/** Explains a full disk, or a database server that goes away meanwhile, in one sentence. */
function tellOutage({ DATABASE_URL, DATA_DIR }: Config, error: unknown): never {
  if (error instanceof DatabaseStartError || !isOutage(error)) throw error
  if (!DATABASE_URL) throw explain(DATA_DIR, error as Error)
  throw new DatabaseStartError(`The database failed while Liftwell started: ${(error as Error).message}`)
}

async function furnish(config: Config, secret: string, databases: Databases): Promise<Platform> {
  const carriers = createCarriers({ config, databases, log })
  const identity = await openIdentity(config, secret, databases, carriers)
  if (config.DEMO) await withSeeding(config, databases, identity, seedDemo)
  const invitation = await inviteFirstSuperAdmin(config, databases, identity)
  let workers: Promise<Workers> | undefined

  return {
    config,
    identity: {
      handle: identity.handle,
      port: (req, res) =>
        createFrontPort(req.headers.cookie, identity.port(req, res), {
          database: databases.app,
          report: (err) => log.warn({ err }, 'a user pool elsewhere cannot be used'),
        }),
    },
    hooks: createHooks({ config, databases }),
    isReady: async () => (await databases.isReady()) && ((await workers)?.stalled() ?? []).length === 0,
    setAddress: setOwnAddress,
    async startWork() {
      if (config.ROLE === 'web') return
      workers = startWorkers({
        databases,
        origin: config.PUBLIC_ORIGIN,
        carriers,
        outboxFolder: outboxFolder(config),
        identityAdmin: identity.admin,
        unseal,
        stopLink: (who) => `${config.PUBLIC_ORIGIN}/unsubscribe/${sealStopLink(who)}`,
        recordStore: recordStoreOf(config),
        seedTesting: (tenantId, by) =>
          withSeeding(config, databases, identity, (seeding) => beginAgain(seeding, tenantId, by)),
        log,
      })
      await workers
      void checkCarriers(config, log)
      void checkFiles()
    },
    async greeting() {
      const accounts = config.DEMO && !invitation ? await readDemoAccounts(config.DATA_DIR) : null
      const demo = accounts && `Demo accounts (also: npm run demo:accounts):\n${describeAccounts(accounts)}`
      return (
        [databases.notice, invitation ?? demo, describeCarriers(config)].filter(Boolean).join('\n\n') || null
      )
    },
    async stopWork() {
      await workers?.then((running) => running.stop())
    },
    async stop() {
      await identity.close()
      await databases.close()
    },
  }
}

async function openIdentity(config: Config, secret: string, databases: Databases, carriers: Carriers) {
  await keepDefaultPool(databases.app, config.PUBLIC_ORIGIN)
  const identity = await createIdentity({
    database: openPool(databases.identityUrl, { max: 5, name: 'liftwell-identity' }),
    origin: config.PUBLIC_ORIGIN,
    secret,
    ...createHouse({ databases, send: sendPatiently(carriers, databases), config }),
    isOutage,
    log,
  })
  setOwnAccounts(identity.accounts)
  setSignInMessages(sampleMessages(config.PUBLIC_ORIGIN))
  return identity
}

function recordStoreOf({ LRS_URL: url, LRS_KEY: key, LRS_SECRET: secret }: Config) {
  return url && key && secret ? createRecordStore({ url, key, secret }) : undefined
}
