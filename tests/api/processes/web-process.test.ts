import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAsking } from '#tests/support/askers.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { beginProcess, freePort, type Running, readAccounts, startProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

const folder = makeDataDir('process')
/** On a busy machine, even a process that only says why it cannot start takes seconds. */
const STARTS = { timeout: 120_000 }
let running: Running
beforeAll(async () => {
  running = await startProcess(join(folder, 'data'), await freePort(), { LOG_LEVEL: 'info' })
}, 300_000)
afterAll(async () => {
  if (running) await kill(running)
  rmSync(folder, { recursive: true, force: true })
})

async function kill({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A start that should fail. */
function start(env: Record<string, string | undefined>): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [resolve('server.ts')], {
    env: { ...process.env, DATA_DIR: join(folder, 'other'), ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  return new Promise((done) => child.on('close', (code) => done({ code, printed })))
}

it.each([
  [
    'an invalid configuration',
    { PORT: 'many', LOG_LEVEL: 'loud' },
    /^The configuration is wrong:\n {2}PORT: .*\n {2}LOG_LEVEL: /,
  ],
  [
    'an address that this machine does not have',
    { PORT: '0', HOST: '203.0.113.1' },
    /^This machine has no address 203\.0\.113\.1\./,
  ],
  [
    'an invalid proxy',
    { PORT: '0', TRUSTED_PROXIES: 'nonsense' },
    /^The configuration is wrong:\n {2}TRUSTED_PROXIES: /,
  ],
])('says in one sentence why it cannot start: %s', STARTS, async (_what, env, sentence) => {
  const { code, printed } = await start(env)
  expect(printed).toMatch(sentence)
  expect(printed).not.toMatch(/^\s+at /m)
  expect(code).toBe(1)
})

it('says why it cannot start under remix-serve, too', STARTS, async () => {
  const env = { DATABASE_URL: '', API_BASE_URL: 'nonsense' }
  const { child, output } = beginProcess(join(folder, 'web'), await freePort(), env, { script: 'serve:web' })
  const [code] = await once(child, 'close')
  expect(output()).toMatch(/^The configuration is wrong:\n {2}API_BASE_URL: /)
  expect(output()).not.toMatch(/^\s+at /m)
  expect(code).toBe(1)
})

it('says that a restore was interrupted, and writes no files', STARTS, async () => {
  const dataDir = join(folder, 'half')
  mkdirSync(join(dataDir, 'postgres.restored'), { recursive: true })
  writeFileSync(join(dataDir, 'restore-under-way'), '/backups/monday')
  for (const secret of ['', 'a secret of at least thirty-two characters']) {
    const { code, printed } = await start({ PORT: '0', DATA_DIR: dataDir, APP_SECRET: secret || undefined })
    expect(printed.trim()).toBe(
      `A restore into ${dataDir} was interrupted. Run npm run restore -- /backups/monday again, or set DATA_DIR to another folder.`,
    )
    expect(code).toBe(1)
    expect(readdirSync(dataDir).sort()).toEqual(['postgres.restored', 'restore-under-way'])
  }
})

it('says that its port is in use', STARTS, async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as AddressInfo
  const { code, printed } = await start({ PORT: String(port) })
  expect(printed).toMatch(new RegExp(`^Port ${port} is in use by another program\\.`))
  expect(code).toBe(1)
  other.close()
})

it('prints its address, and logs requests as one JSON line each', async () => {
  expect((await fetch(`${running.origin}/login`)).status).toBe(200)
  expect(running.output()).toContain(`Liftwell is ready at ${running.origin}`)
  const lines = () =>
    running
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  await expect
    .poll(lines)
    .toContainEqual(expect.objectContaining({ event: 'request', path: '/login', status: 200, level: 'info' }))
})

it('on SIGTERM is not ready, answers running requests, and exits with 0 within ten seconds', async () => {
  const start = performance.now()
  const ended = new Promise((done) => running.child.once('exit', done))
  const served = fetch(`${running.origin}/login`)
  running.child.kill('SIGTERM')
  // Sends requests while it still accepts connections, until it says that it is not ready.
  const statuses = new Set<number | undefined>()
  while (!statuses.has(503) && !statuses.has(undefined))
    statuses.add((await fetch(`${running.origin}/readyz`).catch(() => undefined))?.status)
  expect([...statuses]).toContain(503)
  expect((await served).status).toBe(200)
  expect(await ended).toBe(0)
  expect(performance.now() - start).toBeLessThan(10_000)
})

it.each([1, 2, 3])(
  'cuts off none of 20 busy connections when it is stopped (%i)',
  async () => {
    const dataDir = join(folder, 'data')
    await kill(running)
    running = await startProcess(dataDir, await freePort())
    const { email, password } = readAccounts(dataDir).find(({ role }) => role === 'admin') ?? {}
    if (!email || !password) throw new Error('The demo has no administrator.')
    const visitor = new Visitor(running.origin)
    await visitor.signIn(email, password)
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const paths = ['/users', '/notifications', '/', '/analytics', '/healthz', '/settings/company']
    const { asked, ended: answered } = keepAsking(running.origin, 20, (turn) => ({
      path: paths[turn % paths.length] ?? '/',
      headers: { cookie },
    }))
    await expect.poll(() => asked.statuses[200], { timeout: 120_000 }).toBeGreaterThan(100)

    const ended = new Promise((done) => running.child.once('exit', done))
    const start = performance.now()
    running.child.kill('SIGTERM')
    await answered
    expect(await ended).toBe(0)
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(asked.cut).toEqual([])
    // A machine that is busy with other tests may answer 503, which is a response, too.
    expect(Object.keys(asked.statuses).filter((status) => !['200', '503'].includes(status))).toEqual([])
  },
  300_000,
)
