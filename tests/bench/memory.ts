/**
 * `npm run bench:memory`: the memory of the one process (site and jobs, without the embedded database) after 30,000
 * pages and calls of everyone in the demo. Linux only, because it reads /proc.
 */
import { readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setSecret } from '#app/auth/seal.server.ts'
import { loadSession } from '#app/auth/sessions/session-store.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { findHome } from '#app/db/embedded/home.server.ts'
import { urlOfRunning } from '#app/db/embedded/running.server.ts'
import { withTarget } from '#app/db/url.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, readAccounts, startProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

const GOAL_MB = 250
const TOTAL = Number(process.env.BENCH_REQUESTS ?? 30_000)
const REPORTS = 6
/** Requests at once, in turn. */
const AT_ONCE = [2, 4, 6, 8, 10]

type Ask = { path: string; headers: Record<string, string> }

const PAGES = [
  ...[
    '/',
    '/login',
    '/tenants',
    '/tenants?q=north',
    '/tenants/add',
    '/users',
    '/users?page=2',
    '/users?q=ma',
  ],
  ...['/users/add', '/subtenants', '/analytics', '/lljs/manage', '/todo', '/learner', '/notifications'],
  ...['/settings/profile', '/settings/company', '/settings/audit', '/settings/sessions', '/settings/privacy'],
]
const CALLS = [
  ...['/users/me', '/users', '/users?q=ma', '/tenants', '/lljs', '/audit_events', '/notifications'],
  '/analytics',
]

const dataDir = makeDataDir('memory')
const running = await startProcess(dataDir, await freePort())
const agent = new Agent({ keepAlive: true, maxSockets: Math.max(...AT_ONCE) })

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

async function report(when: string): Promise<void> {
  const text = await (await fetch(`${running.origin}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  const megabytes = (name: string) => Math.round(value(name) / 1_048_576)
  const heap = `${megabytes('nodejs_heap_size_used_bytes')} of ${megabytes('nodejs_heap_size_total_bytes')} MB`
  const external = `${megabytes('nodejs_external_memory_bytes')} MB`
  const cpu = `${Math.round(value('process_cpu_seconds_total'))} s`
  console.log(`${when}: ${residentMegabytes()} MB (heap ${heap}, outside it ${external}; processor ${cpu})`)
}

function send({ path, headers }: Ask): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${running.origin}${path}`, { agent, headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.once('error', reject)
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      )
    })
    asked.once('error', reject).end()
  })
}

/** Everything above that each of the demo's people can see, and the schedules of their journeys. */
async function gatherAsks(): Promise<Ask[]> {
  setSecret(readFileSync(join(dataDir, 'secret'), 'utf8'))
  const adminUrl = urlOfRunning(findHome(dataDir))
  if (!adminUrl) throw new Error('The database does not run.')
  const database = connect(withTarget(adminUrl, { database: 'liftwell' }), { max: 1 })
  const asks: Ask[] = []
  for (const { email, password } of readAccounts(dataDir)) {
    const visitor = new Visitor(running.origin)
    await visitor.signIn(email, password)
    const session = await loadSession(database, visitor.cookies.get('__Host-liftwell') ?? '')
    if (!session) throw new Error(`${email} has no session.`)
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const asBrowser = { cookie, accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' }
    const { tenant_id } = session.principal
    const asClient = { authorization: `Bearer ${session.access_token}`, 'x-tenant-id': tenant_id }
    const journeys = await send({ path: '/api/v1/lljs', headers: asClient })
    const ids: number[] = journeys.status === 200 ? JSON.parse(journeys.text).data.map(idOf) : []
    const schedules = ids.slice(0, 3).map((id) => `/lljs/${id}/schedule`)
    for (const path of [...PAGES, ...schedules]) asks.push({ path, headers: asBrowser })
    for (const path of [...CALLS, ...schedules]) asks.push({ path: `/api/v1${path}`, headers: asClient })
  }
  await database.destroy()
  const may: Ask[] = []
  for (const ask of asks) if ((await send(ask)).status === 200) may.push(ask)
  return may
}

const idOf = ({ id }: { id: number }) => id

async function load(asks: Ask[], count: number, atOnce: number): Promise<void> {
  let left = count
  const asker = async () => {
    while (left > 0) {
      left -= 1
      const ask = asks[left % asks.length]
      const status = ask && (await send(ask)).status
      if (status !== 200) throw new Error(`${ask?.path}: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, asker))
}

await report('fresh')
const asks = await gatherAsks()
console.log(`${asks.length} different pages and calls`)
const part = Math.ceil(TOTAL / REPORTS / AT_ONCE.length)
for (let done = 0; done < TOTAL; ) {
  for (const atOnce of AT_ONCE) {
    await load(asks, part, atOnce)
    done += part
  }
  await report(`after ${done}`)
}
const end = residentMegabytes()

agent.destroy()
const ended = new Promise((done) => running.child.once('exit', done))
running.child.kill('SIGTERM')
await ended
rmSync(dataDir, { recursive: true, force: true })
console.log(end <= GOAL_MB ? '1 passed, 0 failed' : `0 passed, 1 failed: the goal is ${GOAL_MB} MB`)
process.exit(end <= GOAL_MB ? 0 : 1)
