/** The product in a proof: its database, its processes with the carriers, and the people who use it. */
import { rmSync } from 'node:fs'
import { setSecret } from '#app/auth/seal.server.ts'
import { derivePasswords, prepareDatabase } from '#app/db/prepare.server.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, startProcess } from '#tests/support/process.ts'
import { type CarrierOptions, startCarriers } from './carriers.ts'
import { type Database, withAdmin } from './database.ts'
import { openElsewhere } from './elsewhere.ts'
import { openEmbedded } from './embedded.ts'
import type { Findings } from './findings.ts'
import { Ledger } from './ledger.ts'
import type { Cast } from './load.ts'
import { signIn } from './people.ts'
import { Product } from './product.ts'
import { Witness } from './witness.ts'

const SECRET = 'a-secret-for-the-proof-of-at-least-32-characters'
/** Learners are created in this person's company. */
export const AUTHOR = 'aya@northwind.example'
/** The WAL limit of the embedded database, which has to fit on a small disk. */
const LOG_BYTES = '192MB'

type Ground = { database: Database; dataDir: string; env: Record<string, string> }

type Options = {
  /** The URL of an external PostgreSQL; without it the product uses its own. */
  url?: string | undefined
  /** Workers beside the one process that does everything. */
  workers?: number
  env?: Record<string, string>
  carriers?: CarrierOptions
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** One process with the embedded database; or, on the database that `url` names, one for pages and two workers. */
export async function openSite(findings: Findings, { url, workers = 0, ...options }: Options = {}) {
  const { database, dataDir, env } = await openGround(url)
  const carriers = await startCarriers(options.carriers)
  const port = await freePort()
  const common: Record<string, string> = {
    ...{ APP_SECRET: SECRET, PUBLIC_ORIGIN: `http://localhost:${port}` },
    ...{ ...env, ...options.env },
  }
  const product = new Product(dataDir, findings)
  const close = async () => {
    await carriers.stop()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await seed(dataDir, port, common)
    const real = { ...common, ...carriers.env, DEMO: 'false' }
    if (url) {
      await product.add('web', { ...real, ROLE: 'web' }, port)
      for (const nth of [1, 2]) await product.add(`worker ${nth}`, { ...real, ROLE: 'worker' })
    } else await product.add('all in one', real, port)
    const beside = workers > 0 ? await urlsOfEmbedded(database) : {}
    for (let nth = 1; nth <= workers; nth++)
      await product.add(`worker ${nth}`, { ...real, ...beside, ROLE: 'worker' })

    setSecret(SECRET)
    const origin = `http://localhost:${port}`
    const cast = await withAdmin(database, async (admin) => {
      if (!url) await admin.query(`alter system set max_wal_size = '${LOG_BYTES}'`)
      if (!url) await admin.query('select pg_reload_conf()')
      const who = (email: string) => signIn(admin, dataDir, origin, email)
      const people: Cast = {
        grace: await who('grace@harbor.example'),
        adam: await who('adam@northwind.example'),
        aya: await who(AUTHOR),
        uri: await who('uri@northwind.example'),
      }
      return people
    })
    const ledger = new Ledger()
    const witness = new Witness(findings, origin)
    return { database, dataDir, env: common, carriers, product, witness, findings, cast, ledger, close }
  } catch (error) {
    await product.stop()
    await close()
    throw error
  }
}

async function openGround(url?: string): Promise<Ground> {
  if (url) return { ...(await openElsewhere(url, SECRET)), dataDir: makeDataDir('faults') }
  const database = openEmbedded()
  return { database, dataDir: database.dataDir, env: {} }
}

/** The URLs by which further processes reach the embedded database. */
async function urlsOfEmbedded({ adminUrl, secret }: Database): Promise<Record<string, string>> {
  const passwords = derivePasswords(secret?.() ?? '')
  const urls = await prepareDatabase(adminUrl(), { database: 'liftwell', passwords, isOurs: true })
  return {
    DATABASE_URL: urls.appUrl,
    DATABASE_WORKER_URL: urls.workerUrl,
    DATABASE_IDENTITY_URL: urls.identityUrl,
  }
}

/** Seeds the demo by a separate start, because with the demo no texts are sent. */
async function seed(dataDir: string, port: number, env: Record<string, string>): Promise<void> {
  const { child } = await startProcess(dataDir, port, { ...env, DEMO: 'true' })
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await ended
}
