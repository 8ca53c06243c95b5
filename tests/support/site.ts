/** The built site on a real port, with the demo in its own database, and visitors without JavaScript. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import { readConfig } from '#app/config.server.ts'
import type { DemoAccount } from '#app/demo/accounts.server.ts'
import type { TestDatabase } from './database.ts'
import { createDemoDatabase, environmentOf } from './demo-template.ts'
import { freePort } from './process.ts'
import { Visitor } from './visitor.ts'

type Parts = typeof import('#app/entry.server.tsx')['parts']

export type Site = {
  origin: string
  accounts: DemoAccount[]
  /** A superuser's URL of its database, with which tests prepare their data. */
  adminUrl: string
  connectAdmin: TestDatabase['connectAdmin']
  /** A visitor; with an e-mail address of the demo, signed in as that person. */
  visitor(email?: string): Promise<Visitor>
  close(): Promise<void>
}

type SiteOptions = {
  withOwnApiOverHttp?: boolean
  /** Another URL for its own API. */
  apiBaseUrl?: string
}

export async function openSite({ withOwnApiOverHttp = false, apiBaseUrl }: SiteOptions = {}): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'liftwell-site-'))
  const database = await createDemoDatabase(inject('postgres'), dataDir)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  Object.assign(process.env, {
    ...environmentOf(database, dataDir),
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: origin,
    API_BASE_URL: apiBaseUrl ?? (withOwnApiOverHttp ? origin : ''),
  })

  const built = await import(pathToFileURL(resolve('build/server/index.js')).href)
  const { parts } = built.entry.module as { parts: Parts }
  // One test process opens several sites, one after the other.
  const config = parts.getConfig() as Record<string, unknown>
  for (const name of Object.keys(config)) delete config[name]
  Object.assign(config, readConfig(process.env))
  const front = parts.createFront({
    config: parts.getConfig(),
    log: parts.log,
    files: resolve('build/client'),
  })
  await listen(front.server, port)
  const platform = await parts.startPlatform()
  platform.setAddress(`http://127.0.0.1:${port}`)
  const site = parts.createSite({
    identity: platform.identity,
    hooks: platform.hooks,
    build: built,
    mode: 'production',
  })
  front.open({ site, isReady: () => platform.isReady() })
  await platform.startWork()

  const accounts = JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')) as DemoAccount[]
  return {
    origin,
    accounts,
    adminUrl: database.adminUrl,
    connectAdmin: database.connectAdmin,
    async visitor(email) {
      const visitor = new Visitor(origin)
      const account = accounts.find((one) => one.email === email)
      if (email && !account) throw new Error(`${email} has no account in the demo`)
      if (account) await visitor.signIn(account.email, account.password)
      return visitor
    },
    async close() {
      await Promise.all([front.drain(1000), platform.stopWork()])
      await platform.stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', () => done()))
}
