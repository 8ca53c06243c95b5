import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { PACKAGE_ROOT } from '../package-root.ts'
import { isRoot } from './account.server.ts'
import { DatabaseStartError } from './database-start-error.ts'
import { beginningOf } from './process-identity.server.ts'
import { type EmbeddedServer, startEmbedded } from './start.server.ts'

let dataDir: string
let cleanUp: (() => Promise<void> | void)[]

beforeEach(() => {
  const folder = makeDataDir('start')
  cleanUp = [() => rmSync(folder, { recursive: true, force: true })]
  dataDir = folder
})

afterEach(async () => {
  for (const step of cleanUp.reverse()) await step()
})

/** Without fsync, except in tests of a crash. */
async function start(settings: Record<string, string> = { fsync: 'off' }): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, settings })
  cleanUp.push(() => server.stop())
  return server
}

async function ask(url: string, question: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return Object.values((await client.query({ text: question })).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

/** Liftwell in a separate process, which can be killed. */
function spawnLiftwell(): { child: ChildProcess; said: Promise<string> } {
  const program = `
    import { startEmbedded } from '#app/db/embedded/start.server.ts'
    try {
      const server = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)} })
      console.log(JSON.stringify({ pid: server.pid(), adminUrl: server.adminUrl }))
      setInterval(() => {}, 1000)
    } catch (error) {
      console.log(error.message)
      process.exitCode = 1
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: PACKAGE_ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanUp.push(() => void child.kill('SIGKILL'))
  return {
    child,
    said: new Promise((resolve) => child.stdout?.once('data', (data) => resolve(String(data).trim()))),
  }
}

const exit = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))
const isAlive = (pid: number) => beginningOf(pid) !== undefined

describe('the embedded server', () => {
  it('starts, keeps what was committed, stops, and starts again with the same password', async () => {
    const first = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
    await ask(first.adminUrl, 'create table kept as select 7 as number')
    await first.stop()
    expect(isAlive(first.pid())).toBe(false)

    const second = await start()
    expect(second.adminUrl).toBe(first.adminUrl)
    expect(await ask(second.adminUrl, 'select number from kept')).toBe(7)
  })

  it('has private files, password sign-in, data checksums and durable settings', async () => {
    const server = await start({})
    const folder = join(dataDir, 'postgres')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'liftwell-password')).mode & 0o777).toBe(0o600)
    for (const [setting, value] of Object.entries({
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      listen_addresses: '',
      password_encryption: 'scram-sha-256',
      server_encoding: 'UTF8',
    })) {
      expect([setting, await ask(server.adminUrl, `show ${setting}`)]).toEqual([setting, value])
    }
    expect(
      await ask(
        server.adminUrl,
        `select count(*)::int from pg_hba_file_rules where auth_method <> 'scram-sha-256'`,
      ),
    ).toBe(0)
    await expect(ask(server.adminUrl.replace(/:[^:@]+@/, ':guessed@'), 'select')).rejects.toThrow('password')
  })

  it('refuses a second start on the same folder, in this process and in another', async () => {
    await start()
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      /already runs on the data folder .+ \(process \d+\)/,
    )
    const other = spawnLiftwell()
    expect(await other.said).toContain('already runs on the data folder')
    expect(await exit(other.child)).toBe(1)
  })

  it('is taken over with its rows after the process that started it was killed', async () => {
    const killed = spawnLiftwell()
    const left = JSON.parse(await killed.said)
    await ask(left.adminUrl, 'create table kept as select 7 as number')
    killed.child.kill('SIGKILL')
    await exit(killed.child)
    expect(isAlive(left.pid)).toBe(true)

    const server = await start({})
    expect(server.pid()).toBe(left.pid)
    expect(await ask(server.adminUrl, 'select number from kept')).toBe(7)
  })

  it('starts again with all rows after it and the process that started it were killed together', async () => {
    const killed = spawnLiftwell()
    const left = JSON.parse(await killed.said)
    await ask(left.adminUrl, 'create table kept as select generate_series(1, 100000) as number')
    killed.child.kill('SIGKILL')
    process.kill(left.pid, 'SIGKILL')
    await exit(killed.child)

    const began = Date.now()
    const server = await start({})
    // On an idle machine a few seconds are enough: `npm run prove:durability` measures it.
    expect(Date.now() - began).toBeLessThan(30_000)
    expect(await ask(server.adminUrl, 'select count(*)::int from kept')).toBe(100_000)
  })

  it('is stopped and started again if it no longer accepts its password', async () => {
    const killed = spawnLiftwell()
    const left = JSON.parse(await killed.said)
    killed.child.kill('SIGKILL')
    await exit(killed.child)
    await ask(left.adminUrl, `alter role postgres password 'changed behind our back'`)

    const server = await startEmbedded({ dataDir }).catch((error) => error)
    cleanUp.push(() => server.stop?.())
    expect(isAlive(left.pid)).toBe(false)
    expect(server.pid()).not.toBe(left.pid)
  })

  it('starts although an old pid file names another running process', async () => {
    await (await startEmbedded({ dataDir, settings: { fsync: 'off' } })).stop()
    const folder = join(dataDir, 'postgres')
    writeFileSync(
      join(folder, 'postmaster.pid'),
      `${process.pid}\n${folder}\n1700000000\n5432\n\n\n\nready\n`,
    )
    const server = await start()
    expect(server.pid()).not.toBe(process.pid)
  })

  it('restarts by itself when it is killed', async () => {
    const server = await start({})
    const before = server.pid()
    process.kill(before, 'SIGKILL')
    while (server.pid() === before) await sleep(100)
    expect(await ask(server.adminUrl, 'select 1')).toBe(1)
  })

  it('restarts by itself when one of its own processes is killed', async () => {
    const server = await start({})
    const before = server.pid()
    process.kill(
      Number(
        await ask(server.adminUrl, "select pid from pg_stat_activity where backend_type = 'checkpointer'"),
      ),
      'SIGKILL',
    )
    while (server.pid() === before) await sleep(100)
    expect(await ask(server.adminUrl, 'select 1')).toBe(1)
  })

  it('has its own process group, so that signals to Liftwell’s group do not end it', async () => {
    const server = await start()
    expect(processGroup(server.pid())).toBe(server.pid())
  })
})

function processGroup(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

describe('a start that cannot succeed says why', () => {
  const reason = () =>
    startEmbedded({ dataDir }).then(
      () => 'it started',
      (error) => [error instanceof DatabaseStartError, error.message],
    )

  it('data of another major version', async () => {
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
    expect(await reason()).toEqual([true, expect.stringContaining('was made by PostgreSQL 15')])
  })

  it('a folder that contains something else', async () => {
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres', 'holiday.txt'), '')
    expect(await reason()).toEqual([true, expect.stringContaining('is not empty, and no database is in it')])
  })

  it('a file where the folder should be', async () => {
    dataDir = join(dataDir, 'file')
    writeFileSync(dataDir, '')
    expect(await reason()).toEqual([true, expect.stringContaining('DATA_DIR has to be a folder')])
  })

  it.runIf(existsSync('/proc/self'))('a place where no folder can be created', async () => {
    dataDir = '/proc/nowhere/data'
    expect(await reason()).toEqual([
      true,
      expect.stringContaining('/proc/nowhere/data is on a disk that cannot be written to'),
    ])
  })

  it.skipIf(isRoot())('a folder that Liftwell cannot write to', async () => {
    chmodSync(dataDir, 0o500)
    expect(await reason()).toEqual([
      true,
      expect.stringContaining('Liftwell may not write to its data folder'),
    ])
  })

  it('and leaves the folder free for a later start', async () => {
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
    await reason()
    rmSync(join(dataDir, 'postgres'), { recursive: true })
    await start()
  })
})
