/** `npm start` without any data: it prepares first, and if that is interrupted, the next start is complete. */
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { findHome } from '#app/db/embedded/home.server.ts'
import { readPidFile } from '#app/db/embedded/pid-file.server.ts'
import { urlOfRunning } from '#app/db/embedded/running.server.ts'
import { OPERATOR } from '#app/demo/operator.ts'
import { TENANTS } from '#app/demo/world.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { beginProcess, freePort, type Running, readAccounts, startProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

const folder = makeDataDir('first-start')
const ENV = { DATABASE_URL: '', APP_SECRET: '', PUBLIC_ORIGIN: '', DEMO: '' }
const started: Pick<Running, 'child'>[] = []
afterAll(() => {
  for (const { child } of started) endGroup(child.pid, 'SIGKILL')
  for (const name of readdirSync(folder)) endServer(join(folder, name))
  rmSync(folder, { recursive: true, force: true })
})

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    process.kill(-(pid ?? 0), signal)
  } catch {
    // The process group is gone already.
  }
}

/** Kills the database server of a data folder whose Liftwell was killed. */
function endServer(dataDir: string): void {
  const server = existsSync(join(dataDir, 'postgres')) && readPidFile(findHome(dataDir).folder)
  if (server) process.kill(server.pid, 'SIGKILL')
}

async function begin(dataDir: string, port?: number) {
  const begun = beginProcess(dataDir, port ?? (await freePort()), ENV, { detached: true })
  started.push(begun)
  const ended = once(begun.child, 'close').then(([code, signal]) => code ?? signal)
  return { ...begun, ended }
}
type Begun = Awaited<ReturnType<typeof begin>>

/** Stops waiting when the process has ended. */
async function until({ child, output }: Begun, isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output()}`)
    await sleep(100)
  }
}

const addressOf = (dataDir: string) =>
  existsSync(join(dataDir, 'postgres')) ? urlOfRunning(findHome(dataDir)) : null
const runs = (dataDir: string) => addressOf(dataDir) !== null

async function ask(dataDir: string, query: string) {
  const client = new pg.Client(addressOf(dataDir)?.replace('/postgres?', '/liftwell?'))
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return rows
}

/** The demo is being written, in a transaction that is not committed yet. */
async function isWritingDemo(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, 'demo-accounts.json'))) return false
  const locks = `select 1 from pg_locks where relation = 'journeys'::regclass and mode = 'RowExclusiveLock'`
  return (await ask(dataDir, locks)).length > 0
}

/** The complete demo exists once, and everyone whom the start names can sign in. */
async function expectWhole(dataDir: string): Promise<void> {
  const running = await startProcess(dataDir, await freePort(), ENV)
  const ended = once(running.child, 'exit')
  try {
    expect(running.output()).not.toContain('restore')
    const accounts = readAccounts(dataDir)
    expect(accounts.length).toBeGreaterThan(5)
    for (const { email, password } of accounts) {
      const visitor = new Visitor(running.origin)
      await visitor.signIn(email, password)
      expect((await visitor.visit('/settings/profile')).status, email).toBe(200)
    }
    const tenants = await ask(dataDir, 'select name from tenants')
    const names = [OPERATOR, ...TENANTS].map(({ name }) => name)
    expect(tenants.map(({ name }) => name).sort()).toEqual(names.sort())
    expect(await (await new Visitor(running.origin).visit('/login')).text()).toContain('Create Account')
  } finally {
    running.child.kill('SIGTERM')
    await ended
  }
  expect(runs(dataDir)).toBe(false)
}

describe('A first start', { timeout: 240_000 }, () => {
  it.each<[string, string, (begun: Begun) => void]>([
    ['SIGTERM', 'terminated', ({ child }) => child.kill('SIGTERM')],
    ['Ctrl-C at a terminal', 'interrupted', ({ child }) => endGroup(child.pid, 'SIGINT')],
  ])('stops cleanly on %s, and leaves no database running', async (_what, name, end) => {
    const dataDir = join(folder, name)
    const begun = await begin(dataDir)
    await until(begun, () => isWritingDemo(dataDir))
    end(begun)
    expect(await begun.ended).toBe(143)
    expect(begun.output()).not.toMatch(/Liftwell is ready|^\s+at /m)
    expect(readdirSync(dataDir)).not.toContain('liftwell.lock')
    expect(runs(dataDir)).toBe(false)
  })

  it('is completed by the next start after SIGTERM', () => expectWhole(join(folder, 'terminated')))

  it('is completed by the next start if everything but its database was killed', async () => {
    const dataDir = join(folder, 'killed')
    const begun = await begin(dataDir)
    await until(begun, () => isWritingDemo(dataDir))
    endGroup(begun.child.pid, 'SIGKILL')
    await begun.ended
    expect(runs(dataDir)).toBe(true)
    await expectWhole(dataDir)
  })

  it('says once that its port is in use, before it creates any files', async () => {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as AddressInfo
    const { ended, output } = await begin(join(folder, 'taken'), port)
    expect(await ended).toBe(1)
    expect(output().trim()).toBe(
      `Port ${port} is in use by another program. Stop it, or set PORT to another number.`,
    )
    expect(existsSync(join(folder, 'taken'))).toBe(false)
    other.close()
  })

  it('says once that DATA_DIR is not a folder', async () => {
    const dataDir = join(folder, 'file')
    writeFileSync(dataDir, '')
    const { ended, output } = await begin(dataDir)
    expect(await ended).toBe(1)
    expect(output().trim()).toBe(`DATA_DIR has to be a folder, and ${dataDir} is none.`)
  })
})
