/** The product under test: each worker starts its own, with its own copy of the demo. */
import { rmSync } from 'node:fs'
import { test as base } from '@playwright/test'
import { ACCOUNT, TOKEN } from '#tests/fakes/twilio-server.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { createDemoDatabase, environmentOf } from '../support/demo-template.ts'
import { freePort, startProcess, stopProcess } from '../support/process.ts'

/** The demo sends no texts through Twilio, but receives people’s replies from it. */
const TEXTS = { TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_FROM: '+15551234567' }

/** Starts a product with a copy of the demo. */
export async function startProduct(env: Record<string, string> = {}) {
  const dataDir = makeDataDir('e2e')
  const database = await createDemoDatabase(JSON.parse(process.env.E2E_POSTGRES ?? ''), dataDir)
  const running = await startProcess(dataDir, await freePort(), {
    ...{ PUBLIC_ORIGIN: '', API_BASE_URL: '' },
    ...environmentOf(database, dataDir),
    ...env,
  })
  const stop = async () => {
    await stopProcess(running)
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { origin: running.origin, adminUrl: database.adminUrl, dataDir, stop }
}

export const test = base.extend<object, { origin: string }>({
  origin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are asked for
    async ({}, use) => {
      const { origin, adminUrl, dataDir, stop } = await startProduct(TEXTS)
      process.env.E2E_DATA_DIR = dataDir
      process.env.E2E_ADMIN_URL = adminUrl
      process.env.E2E_ORIGIN = origin
      await use(origin)
      await stop()
    },
    { scope: 'worker', auto: true, timeout: 180_000 },
  ],
  baseURL: ({ origin }, use) => use(origin),
})
