import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { backUp, NOTE } from './backup.server.ts'
import { type EmbeddedServer, startEmbedded } from './embedded/start.server.ts'
import { restore } from './restore.server.ts'

// Several servers start and stop, each with its data synced to the disk.
vi.setConfig({ testTimeout: 120_000 })

let place: string
let servers: EmbeddedServer[]

beforeEach(() => {
  place = makeDataDir('backup')
  servers = []
})
afterEach(async () => {
  for (const server of servers) await server.stop()
  rmSync(place, { recursive: true, force: true })
})

const folder = (name: string) => join(place, name)

async function start(name: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir: folder(name) })
  servers.push(server)
  return server
}

async function stop(server: EmbeddedServer): Promise<void> {
  servers.splice(servers.indexOf(server), 1)
  await server.stop()
}

async function connect({ adminUrl }: EmbeddedServer): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  return client
}

async function readNumbers(server: EmbeddedServer): Promise<Set<number>> {
  const client = await connect(server)
  const { rows } = await client.query<{ n: number }>('select n from numbers')
  await client.end()
  return new Set(rows.map((row) => row.n))
}

/** Writes until told to stop; what the database acknowledged, and when. */
async function keepWriting(client: pg.Client, signal: { stop: boolean }): Promise<Map<number, number>> {
  const acknowledged = new Map<number, number>()
  for (let n = 0; !signal.stop; n++) {
    await client.query(`insert into numbers values ($1, repeat('x', 2000))`, [n])
    acknowledged.set(n, Date.now())
    if (n % 500 === 499) await client.query('checkpoint')
  }
  return acknowledged
}

it('keeps every acknowledged row while the writing goes on', async () => {
  const client = await connect(await start('from'))
  await client.query('create table numbers (n integer primary key, filler text)')
  const signal = { stop: false }
  const writing = keepWriting(client, signal)
  await new Promise((later) => setTimeout(later, 500))
  const { made_at } = await backUp({ dataDir: folder('from') }, folder('backup'))
  signal.stop = true
  const acknowledged = await writing
  await client.end()

  await restore(folder('backup'), { dataDir: folder('to') })
  const found = await readNumbers(await start('to'))
  const expected = [...acknowledged].filter(([, at]) => at < Date.parse(made_at)).map(([n]) => n)
  expect(expected.length).toBeGreaterThan(20)
  expect(expected.filter((n) => !found.has(n))).toEqual([])
})

it('copies a database that is not running, its secrets, and the files', async () => {
  const server = await start('from')
  const client = await connect(server)
  await client.query('create table numbers (n integer); insert into numbers values (7)')
  await client.end()
  await stop(server)
  writeFileSync(join(folder('from'), 'secret'), 'sealed')
  mkdirSync(folder('files'))
  writeFileSync(join(folder('files'), 'picture'), 'bytes')

  await backUp({ dataDir: folder('from'), filesDir: folder('files') }, folder('backup'))
  await expect(restore(folder('backup'), { dataDir: folder('to') })).rejects.toThrow('set FILES_DIR')
  await restore(folder('backup'), { dataDir: folder('to'), filesDir: folder('files-again') })

  expect(readdirSync(folder('to')).sort()).toEqual(['postgres', 'secret'])
  expect(readdirSync(folder('files-again'))).toEqual(['picture'])
  expect(await readNumbers(await start('to'))).toEqual(new Set([7]))
})

it('refuses to write over anything, and to restore what is not whole', async () => {
  await expect(backUp({ dataDir: folder('nothing') }, folder('backup'))).rejects.toThrow(
    /^There is no database/,
  )
  await stop(await start('from'))
  await backUp({ dataDir: folder('from') }, folder('backup'))
  await expect(backUp({ dataDir: folder('from') }, folder('backup'))).rejects.toThrow('exists already')
  await expect(restore(folder('backup'), { dataDir: folder('from') })).rejects.toThrow('is not empty')
  rmSync(join(folder('backup'), NOTE))
  await expect(restore(folder('backup'), { dataDir: folder('to') })).rejects.toThrow('is no whole backup')
  expect(existsSync(folder('to'))).toBe(false)
})
