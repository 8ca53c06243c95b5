/** What is measured: the built site, the bare page and the bare driver, each in a process, on one permanent database. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { toActor } from '#app/auth/actor.server.ts'
import { setSecret } from '#app/auth/seal.server.ts'
import { loadSession } from '#app/auth/sessions/session-store.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { findHome } from '#app/db/embedded/home.server.ts'
import { startEmbedded } from '#app/db/embedded/start.server.ts'
import { derivePasswords, prepareDatabase } from '#app/db/prepare.server.ts'
import { withTarget } from '#app/db/url.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { freePort, readAccounts, startProcess, stopProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'
import { startBare } from './bare/bare.ts'
import { fillTenant } from './people.ts'

const SECRET = 'a-secret-for-the-bench-of-at-least-32-characters'
/** How many people each person's tenant is filled with. */
const SIZES = {
  'adam@northwind.example': 1_000,
  'grace@harbor.example': 100_000,
  'tess@testing.example': 1_000_000,
} as const

export type Person = {
  account: { email: string; password: string }
  visitor: Visitor
  actor: Actor
  people: number
  asBrowser: Record<string, string>
  asClient: Record<string, string>
}
export type World = Awaited<ReturnType<typeof furnish>>
type Closer = () => unknown

export async function openWorld(): Promise<World & { close(): Promise<void> }> {
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return { ...(await furnish(closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function furnish(closers: Closer[]) {
  const folder = process.env.BENCH_DIR ?? join(tmpdir(), 'liftwell-bench')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const server = await startEmbedded({ dataDir: folder, settings: { max_wal_size: '4GB' } })
  closers.push(() => server.stop())
  const passwords = derivePasswords(server.secret)
  const urls = await prepareDatabase(server.adminUrl, { database: 'liftwell', passwords })
  const siteEnv = {
    APP_SECRET: SECRET,
    DATABASE_URL: urls.appUrl,
    DATABASE_OWNER_URL: urls.ownerUrl,
    DATABASE_WORKER_URL: urls.workerUrl,
    DATABASE_IDENTITY_URL: urls.identityUrl,
  }
  const site = await startProcess(folder, await freePort(), { ...siteEnv, DEMO: 'true' })
  const admin = new pg.Client({ connectionString: withTarget(server.adminUrl, { database: 'liftwell' }) })
  await admin.connect()
  closers.push(
    () => stopProcess(site),
    () => admin.end(),
  )

  setSecret(SECRET)
  const database = connect(urls.appUrl, { max: 1 })
  closers.push(() => database.destroy())
  const people = new Map<number, Person>()
  for (const [email, wanted] of Object.entries(SIZES)) {
    const person = await signIn(email, wanted)
    await fillTenant(admin, person.actor, wanted)
    people.set(wanted, person)
  }

  const learner = await signIn('uri@northwind.example', 0)
  const sponsor = await signIn('sam@northwind.example', 0)
  // For a person of one sub-tenant only, the first page redirects into it.
  for (const { visitor } of [learner, sponsor]) await visitor.follow(await visitor.visit('/'))

  async function signIn(email: string, people: number): Promise<Person> {
    const account = readAccounts(folder).find((one) => one.email === email)
    if (!account) throw new Error(`${email} has no account in the demo`)
    const visitor = new Visitor(site.origin)
    await visitor.signIn(email, account.password)
    const session = await loadSession(database, visitor.cookies.get('__Host-liftwell') ?? '')
    if (!session) throw new Error(`${email} has no session`)
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const { tenant_id } = session.principal
    return {
      account,
      visitor,
      people,
      actor: toActor(session.principal, {}),
      asBrowser: { cookie, accept: 'text/html' },
      asClient: { authorization: `Bearer ${session.access_token}`, 'x-tenant-id': tenant_id },
    }
  }

  const drivers = new Map<number, Awaited<ReturnType<typeof startDriver>>>()
  closers.push(() => {
    for (const driver of drivers.values()) driver.stop()
  })
  for (const [size, { actor }] of people) drivers.set(size, await startDriver(urls.appUrl, actor))
  const bare = await startBare(await freePort())
  closers.push(bare.stop)

  return {
    admin,
    people,
    ...{ learner, sponsor },
    bare,
    drivers,
    siteEnv,
    site: { origin: site.origin, pid: site.child.pid ?? 0, readyIn: site.ready_in },
    postgres: () => server.pid(),
    databaseLog: join(dirname(findHome(folder).folder), 'postgres.log'),
    residentMb: () => residentMb(site.child.pid ?? 0),
  }
}

async function startDriver(url: string, actor: Actor) {
  const port = await freePort()
  const child = fork(join(import.meta.dirname, 'driver.ts'), {
    env: { ...process.env, NODE_ENV: 'production', BENCH_DRIVER: JSON.stringify({ url, port, actor }) },
  })
  await once(child, 'message')
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() }
}

const residentMb = (pid: number) =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
