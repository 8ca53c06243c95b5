/** Expensive calls wait for their turn in a queue of their tenant, and delay no other tenant. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { takeTurns } from '#app/api/turns.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld
let api: ReturnType<typeof createApi>
let admin: pg.Client

const LIMITS = { atOnce: 2, crowd: 10, waiting: 4, perPerson: 5, patience_ms: 1500 }

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
  api = createApi({ database: () => database.app, turns: takeTurns(LIMITS) })
  admin = await database.connectAdmin()
})
afterAll(() => database?.drop())

async function ask(who: 'adam' | 'greta', path: string, of = api) {
  const principal = world.people[who]
  const headers = { authorization: `Bearer ${who}`, 'x-tenant-id': principal.tenant_id }
  const answer = await of.fetch(new Request(`http://api.test/api/v1${path}`, { headers }), {
    caller: { token: who, principal },
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), json: await answer.json() }
}

/** Locks the tables of the figures while `work` runs. */
async function whileFiguresHang(work: () => Promise<void>): Promise<void> {
  await admin.query('begin; lock table fact_occurrence, fact_learner, lifts in access exclusive mode')
  try {
    await work()
  } finally {
    await admin.query('rollback')
  }
}

it('A call that is ended after its time says so, and not that the service is away', async () => {
  const hasty = connect(database.appUrl, { max: 1, statement_timeout: 300 })
  await whileFiguresHang(async () => {
    expect(await ask('adam', '/analytics/overview', createApi({ database: () => hasty }))).toMatchObject({
      ...{ status: 503, retryAfter: '5' },
      json: { detail: 'This took too long. Please try again in a moment, or ask for less.' },
    })
  })
  await hasty.destroy()
})

const many = <Result>(count: number, work: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, work))

describe('A person with too many requests', () => {
  it('gets 429 at once for requests beyond the limit, and 503 for those that waited too long', async () => {
    await whileFiguresHang(async () => {
      const asked = many(8, () => ask('adam', '/analytics/overview'))
      await sleep(2500)
      await admin.query('rollback')
      const statuses = (await asked).map(({ status, retryAfter }) => [status, retryAfter])
      expect(statuses.filter(([status]) => status === 429)).toEqual(times(3, [429, '2']))
      expect(statuses.filter(([status]) => status === 503)).toEqual(times(3, [503, '2']))
      expect(statuses.filter(([status]) => status === 200)).toHaveLength(2)
    })
  })

  it('delays no other tenant and no plain list', async () => {
    await whileFiguresHang(async () => {
      const asked = many(2, () => ask('adam', '/analytics/overview'))
      await sleep(100)
      expect((await ask('greta', '/users?q=greta')).status).toBe(200)
      expect((await ask('adam', '/users')).status).toBe(200)
      expect(await ask('adam', '/users?q=adam')).toMatchObject({
        status: 503,
        json: { has_error: true, detail: expect.stringContaining('Please try again') },
      })
      await admin.query('rollback')
      expect((await asked).map(({ status }) => status)).toEqual([200, 200])
    })
  })

  it('can ask again after all requests were answered', async () => {
    const answers = await many(5, () => ask('adam', '/users?q=adam'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })
})

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value)

describe('Many requests of one tenant', () => {
  type Run = ReturnType<typeof takeTurns>['run']
  const as = (run: Run, tenant_id: string, dear: boolean, work: () => Promise<void>) =>
    run(
      { dear } as Parameters<Run>[0],
      {},
      { actor: { tenant_id }, principal: { user_id: 1 } } as never,
      work,
    )

  /** How many of the requests ran at once, counted from the fifth on. */
  async function running(isBeside: boolean): Promise<number> {
    const { run } = takeTurns({ ...LIMITS, crowd: 2, waiting: 40, perPerson: 40 })
    let [begun, now, most] = [0, 0, 0]
    const work = async () => {
      begun += 1
      now += 1
      if (begun > 4) most = Math.max(most, now)
      await sleep(5)
      now -= 1
    }
    if (isBeside) await as(run, 'other', false, async () => {})
    await many(20, () => as(run, 'crowded', true, work))
    return most
  }

  it('run one at a time while another tenant is active, and two at a time otherwise', async () => {
    expect(await running(true)).toBe(1)
    expect(await running(false)).toBe(2)
  })
})
