/** The product under test: each worker starts its own, with its own copy of the demo. */
import { rmSync } from 'node:fs'
import { test as base } from '@playwright/test'
import { ACCOUNT, TOKEN } from '#tests/fakes/twilio-server.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { createDemoDatabase, environmentOf } from '../support/demo-template.ts'
import { freePort, startProcess, stopProcess } from '../support/process.ts'

/** The demo sends no texts through Twilio, but receives people’s replies from it. */
const TEXTS = { TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_FROM: '+15551234567' }

export const test = base.extend<object, { origin: string }>({
  origin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are asked for
    async ({}, use) => {
      const dataDir = makeDataDir('e2e')
      const database = await createDemoDatabase(JSON.parse(process.env.E2E_POSTGRES ?? ''), dataDir)
      process.env.E2E_DATA_DIR = dataDir
      process.env.E2E_ADMIN_URL = database.adminUrl
      const running = await startProcess(dataDir, await freePort(), {
        ...{ PUBLIC_ORIGIN: '', API_BASE_URL: '' },
        ...environmentOf(database, dataDir),
        ...TEXTS,
      })
      process.env.E2E_ORIGIN = running.origin
      await use(running.origin)
      await stopProcess(running)
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', auto: true, timeout: 180_000 },
  ],
  baseURL: ({ origin }, use) => use(origin),
})
