import { type ChildProcess, spawn } from 'node:child_process'
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { type EmbeddedServer, startEmbedded } from '../embedded/start.server.ts'
import { PACKAGE_ROOT } from '../package-root.ts'
import { keepSecret } from '../secret.server.ts'
import { backUp } from './backup.server.ts'
import { NOTE } from './backup-note.ts'
import { makeDraft } from './drafts.server.ts'
import { restore } from './restore.server.ts'

// Several servers start and stop, each with its data synced to the disk.
vi.setConfig({ testTimeout: 240_000 })

let place: string
let servers: EmbeddedServer[]

beforeEach(() => {
  place = makeDataDir('backup', 'disk')
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

/** Writes until told to stop; returns the acknowledged rows with their times. */
async function keepWriting(client: pg.Client, signal: { stop: boolean }): Promise<Map<number, number>> {
  const acknowledged = new Map<number, number>()
  for (let n = 0; !signal.stop; n++) {
    await client.query(`insert into numbers values ($1, repeat('x', 2000))`, [n])
    acknowledged.set(n, Date.now())
    if (n % 500 === 499) await client.query('checkpoint')
  }
  return acknowledged
}

it('A backup has every row that was acknowledged before it was made, while writing continues', async () => {
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

it('A backup copies a stopped database, its secret and the files', async () => {
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

it('A backup never overwrites anything, and an incomplete backup is not restored', async () => {
  await expect(backUp({ dataDir: folder('nothing') }, folder('backup'))).rejects.toThrow(
    /^There is no database/,
  )
  await stop(await start('from'))
  await backUp({ dataDir: folder('from') }, folder('backup'))
  await expect(backUp({ dataDir: folder('from') }, folder('backup'))).rejects.toThrow('exists already')
  await expect(restore(folder('backup'), { dataDir: folder('from') })).rejects.toThrow('is not empty')
  const itself = readdirSync(folder('backup'))
  for (const use of [keepSecret, (dataDir: string) => backUp({ dataDir }, folder('copy'))])
    await expect(use(folder('backup'))).rejects.toThrow(`${folder('backup')} is a backup, and no data folder`)
  expect(readdirSync(folder('backup'))).toEqual(itself)
  rmSync(join(folder('backup'), NOTE))
  await expect(restore(folder('backup'), { dataDir: folder('to') })).rejects.toThrow(
    'is not a complete Liftwell backup',
  )
  expect(existsSync(folder('to'))).toBe(false)
})

/** Not by `recursive`, which fails when other processes remove folders meanwhile. */
function filesIn(path: string): string[] {
  return entriesOf(path).flatMap((entry) => {
    const inner = join(path, entry.name)
    return entry.isDirectory() ? filesIn(inner) : entry.isFile() ? [inner] : []
  })
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Runs one of `app/commands` in a separate process; returns its output and exit code. */
function command(name: string, argument: string, dataDir = folder('from'), filesDir?: string) {
  const child: ChildProcess = spawn(process.execPath, [`app/commands/${name}.ts`, argument], {
    cwd: PACKAGE_ROOT,
    env: { NODE_ENV: 'production', DATA_DIR: dataDir, ...(filesDir && { FILES_DIR: filesDir }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed += text))
  const ended = new Promise<{ code: number | null; printed: string }>((done) =>
    child.once('close', (code) => done({ code, printed })),
  )
  return { child, ended }
}

async function untilTrue(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!isSo()) {
    if (Date.now() > end) throw new Error('It did not come to that.')
    await new Promise((later) => setTimeout(later, 1))
  }
}

const draftsIn = (path: string) => readdirSync(path).filter((name) => name.includes('.part-'))

it('Backup and database:prepare write nothing when their argument is wrong, and say why', async () => {
  await start('from')
  const run = (target: string) => command('backup', target).ended
  const usage = 'Usage: npm run backup [-- <new folder>]\n'
  expect(await run('--help')).toEqual({ code: 0, printed: usage })
  expect(await run('--quickly')).toEqual({ code: 2, printed: usage })

  const inside = await run(join(folder('from'), 'backup'))
  expect(inside.printed).toMatch(/from\/backup is inside \S+from: a backup belongs outside the data\.\n$/)
  writeFileSync(folder('a-file'), '')
  const below = await run(join(folder('a-file'), 'backup'))
  expect(below.printed).toContain(`Nothing can be written into ${folder('a-file')}: choose another folder.`)
  expect([inside.code, below.code]).toEqual([1, 1])
  expect(readdirSync(place).sort()).toEqual(['a-file', 'from'])

  const prepared = await command('prepare-database', 'nonsense').ended
  expect(prepared.printed).toBe('The given address is none of a PostgreSQL: it begins with postgresql://.\n')
  const asked = await command('prepare-database', '--help').ended
  expect(asked.printed).toContain('Usage: npm run database:prepare -- postgresql://')
})

it('A stopped backup leaves nothing behind, and the next backup removes what a killed one left', async () => {
  await start('from')
  writeFileSync(join(folder('from'), 'secret'), 'sealed', { mode: 0o600 })
  const begun = () => draftsIn(place).some((draft) => filesIn(folder(draft)).length > 20)

  const stopped = command('backup', folder('backup'), folder('from'))
  await untilTrue(begun)
  stopped.child.kill('SIGTERM')
  const { code, printed } = await stopped.ended
  expect(printed).toBe('The backup was stopped, and nothing is left of it.\n')
  expect(code).toBe(1)
  expect(readdirSync(place)).toEqual(['from'])

  const killed = command('backup', folder('backup'), folder('from'))
  await untilTrue(begun)
  killed.child.kill('SIGKILL')
  await killed.ended
  const [left] = draftsIn(place)
  expect(left).toBeDefined()
  expect(statSync(folder(left ?? '')).mode & 0o777).toBe(0o700)

  // A draft that is still being written is not removed.
  const living = await makeDraft(folder('living'))
  const { removed } = await backUp({ dataDir: folder('from') }, folder('backup'))
  expect(removed).toEqual([folder(left ?? '')])
  expect(readdirSync(place).sort()).toEqual(['backup', 'from', basename(living)])
  for (const file of filesIn(folder('backup')))
    expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
})

it('Liftwell does not start on an interrupted restore, says so, and can be restored again', async () => {
  const from = await start('from')
  const client = await connect(from)
  await client.query('create table numbers (n integer); insert into numbers values (7)')
  await client.end()
  const secret = 'the secret of the first installation'
  writeFileSync(join(folder('from'), 'secret'), secret, { mode: 0o600 })
  mkdirSync(folder('files'))
  writeFileSync(join(folder('files'), 'picture'), 'bytes')
  await backUp({ dataDir: folder('from'), filesDir: folder('files') }, folder('backup'))

  const all = filesIn(join(folder('backup'), 'postgres')).length
  const points: [string, () => boolean][] = [
    ['when it is marked', () => existsSync(join(folder('to'), 'restore-under-way'))],
    ...[3, 200, 700, all - 5].map((count): [string, () => boolean] => [
      `after ${count} files`,
      () => filesIn(folder('to')).length > count,
    ]),
    ['when the database is in its place', () => existsSync(join(folder('to'), 'postgres', 'PG_VERSION'))],
    ['when it is open', () => existsSync(join(folder('to'), 'postgres', 'postmaster.pid'))],
  ]
  /** Files outside the database, which may still write its own for a moment. */
  const ours = () =>
    filesIn(folder('to'))
      .filter((file) => !file.startsWith(join(folder('to'), 'postgres')))
      .sort()
  for (const [point, isReached] of points) {
    const restoring = command('restore', folder('backup'), folder('to'), folder('files-again'))
    await untilTrue(isReached)
    restoring.child.kill('SIGKILL')
    await restoring.ended
    const left = ours()
    const says = `A restore into ${folder('to')} was interrupted. Run npm run restore -- `
    expect([point, await reasonOf(keepSecret(folder('to')))]).toEqual([point, expect.stringContaining(says)])
    expect(ours()).toEqual(left)
    await expect(backUp({ dataDir: folder('to') }, folder('copy'))).rejects.toThrow(/interrupted|no database/)
  }

  const { code, printed } = await command('restore', folder('backup'), folder('to'), folder('files-again'))
    .ended
  expect(printed).toMatch(/^Restored what was acknowledged before/)
  expect(code).toBe(0)
  expect(await keepSecret(folder('to'))).toBe(secret)
  expect(readFileSync(join(folder('files-again'), 'picture'), 'utf8')).toBe('bytes')
  expect(await readNumbers(await start('to'))).toEqual(new Set([7]))
})

const reasonOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'it went on',
    (error: Error) => error.message,
  )

it('No new secret is created for a database that has lost its own', async () => {
  await stop(await start('from'))
  await expect(keepSecret(folder('from'))).rejects.toThrow(
    /^The secret of the database in .* is missing: put /,
  )
  expect(existsSync(join(folder('from'), 'secret'))).toBe(false)
})
