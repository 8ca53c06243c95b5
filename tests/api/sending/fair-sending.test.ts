/** Messages of many tenants at once: tenants take turns, and each message is sent once. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { claimDispatches } from '#app/domain/sending/claims.server.ts'
import type { Message } from '#app/integrations/carrier.ts'
import { CarrierError } from '#app/integrations/carrier.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'

/** More than are sent at once. */
const MANY = 2_000
/** The messages in flight for a carrier without a limit; half of them begin together. */
const AT_ONCE = 100

let world: JourneysWorld
let admin: ReturnType<typeof connect>

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = connect(world.database.adminUrl, { max: 1 })
  // It is noon for everyone, so no quiet hours apply.
  await sql`update users set timezone = ${zoneAt(13)}`.execute(admin)
  await sql`insert into users (tenant_id, email, first_name, last_name, activation_status, timezone)
    select ${world.acme}, 'many-' || n || '@acme.example', 'Many', 'Test', 'active', ${zoneAt(13)}
    from generate_series(1, ${MANY}) n`.execute(admin)
  await sql`update tenants set llj_categories = '{Sales}'`.execute(admin)
})
afterAll(async () => {
  await admin?.destroy()
  await world?.drop()
})
beforeEach(() => sql`delete from journeys`.execute(admin))

const tenantOf = (message: Message) => message.tenant_id

/** Launches a journey that now sends a mail to this many people of a tenant. */
async function launch(who: 'adam' | 'greta', people: number): Promise<void> {
  const { id } = await world.must(who, 'POST', '/lljs', {
    name: 'All at once',
    category: 'Sales',
    channels: ['email'],
  })
  const blocks = [{ kind: 'text', markdown: 'People remember who listened.' }]
  const lift = { title: 'Listen first', sms_text: 'Hi: {{link}}', blocks, status: 'ready' }
  await world.must(who, 'POST', `/lljs/${id}/lifts`, lift)
  await sql`insert into members (tenant_id, journey_id, user_id, role, state)
    select u.tenant_id, ${id}, u.id, 'learner', 'active' from users u where u.tenant_id = ${world.people[who].tenant_id}
    order by u.id desc limit ${people}`.execute(admin)
  await world.must(who, 'POST', `/lljs/${id}/launch`, { send_now: true })
  await planned()
  expect(await count(world.people[who].tenant_id)).toBe(people)
}

/** Lets the job finish long plans, without sending anything. */
async function planned(): Promise<void> {
  const { carrier } = createTestCarrier()
  const circuit = { limit: () => 0, isOpen: () => true, stop() {} }
  const away = { ...carrier, circuit }
  await world.drain({ sms: away, email: away })
}

