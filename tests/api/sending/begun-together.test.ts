/** Messages that are begun in one transaction are still held back, or fail, one by one. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stopSenders } from '#app/domain/occurrences/settled.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { claimDispatches } from '#app/domain/sending/claims.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

const PEOPLE = ['uri', 'aya', 'nora', 'both'] as const

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())
beforeEach(async () => {
  await setCap(null)
  await inAcme(async ({ db }) => {
    await db.deleteFrom('journeys').execute()
    await sql`update users set timezone = ${zoneAt(13)}`.execute(db)
  })
})

const inAcme = inAcmeOf(() => world, 'worker')

const setCap = (daily_message_cap: number | null) =>
  inScope(world.database.app, systemActor(world.acme), ({ db }) =>
    sql`update tenants set settings = ${JSON.stringify({ daily_message_cap })}::jsonb`.execute(db),
  )

async function launched(people: readonly (typeof PEOPLE)[number][], name = 'Better talks') {
  const made = await world.draft(people, { name, channels: ['email'] })
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true })
  return made
}

async function claimAll(): Promise<number[]> {
  const claims = await claimDispatches(world.database.worker, 'one', { channel: 'email', limit: 20 })
  return claims.map(({ id }) => id)
}

const begin = (ids: readonly number[]) =>
  inAcme((scope) => beginSending(scope, ids, 'one', { origin: ORIGIN }))

/** Begins all in consecutive transactions; returns how many are sent in each. */
async function beginAll(ids: readonly number[]): Promise<number[]> {
  const { messages, left } = await begin(ids)
  return [messages.size, ...(left.length > 0 ? await beginAll(left) : [])]
}

const chain = (one: () => void, other: () => void) => () => {
  one()
  other()
}

async function states(): Promise<Record<string, number>> {
  const { rows } = await inAcme(({ db }) =>
    sql<{ state: string; n: number }>`select state, count(*) as n from dispatches group by 1`.execute(db),
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
}

describe('Messages of one journey', () => {
  it('are prepared together, each for its learner’s address and in the company’s name', async () => {
    await launched(PEOPLE)
    const { messages, left } = await begin(await claimAll())
    const all = [...messages.values()]
    expect(all.map(({ to }) => to).sort()).toEqual(PEOPLE.map((name) => world.people[name].email).sort())
    expect(new Set(all.map(({ letterhead }) => letterhead?.company))).toEqual(new Set(['Acme']))
    expect([left, await states()]).toEqual([[], { sending: 4 }])
  })

  it('are begun without those of another journey, which follow in the next transaction', async () => {
    await launched(['uri', 'aya'])
    await launched(['nora', 'both'], 'Better walks')
    expect(await beginAll(await claimAll())).toEqual([2, 2])
  })

  it('include one lift per learner when two are due; the other stays planned', async () => {
    const { id } = await world.draft(['uri', 'aya'], { channels: ['email'] })
    const second = { title: 'Second', sms_text: 'Hi: {{link}}', status: 'ready' }
    const blocks = [{ kind: 'text', markdown: 'Again.' }]
    await world.must('adam', 'POST', `/lljs/${id}/lifts`, { ...second, blocks })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    await inAcme(({ db }) => sql`update dispatches set due_at = now(), next_attempt_at = now()`.execute(db))
    const ids = await claimAll()
    expect(ids).toHaveLength(4)
    expect(await beginAll(ids)).toEqual([2, 0])
    expect(await states()).toEqual({ sending: 2, planned: 2 })
  })

  it('are begun one at a time if the company has a daily limit, and stop at that limit', async () => {
    await launched(PEOPLE)
    await setCap(2)
    expect(await beginAll(await claimAll())).toEqual([1, 1, 0, 0])
    expect(await states()).toEqual({ sending: 2, planned: 2 })
  })

  it('are sent even if one of them cannot be begun', async () => {
    await launched(PEOPLE)
    await inAcme(({ db }) =>
      sql`update occurrences set content_version = 99 where member_id = (select min(member_id) from occurrences)`.execute(
        db,
      ),
    )
    const { carriers, taken } = createTestCarrier()
    await world.drain(carriers)
    expect([taken.length, await states()]).toEqual([3, { accepted: 3, planned: 1 }])
  })

  it('are recorded as accepted even if the receipt of one of them cannot be stored', async () => {
    await launched(PEOPLE)
    const { carriers, carrier, taken } = createTestCarrier()
    const { send } = carrier
    let nth = 0
    carrier.send = async (message) => {
      const isSecond = ++nth === 2
      const receipt = await send(message)
      return isSecond ? { provider_id: 'No database takes \0 in a text.' } : receipt
    }
    await world.drain(carriers)
    expect([taken.length, await states()]).toEqual([4, { accepted: 3, sending: 1 }])
  })

  it('do not wait for another journey that is being changed', async () => {
    const { id } = await launched(['uri', 'aya'])
    await launched(['nora', 'both'], 'Better walks')
    const { carriers, taken } = createTestCarrier()
    const workers = await world.workers(carriers)
    let drained = Promise.resolve()
    await inAcme(async (scope) => {
      await stopSenders(scope, id)
      drained = workers.drain()
      await expect.poll(() => taken.length, { timeout: 2_000 }).toBe(2)
      expect(taken.map(({ to }) => to).sort()).toEqual(
        [world.people.both.email, world.people.nora.email].sort(),
      )
    })
    await drained
    expect(taken).toHaveLength(4)
    await workers.stop()
  })

  it('have different lease owners in two overlapping runs of the sender, and are all accepted', async () => {
    await launched(['uri', 'aya'])
    let finish = () => {}
    const { carriers } = createTestCarrier(() => new Promise<void>((done) => (finish = chain(finish, done))))
    const workers = await world.workers(carriers)
    const first = workers.drain()
    await expect.poll(states).toEqual({ sending: 2 })
    await launched(['nora', 'both'], 'Better walks')
    const second = workers.drain()
    await expect.poll(states).toEqual({ sending: 4 })
    const { rows } = await inAcme(({ db }) =>
      sql<{ owners: number }>`select count(distinct lease_owner) as owners from dispatches`.execute(db),
    )
    expect(Number(rows[0]?.owners)).toBe(2)
    finish()
    await Promise.all([first, second])
    await workers.stop()
    expect(await states()).toEqual({ accepted: 4 })
  })
})
