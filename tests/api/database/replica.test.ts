/** A streaming replica answers figures and exports, but never with data older than stated, or no longer visible. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { openReplica, type Replica, ReplicaError } from '#app/db/replica.server.ts'
import { WallError } from '#app/db/wall.server.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { startPair } from '#tests/support/standby.ts'

let pair: Awaited<ReturnType<typeof startPair>>
let app: ReturnType<typeof connect>
let world: TenantsWorld
let replica: Replica
let primary: pg.Client
let standby: pg.Client
const told: boolean[] = []

const reach = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}

beforeAll(async () => {
  pair = await startPair()
  app = connect(pair.appUrl)
  world = await createWorld(app)
  primary = await reach(pair.adminUrl)
  standby = await reach(pair.there(pair.adminUrl))
  replica = await openReplica(pair.there(pair.appUrl), app, {
    max: 4,
    most_behind_ms: 8_000,
    tell: (isUsed) => told.push(isUsed),
  })
}, 120_000)
beforeEach(() => expect.poll(() => replica.recent(), { timeout: 20_000 }).not.toBeNull())
afterAll(async () => {
  await replica?.close()
  await primary?.end()
  await standby?.end()
  await app?.destroy()
  await pair?.close()
})

async function ask(path: string) {
  const api = createApi({ database: () => app, replica })
  const principal = world.people.adam
  const headers = { authorization: 'Bearer adam', 'x-tenant-id': principal.tenant_id }
  const answer = await api.fetch(new Request(`http://api.test/api/v1${path}`, { headers }), {
    caller: { token: 'adam', principal },
  })
  return { status: answer.status, text: await answer.text() }
}

async function whilePaused(work: () => Promise<void>): Promise<void> {
  await standby.query('select pg_wal_replay_pause()')
  try {
    await work()
  } finally {
    await standby.query('select pg_wal_replay_resume()')
  }
}

const addPerson = (name: string) =>
  primary.query(`insert into users (tenant_id, email, first_name) values ($1, $2, 'New')`, [
    world.people.adam.tenant_id,
    `${name}@northwind.example`,
  ])

it('The replica answers figures while the primary is locked', async () => {
  await whilePaused(async () => {
    await primary.query('begin; lock table fact_occurrence, fact_learner, lifts in access exclusive mode')
    try {
      expect((await ask('/analytics/overview')).status).toBe(200)
    } finally {
      await primary.query('rollback')
    }
  })
})

it('Exports contain everything that existed when they were requested, even if the replica is behind', async () => {
  await addPerson('just-now')
  expect((await ask('/users/export')).text).toContain('just-now@northwind.example')
  await whilePaused(async () => {
    await addPerson('meanwhile')
    expect(await replica.caughtUp()).toBeNull()
    expect((await ask('/users/export')).text).toContain('meanwhile@northwind.example')
  })
})

it('Rows that the replica does not have yet are read from the primary', async () => {
  await whilePaused(async () => {
    const { rows } = await primary.query(
      `insert into journeys (tenant_id, name, author_id) values ($1, 'Quite new', $2) returning id::int`,
      [world.people.adam.tenant_id, world.people.adam.user_id],
    )
    expect((await ask(`/lljs/${rows[0].id}/grid`)).status).toBe(200)
  })
})

it('A replica that is too far behind is not used until it has caught up', async () => {
  await whilePaused(async () => {
    await addPerson('behind')
    await expect.poll(() => replica.recent(), { timeout: 20_000 }).toBeNull()
    expect((await ask('/analytics/overview')).status).toBe(200)
  })
  await expect.poll(() => replica.recent(), { timeout: 20_000 }).not.toBeNull()
  expect(told.slice(-2)).toEqual([false, true])
}, 60_000)

it('Figures and exports work while the replica is down', async () => {
  await standby.end()
  await pair.standby.stop()
  expect((await ask('/analytics/overview')).status).toBe(200)
  expect((await ask('/users/export')).status).toBe(200)
  expect(replica.recent()).toBeNull()
  await pair.standby.start()
  standby = await reach(pair.there(pair.adminUrl))
  await expect.poll(() => replica.recent(), { timeout: 20_000 }).not.toBeNull()
}, 60_000)

it('The replica accepts no writes', async () => {
  const database = replica.recent()
  if (!database) throw new Error('The replica is away.')
  await expect(
    database.insertInto('tenants').values({ name: 'x', pool_id: 'default' }).execute(),
  ).rejects.toMatchObject({ code: '25006' })
})

it('A server that is not a replica is refused, and so is a role that sees the rows of all tenants', async () => {
  await expect(openReplica(pair.appUrl, app, { max: 1 })).rejects.toThrow(ReplicaError)
  await expect(openReplica(pair.there(pair.adminUrl), app, { max: 1 })).rejects.toThrow(WallError)
})
