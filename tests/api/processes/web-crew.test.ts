/** Two processes at one address: a process that ends is replaced, all are renewed or stopped, and no request fails. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Asked, keepAsking } from '#tests/support/askers.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, type Running, readAccounts, startProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

const folder = makeDataDir('crew')
const dataDir = join(folder, 'data')
let running: Running
let sofia: Visitor

beforeAll(open, 300_000)
afterAll(async () => {
  if (running?.child.exitCode === null) {
    running.child.kill('SIGTERM')
    await once(running.child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

async function open(): Promise<void> {
  running = await startProcess(dataDir, await freePort(), { WEB_CONCURRENCY: '2', LOG_LEVEL: 'info' })
  while (pids().length < 2) await sleep(100)
  const account = readAccounts(dataDir).find(({ email }) => email.startsWith('sofia@'))
  if (!account) throw new Error('The demo has no super admin.')
  sofia = new Visitor(running.origin)
  await sofia.signIn(account.email, account.password)
}

const lines = (event: string): Record<string, unknown>[] =>
  running
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.event === event)

/** The processes that are ready and alive. */
function pids(): number[] {
  const ready = lines('process.ready').map(({ ready_pid }) => Number(ready_pid))
  return ready.filter((pid) => isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

const PATHS = ['/tenants', '/notifications', '/tenants?page=2', '/healthz', '/readyz']
function askAlways() {
  const cookie = [...sofia.cookies].map((pair) => pair.join('=')).join('; ')
  return keepAsking(running.origin, 20, (turn) => ({
    path: PATHS[turn % PATHS.length] ?? '/',
    headers: { cookie },
  }))
}

const answeredMore = (asked: Asked, more: number) =>
  expect
    .poll(() => asked.statuses[200] ?? 0, { timeout: 120_000 })
    .toBeGreaterThan((asked.statuses[200] ?? 0) + more)

const FIELDS = { customer_type: 'Single Tenant', status: 'active', timezone: 'UTC' }

it('serves requests from both processes, and adds up their numbers of requests', async () => {
  const { asked, ended } = askAlways()
  await answeredMore(asked, 40)
  asked.refused = 20
  await ended
  const served = lines('request').map(({ pid }) => pid)
  for (const pid of pids()) expect(served).toContain(pid)
  // Health checks and the like are not logged.
  const COUNT =
    /^http_request_duration_seconds_count\{(?!.*area="(?:healthz|readyz|metrics|assets)").* (\d+)/gm
  const counted = async () => {
    const measures = await (await fetch(`${running.origin}/metrics`)).text()
    return [...measures.matchAll(COUNT)].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  await expect.poll(async () => (await counted()) - lines('request').length, { timeout: 20_000 }).toBe(0)
}, 120_000)

it('counts an address’s requests to both processes toward one limit', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, () =>
      fetch(`${running.origin}/reports`, {
        method: 'POST',
        body: '{}',
        headers: { connection: 'close' },
      }).then(({ status }) => status),
    ),
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
})

it('loses no acknowledged change when one process is killed, and replaces that process', async () => {
  const acknowledged: string[] = []
  const before = pids()
  let turn = 0
  const write = async () => {
    while (turn < 60) {
      const name = `Crew ${++turn}`
      if (turn === 30) process.kill(before[0] ?? 0, 'SIGKILL')
      const answer = await sofia.submit('/tenants/add', { name, ...FIELDS }).catch(() => null)
      if (answer?.status === 302) acknowledged.push(name)
    }
  }
  await Promise.all([write(), write(), write(), write()])
  expect(acknowledged.length).toBeGreaterThan(50)
  const listed = new Set<string>()
  for (let page = 1, last = -1; listed.size > last; page++) {
    last = listed.size
    const html = await (await sofia.visit(`/tenants?page=${page}&q=Crew`)).text()
    for (const [name] of html.matchAll(/Crew \d+/g)) listed.add(name)
  }
  expect(acknowledged.filter((name) => !listed.has(name))).toEqual([])
  await expect.poll(() => pids().length, { timeout: 60_000 }).toBe(2)
  expect(pids()).not.toContain(before[0])
}, 180_000)

it('replaces one process after the other on SIGHUP, and cuts off none of 20 connections', async () => {
  const before = pids()
  const { asked } = askAlways()
  await answeredMore(asked, 40)
  running.child.kill('SIGHUP')
  let most = 0
  const countNew = () => {
    const alive = pids()
    most = Math.max(most, alive.length)
    return alive.filter((pid) => !before.includes(pid)).length
  }
  await expect.poll(countNew, { timeout: 120_000 }).toBe(2)
  expect(most).toBeLessThanOrEqual(3)
  await expect.poll(() => pids().length, { timeout: 60_000 }).toBe(2)
  await answeredMore(asked, 20)
  asked.refused = 20
  expect(asked.cut).toEqual([])
  // A busy machine may answer 503 at any time, but not because a process ended before it had answered.
  expect(Object.keys(asked.statuses).filter((status) => !['200', '503'].includes(status))).toEqual([])
  expect(lines('process.unanswered')).toEqual([])
}, 240_000)

it.each([1, 2, 3])(
  'cuts off none of 20 connections on SIGTERM, and ends both processes (%i)',
  async () => {
    if (running.child.exitCode !== null) await open()
    const both = pids()
    const { asked, ended } = askAlways()
    await answeredMore(asked, 100)
    const gone = once(running.child, 'exit')
    const began = performance.now()
    running.child.kill('SIGTERM')
    await ended
    expect((await gone)[0]).toBe(0)
    expect(performance.now() - began).toBeLessThan(12_000)
    expect(asked.cut).toEqual([])
    expect(both.filter(isAlive)).toEqual([])
  },
  300_000,
)
