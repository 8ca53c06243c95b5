import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startDatabaseProxy } from '#tests/support/tcp-proxy.ts'
import { getDatabases, openDatabases } from './databases.server.ts'
import { isRoot } from './embedded/account.server.ts'
import { requireServer } from './require-server.server.ts'
import { keepSecret } from './secret.server.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = makeDataDir('databases')
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

const config = (own: object = {}) => ({
  DATA_DIR: folder,
  DATABASE_URL: database.appUrl,
  DATABASE_OWNER_URL: undefined,
  DATABASE_WORKER_URL: database.workerUrl,
  DATABASE_IDENTITY_URL: database.identityUrl,
  DATABASE_POOL_SIZE: 2,
  ...own,
})

it('The databases can be used only while they are open, and are opened only once', async () => {
  expect(getDatabases).toThrow('not open yet')
  const databases = await openDatabases(config())
  expect(getDatabases()).toBe(databases)
  await expect(openDatabases(config())).rejects.toThrow('already open')
  expect(await databases.isReady()).toBe(true)
  await databases.close()
  expect(getDatabases).toThrow('not open yet')
})

it('The databases are on an embedded server when no address is configured', async () => {
  const databases = await openDatabases(config({ DATABASE_URL: undefined }))
  const { rows } = await sql`select session_user as me`.execute(databases.app)
  expect(rows).toEqual([{ me: 'liftwell_app' }])
  await databases.close()
  expect(await databases.isReady()).toBe(false)
})

it('The databases are not opened for a role that could see every tenant', async () => {
  await expect(openDatabases(config({ DATABASE_URL: database.adminUrl }))).rejects.toThrow('is a superuser')
  await expect(openDatabases(config({ DATABASE_WORKER_URL: database.ownerUrl }))).rejects.toThrow(
    'nothing is served',
  )
  expect(getDatabases).toThrow('not open yet')
})

it('An address of a database that does not work is named without its password', async () => {
  const url = 'postgresql://liftwell_app:hush@127.0.0.1:1/liftwell'
  const failure = await openDatabases(config({ DATABASE_URL: url })).catch((error) => error.message)
  expect(failure).toMatch(
    /^DATABASE_URL: the database liftwell at 127.0.0.1:1 cannot be used: .*ECONNREFUSED/,
  )
  expect(failure).not.toContain('hush')
})

it('A database that is down at the start is waited for, up to a time limit', async () => {
  const proxy = await startDatabaseProxy(database.appUrl)
  await proxy.refuse()
  const url = proxy.through(database.appUrl)
  const waiting = requireServer('DATABASE_URL', url, 20_000)
  await sleep(1_500)
  await proxy.pass()
  await waiting
  await proxy.refuse()
  await expect(requireServer('DATABASE_URL', url, 1_000)).rejects.toThrow('ECONNREFUSED')
  await proxy.close()
})

it('An installation without a secret gets one, even if three starts ask at once', async () => {
  const secrets = await Promise.all([1, 2, 3].map(() => keepSecret(join(folder, 'new'))))
  expect(new Set(secrets).size).toBe(1)
  expect(secrets[0]?.length).toBeGreaterThanOrEqual(32)
  // Started by root, the database runs as another user, who needs to traverse the folder.
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(isRoot() ? 0o711 : 0o700)
})
