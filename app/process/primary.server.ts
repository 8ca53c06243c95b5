/** The primary process: starts the workers, holds their database and their counters, and answers no requests itself. */
import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import { type Config, getConfig } from '#app/config.server.ts'
import { openEmbedded } from '#app/db/databases.server.ts'
import { secretOf } from '#app/db/secret.server.ts'
import { requireStartable } from '#app/db/startable.server.ts'
import { keepMade } from '#app/elsewhere/made-once.server.ts'
import { log } from '#app/integrations/log.server.ts'
import { answerMeasures } from '#app/integrations/whole-metrics.server.ts'
import { Crew, EndedEarly } from './crew.server.ts'

export const isPrimary = ({ WEB_CONCURRENCY, ROLE }: Config): boolean =>
  cluster.isPrimary && WEB_CONCURRENCY > 1 && ROLE !== 'worker'

export async function runPrimary(): Promise<void> {
  const config = getConfig()
  const count = config.WEB_CONCURRENCY
  const database = await openDatabase(config)
  const shared = database?.environment ?? {}
  const crew = new Crew({
    count,
    log,
    // Only the first worker migrates and runs the job queue.
    environmentOf: (isFirst) => ({ ...shared, ...(isFirst ? {} : { DATABASE_OWNER_URL: '', ROLE: 'web' }) }),
  })
  new RateLimiterClusterMaster()
  answerMeasures(new AggregatorRegistry())
  keepMade()
  let ending: Promise<void> | undefined
  const end = (code: number): Promise<void> => {
    ending ??= crew
      .end()
      .then(() => database?.stop())
      .finally(() => process.exit(code))
    return ending
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0))
  process.on('SIGHUP', () => crew.renew())
  process.on('uncaughtException', (err) => {
    log.fatal({ event: 'process.uncaughtException', err }, 'the process that starts the others failed')
    void end(1)
  })
  if (database?.notice) process.stdout.write(`\n${database.notice}\n`)
  await crew.open().catch((error) => {
    if (!(error instanceof EndedEarly)) throw error
    return end(error.code)
  })
}

/** The embedded database starts once; the workers get its URL as if it were external. */
async function openDatabase(config: Config) {
  if (config.DATABASE_URL || config.WEB_TIER) return undefined
  requireStartable(config.DATA_DIR)
  const secret = await secretOf(config)
  const { urls, notice, stop } = await openEmbedded(config)
  const environment = {
    DATABASE_URL: urls.appUrl,
    DATABASE_WORKER_URL: urls.workerUrl,
    DATABASE_IDENTITY_URL: urls.identityUrl,
    DATABASE_OWNER_URL: urls.ownerUrl,
    APP_SECRET: secret,
    DEMO: String(config.DEMO),
  }
  return { environment, notice, stop }
}