async function count(tenant: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from dispatches where tenant_id = ${tenant} and next_attempt_at <= now()`.execute(
    admin,
  )
  return rows[0]?.count ?? 0
}

describe('A tenant with one message', () => {
  it('does not wait for another tenant with 2,000 messages', async () => {
    await launch('adam', MANY)
    await launch('greta', 1)
    let isOver = () => {}
    const over = new Promise<void>((resolve) => (isOver = resolve))
    const { carriers, taken } = createTestCarrier((message) => {
      if (tenantOf(message) === world.globex) isOver()
    })
    const workers = await world.workers(carriers)
    const drained = workers.drain()
    await over
    await workers.stop()
    await drained
    const before = taken.findIndex((message) => tenantOf(message) === world.globex)
    // The other tenant's first message began in the same batch.
    expect(before).toBeLessThan(AT_ONCE / 2)
    expect(taken.length).toBeLessThanOrEqual(AT_ONCE)
  }, 120_000)

  it('does not wait for another tenant’s message that a lost sender claimed and an edit has locked', async () => {
    await launch('adam', 1)
    await launch('greta', 1)
    await sql`update dispatches set state = 'claimed', lease_owner = 'lost', lease_until = now() - interval '1 minute'
      where tenant_id = ${world.acme}`.execute(admin)
    const edit = await world.database.connectAdmin()
    await edit.query('begin')
    await edit.query('select from dispatches where tenant_id = $1 for update', [world.acme])
    const { carriers, taken } = createTestCarrier()
    const workers = await world.workers(carriers)
    const drained = workers.drain()
    await expect.poll(() => taken.map(tenantOf), { timeout: 5000 }).toEqual([world.globex])
    await edit.query('rollback')
    await edit.end()
    await drained
    await workers.stop()
  })

  it('does not wait for another tenant whose messages are all refused', async () => {
    await launch('adam', 50)
    await launch('greta', 1)
    const { carriers, taken } = createTestCarrier((message) => {
      if (tenantOf(message) === world.acme) throw new CarrierError('refused', 'no_such_mailbox')
    })
    await world.drain(carriers)
    expect(taken.map(tenantOf)).toEqual([world.globex])
  }, 60_000)
})

describe('An invitation', () => {
  it('does not wait for all invitations of another tenant’s long import', async () => {
    const { carriers, taken } = createTestCarrier(() => new Promise((done) => setTimeout(done, 100)))
    const workers = await world.workers(carriers, { isIdle: false })
    await importPeople(60)
    await expect.poll(() => taken.length, { timeout: 20_000 }).toBeGreaterThan(2)
    const user_general_roles = [{ role: 'user', sub_tenant_id: null }]
    const one = { email: 'one@globex.example', first_name: 'One', user_general_roles }
    await world.must('greta', 'POST', '/users', one)
    await expect.poll(() => taken.map(tenantOf), { timeout: 20_000 }).toContain(world.globex)
    const waiting = taken.length
    await workers.stop()
    await sql`delete from graphile_worker._private_jobs`.execute(world.database.worker)
    expect(waiting).toBeLessThan(40)
  }, 60_000)
})

async function importPeople(count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, nth) => `long-${nth}@acme.example,Long`)
  const body = new FormData()
  body.set('file', new File([`email,first_name\n${lines.join('\n')}`], 'people.csv'))
  const principal = world.people.adam
  const headers = { authorization: 'Bearer adam', 'x-tenant-id': principal.tenant_id }
  const request = new Request('http://api.test/api/v1/users/import', { method: 'POST', headers, body })
  expect((await world.api.fetch(request, { caller: { token: 'adam', principal } })).status).toBe(202)
}

describe('Claims', () => {
  const claim = (limit: number, after?: string) =>
    claimDispatches(world.database.worker, 'fair', { channel: 'email', limit, after })
  const tenants = async (...args: Parameters<typeof claim>) =>
    (await claim(...args)).map((one) => one.tenant_id)

  it('take turns among tenants, starting after the tenant that was served last', async () => {
    await launch('adam', 30)
    await launch('greta', 1)
    const [first, second] = [world.acme, world.globex].sort() as [string, string]
    expect(await tenants(1)).toEqual([first])
    const next = await tenants(1, first)
    expect(next).toEqual([second])
    // Only one tenant has messages left.
    expect(new Set(await tenants(5, second))).toEqual(new Set([world.acme]))
  })

  it('made at the same time never include the same message', async () => {
    await launch('adam', 60)
    const claims = (await Promise.all(Array.from({ length: 12 }, () => claim(10)))).flat()
    expect(new Set(claims.map((one) => one.id)).size).toBe(claims.length)
    expect(claims.length).toBeLessThanOrEqual(60)
  })
})

describe('Three senders', () => {
  it('that run at the same time send each message once', async () => {
    await launch('adam', 120)
    await launch('greta', 1)
    const { carriers, taken } = createTestCarrier(() => new Promise((done) => setTimeout(done, 5)))
    const workers = await Promise.all([1, 2, 3].map(() => world.workers(carriers)))
    await Promise.all(workers.map((one) => one.drain()))
    await Promise.all(workers.map((one) => one.stop()))
    expect([taken.length, new Set(taken.map((one) => one.key)).size]).toEqual([121, 121])
  }, 120_000)
})
