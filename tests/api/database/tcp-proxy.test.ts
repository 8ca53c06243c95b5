/** The faults that the proxy causes to its connections: other tests rely on them. */
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { startDatabaseProxy } from '#tests/support/tcp-proxy.ts'

let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
let url: string
const clients: pg.Client[] = []

beforeEach(async () => {
  const { adminUrl } = inject('postgres')
  proxy = await startDatabaseProxy(adminUrl)
  url = proxy.through(adminUrl)
})
afterEach(async () => {
  await proxy.close()
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})))
})

async function open(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  })
  clients.push(client)
  client.on('error', () => {})
  await client.connect()
  return client
}

const ask = async (client: pg.Client) => (await client.query('select 1 as one')).rows[0].one
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => `${error.code ?? ''} ${error.message}`,
  )

it('The proxy passes traffic on, with a delay if one is set', async () => {
  const client = await open()
  expect(await ask(client)).toBe(1)
  proxy.delay(100)
  const began = performance.now()
  expect(await ask(client)).toBe(1)
  expect(performance.now() - began).toBeGreaterThanOrEqual(195)
})

it('The proxy freezes existing connections, and passes new ones', async () => {
  const client = await open()
  proxy.freeze()
  expect(await refusal(ask(client))).toContain('Query read timeout')
  expect(await ask(await open())).toBe(1)
})

it('The proxy swallows all traffic until it passes again', async () => {
  const client = await open()
  proxy.blackhole()
  expect(await refusal(ask(client))).toContain('Query read timeout')
  expect(await refusal(open())).toContain('timeout')
  await proxy.pass()
  expect(await ask(await open())).toBe(1)
})

it('The proxy resets existing connections, and passes new ones', async () => {
  const client = await open()
  const failure = refusal(ask(client))
  proxy.reset()
  expect(await failure).toMatch(/ECONNRESET|terminated/)
  expect(await ask(await open())).toBe(1)
})

it('The proxy refuses new connections until it passes again', async () => {
  const client = await open()
  await proxy.refuse()
  expect(await refusal(open())).toContain('ECONNREFUSED')
  expect(await ask(client)).toBe(1)
  await proxy.pass()
  expect(await ask(await open())).toBe(1)
})
