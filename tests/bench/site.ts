/** The site as `npm start` runs it, in a separate process, on a database that the bench fills. */
import { rmSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { createApi } from '#app/api/app.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'
import { freePort, readAccounts, startProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

export type Bench = Awaited<ReturnType<typeof openBench>>

/** The author in the demo's first company whose journeys are measured. */
const AUTHOR = 'aya@northwind.example'

export async function openBench() {
  // Autovacuum is on, because plans for thousands of people depend on statistics, as in a product.
  const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL, { autovacuum: 'on' })
  const database = await createTestDatabase(postgres)
  const dataDir = makeDataDir('bench')
  const env = {
    DEMO: 'true',
    APP_SECRET: 'a-secret-for-the-bench-of-at-least-32-characters',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_WORKER_URL: database.workerUrl,
    DATABASE_IDENTITY_URL: database.identityUrl,
  }
  const running = await startProcess(dataDir, await freePort(), env)
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  const { rows } = await admin.query(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as postgres`,
  )
  const accounts = readAccounts(dataDir)
  const author = await principalOf(admin, AUTHOR)
  const api = createApi({ database: () => database.app })

  async function visitor(email: string): Promise<Visitor> {
    const account = accounts.find((one) => one.email === email)
    if (!account) throw new Error(`${email} has no account in the demo`)
    const visitor = new Visitor(running.origin)
    await visitor.signIn(account.email, account.password)
    return visitor
  }

  return {
    admin,
    author,
    env,
    postgres: rows[0].postgres as number,
    origin: running.origin,
    pid: running.child.pid ?? 0,
    output: running.output,
    visitor,
    asAuthor: await visitor(AUTHOR),
    /** The API in this process, as the author. */
    async call(method: string, path: string, body?: unknown) {
      const request = new Request(`http://api.test/api/v1${path}`, {
        method,
        headers: {
          authorization: 'Bearer author',
          'x-tenant-id': author.tenant_id,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer = await api.fetch(request, { caller: { token: 'author', principal: author } })
      const text = await answer.text()
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
      return JSON.parse(text)
    },
    async close() {
      const ended = new Promise((done) => running.child.once('exit', done))
      running.child.kill('SIGTERM')
      await ended
      await admin.end()
      await database.drop()
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function principalOf(admin: pg.Client, email: string): Promise<Principal> {
  const { rows } = await admin.query(
    `select u.id::int as user_id, u.tenant_id, u.email, u.first_name, u.last_name, u.activation_status,
       u.is_super_admin, u.accepted_terms_on, t.status as tenant_status, t.pool_id,
       (select json_agg(json_build_object('role', r.role, 'tenant_id', r.tenant_id, 'sub_tenant_id', r.sub_tenant_id))
        from user_general_roles r where r.user_id = u.id) as roles
     from users u join tenants t on t.id = u.tenant_id where u.email = $1`,
    [email],
  )
  return rows[0]
}

/** The server's processor time in milliseconds for each piece of work: hardly more on a busy machine. */
export async function spend(
  origin: string,
  rounds: number,
  ...works: (() => Promise<unknown>)[]
): Promise<number[]> {
  const spent: number[] = []
  for (const work of works) {
    const before = await processorSeconds(origin)
    for (let round = 0; round < rounds; round++) await work()
    spent.push(((await processorSeconds(origin)) - before) * (1000 / rounds))
  }
  return spent
}

async function processorSeconds(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  const seconds = /^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]
  if (!seconds) throw new Error('The server does not say how much it worked.')
  return Number(seconds)
}

/** The median time in milliseconds of pieces of work, measured in turn so that all share the machine's conditions. */
export async function measure(rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => [])
  for (let round = -3; round < rounds; round++)
    for (const [index, work] of works.entries()) {
      const start = performance.now()
      await work()
      if (round >= 0) times[index]?.push(performance.now() - start)
    }
  return times.map((all) => all.sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0)
}
