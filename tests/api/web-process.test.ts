import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, type Running, startProcess } from '#tests/support/process.ts'

const folder = makeDataDir('process')
let running: Running
beforeAll(async () => {
  running = await startProcess(join(folder, 'data'), await freePort(), { LOG_LEVEL: 'info' })
})
afterAll(() => {
  running.child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A start that is expected to end by itself. */
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
    'a configuration that is wrong',
    { PORT: 'many', LOG_LEVEL: 'loud' },
    /^The configuration is wrong:\n {2}PORT: .*\n {2}LOG_LEVEL: /,
  ],
  [
    'an address this machine has not',
    { PORT: '0', HOST: '203.0.113.1' },
    /^This machine has no address 203\.0\.113\.1\./,
  ],
  [
    'a proxy that is none',
    { PORT: '0', TRUSTED_PROXIES: 'nonsense' },
    /^The configuration is wrong:\n {2}TRUSTED_PROXIES: /,
  ],
])('says in a sentence why it cannot start: %s', async (_what, env, sentence) => {
  const { code, printed } = await start(env)
  expect(printed).toMatch(sentence)
  expect(printed).not.toMatch(/^\s+at /m)
  expect(code).toBe(1)
})

it('says that its port is taken', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as AddressInfo
  const { code, printed } = await start({ PORT: String(port) })
  expect(printed).toMatch(new RegExp(`^Port ${port} is in use by another program\\.`))
  expect(code).toBe(1)
  other.close()
})

it('tells people where it is, and machines what happens, one JSON line per event', async () => {
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

it('stops in order on SIGTERM: not ready at once, what it began is answered, exit 0 within ten seconds', async () => {
  const start = performance.now()
  const ended = new Promise((done) => running.child.once('exit', done))
  const served = fetch(`${running.origin}/login`)
  running.child.kill('SIGTERM')
  const statuses: number[] = []
  for (let i = 0; i < 4; i += 1) {
    const answer = await fetch(`${running.origin}/readyz`).catch(() => null)
    if (answer) statuses.push(answer.status)
    await new Promise((done) => setTimeout(done, 50))
  }
  expect(statuses.slice(1)).toContain(503)
  expect((await served).status).toBe(200)
  expect(await ended).toBe(0)
  expect(performance.now() - start).toBeLessThan(10_000)
})
