import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecrets } from '#app/identity/factors/secrets.server.ts'
import { loadSigningKeys } from '#app/identity/keys.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const secrets = createSecrets('a secret of at least thirty-two characters')

let database: TestDatabase
let store: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  store = new Pool({ connectionString: database.identityUrl, max: 6 })
  // Dropping the database at the end ends its idle connections.
  store.on('error', () => {})
})
afterAll(async () => {
  await store.end()
  await database.drop()
})

describe('Signing keys', () => {
  it('are the same for processes that start at the same moment', async () => {
    const loaded = await Promise.all(
      Array.from({ length: 4 }, () => loadSigningKeys(store, secrets, 'default')),
    )
    expect(new Set(loaded.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1)
    expect(loaded[0]).toHaveLength(1)
  })

  it('are stored sealed with the app secret', async () => {
    const { rows } = await store.query('select * from identity.signing_keys')
    expect(JSON.stringify(rows)).not.toMatch(/"(kty|d)\\?"/)
    const others = createSecrets('another secret of thirty-two characters')
    await expect(loadSigningKeys(store, others, 'default')).rejects.toThrow('sealed with another APP_SECRET')
  })

  it('are loaded with the newer one first', async () => {
    const [first] = await loadSigningKeys(store, secrets, 'default')
    const [other] = await loadSigningKeys(store, secrets, 'elsewhere')
    await store.query(`update identity.signing_keys set pool_id = 'default' where pool_id = 'elsewhere'`)
    const kids = (await loadSigningKeys(store, secrets, 'default')).map(({ kid }) => kid)
    expect(kids).toEqual([other?.kid, first?.kid])
  })
})

describe('The database role', () => {
  it('of the provider cannot read the tables of the product', async () => {
    for (const table of ['tenants', 'users', 'sessions', 'pools', 'tenants, identity.users'])
      await expect(store.query(`select 1 from ${table}`)).rejects.toThrow('permission denied')
  })

  it('of the app and the worker cannot read accounts', async () => {
    for (const url of [database.appUrl, database.workerUrl]) {
      const other = new Pool({ connectionString: url, max: 1 })
      await expect(other.query('select 1 from identity.users')).rejects.toThrow('permission denied')
      await other.end()
    }
  })
})
