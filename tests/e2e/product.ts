/** The product as the stories meet it: each worker starts one of its own, with its own copy of the demo. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { makeDataDir } from '../support/data-dir.ts'
import { freePort, startProcess, stopProcess } from '../support/process.ts'
import { ACCOUNT, TOKEN } from '../support/twilio-server.ts'

/** Nothing of the caller's configuration. */
export const OWN_CONFIGURATION = { DATABASE_URL: '', PUBLIC_ORIGIN: '', APP_SECRET: '', API_BASE_URL: '' }

/** The demo sends no texts by it; people’s replies come in. */
const TEXTS = { TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_FROM: '+15551234567' }

export const test = base.extend<object, { origin: string }>({
  origin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are asked for
    async ({}, use) => {
      const dataDir = makeDataDir('e2e')
      // With the owners of the files: as root, the database runs as another user.
      execFileSync('cp', ['-a', `${process.env.E2E_SEEDED}/.`, dataDir])
      // What a crash of the machine would cost a test does not matter.
      appendFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n')
      process.env.E2E_DATA_DIR = dataDir
      const running = await startProcess(dataDir, await freePort(), { ...OWN_CONFIGURATION, ...TEXTS })
      process.env.E2E_ORIGIN = running.origin
      await use(running.origin)
      await stopProcess(running)
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', auto: true, timeout: 180_000 },
  ],
  baseURL: ({ origin }, use) => use(origin),
})
