/** Messages are replanned while others are sent and reported: all lock in the same order, so there is no deadlock. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { releaseClaims } from '#app/domain/sending/claims.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import { holdMissed } from '#app/domain/sending/hold-missed.server.ts'
import { recordNumberRefused } from '#app/domain/sending/receipts.server.ts'
import { on } from '#tests/api/journeys/journeys-world.ts'
import { createLockOrderWorld, type LockOrderWorld } from './lock-order-world.ts'

let world: LockOrderWorld
beforeAll(async () => {
  world = await createLockOrderWorld()
})
afterAll(() => world?.drop())
beforeEach(() => world.clear())

it('An edit that moves a second lift waits for messages of both lifts', async () => {
  const { id, lift } = await world.draft(['uri', 'aya'], {}, on(3))
  await world.addLift(id, 'Next', {
    schedule: { kind: 'offset', from: 'previous_lift_completed', days: 1, time: null },
  })
  await world.launch(id)
  await world.inAcme(({ db }) =>
    sql`insert into dispatches (tenant_id, occurrence_id, kind, channel, due_at, next_attempt_at)
      select tenant_id, id, 'lift', 'email', now(), now() from occurrences where lift_id <> ${lift}`.execute(
      db,
    ),
  )
  const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
  const { status } = await whileTheyLeave(() =>
    world.call('adam', 'PUT', `/lifts/${lift}`, { status: 'draft', lock_version }),
  )
  expect(status).toBe(200)
})

it('Replanning after people changed their time zone waits for messages of all of them', async () => {
  const { id } = await world.draft(['uri', 'aya'], {}, on(3))
  await world.launch(id)
  const second = await world.addLift(id, 'Next', on(5))
  // One of them has opened the second lift, so the two are planned one after the other.
  await world.inAcme(({ db }) =>
    sql`update occurrences set opened_at = now()
      where id = (select max(id) from occurrences where lift_id = ${second})`.execute(db),
  )
  expect(await whileTheyLeave(world.moveAll)).toBe(2)
})

it('Releasing the claims of a process that ends waits for messages of all learners', async () => {
  const { id } = await world.draft(['uri', 'aya', 'adam', 'both'], {}, on(3))
  await world.launch(id)
  await turnRound()
  await whileTheyLeave(() => releaseClaims(world.database.worker, 'one/'))
  expect(await statesOfMessages()).toEqual(Array(4).fill({ state: 'planned' }))
})

it('Holding missed messages after a restore waits for messages of all learners', async () => {
  const { id } = await world.draft(['uri', 'aya', 'adam', 'both'], {}, on(3))
  await world.launch(id)
  await turnRound()
  expect(await whileTheyLeave(() => world.inAcme((scope) => asTheyStand(scope, holdMissed)))).toMatchObject({
    missed: 4,
  })
  expect(await statesOfMessages()).toEqual(Array(4).fill({ state: 'expired' }))
})

it('A change of consent waits for all messages to the number', async () => {
  const { id } = await world.draft(['uri'], { channels: ['sms', 'email'] }, on(3))
  for (const days of [4, 5, 6]) await world.addLift(id, 'Next', on(days))
  await world.launch(id)
  await turnRound('planned')
  const { user_id } = world.people.uri
  const number = '+436641234567'
  const change = { number, user_id, action: 'opt_in', source: 'profile' } as const
  await world.inAcme(({ db }) =>
    sql`update users set mobile_phone = ${number} where id = ${user_id}`.execute(db),
  )
  await whileTheyLeave(() => world.inAcme((scope) => asTheyStand(scope, (own) => settleConsent(own, change))))
  const { rows } = await world.inAcme(({ db }) => sql`select distinct channel from dispatches`.execute(db))
  expect(rows).toEqual([{ channel: 'sms' }])
})

describe('Messages in two journeys, the second launched first', () => {
  const NUMBER = '+436641234567'
  beforeEach(async () => {
    const [later, earlier] = [await world.draft(['uri'], {}, on(3)), await world.draft(['uri'], {}, on(4))]
    await world.launch(earlier.id)
    await world.launch(later.id)
    await turnRound('planned')
    await world.inAcme(({ db }) =>
      sql`update users set mobile_phone = ${NUMBER} where id = ${world.people.uri.user_id}`.execute(db),
    )
  })

  const change = (action: 'opt_in') =>
    world.inAcme((scope) =>
      settleConsent(scope, { number: NUMBER, user_id: world.people.uri.user_id, action, source: 'sms' }),
    )
  /** Of the message that is locked last. */
  const inLast = <Result>(work: (scope: Scope, id: number) => Promise<Result>) =>
    world.inAcme(async (scope) => {
      const { rows } = await sql<{ id: number }>`
        select id from dispatches order by occurrence_id desc limit 1`.execute(scope.db)
      return work(scope, rows[0]?.id ?? 0)
    })
  const leave = (state: string) =>
    inLast(({ db }, id) =>
      sql`update dispatches set channel = 'sms', address = ${NUMBER},
        state = case when id = ${id} then ${state} else state end`.execute(db),
    )
  const refuse = () => inLast((scope, id) => recordNumberRefused(scope, id, 'opted_out'))
  const report = () =>
    inLast((scope, id) =>
      recordDelivery(scope, `${world.acme}:${id}`, {
        ...{ provider_id: 'one', delivered: false, code: '21610', number: 'opted_out' },
      }),
    )
  const erase = () => world.must('adam', 'POST', `/users/${world.people.uri.user_id}/erasure`, {})

  it.each([
    ['Replanning after a change of time zone', 'planned', () => world.moveAll()],
    ['An opt-in', 'planned', () => change('opt_in')],
    ['A carrier’s refusal of their number', 'unknown', refuse],
    ['A carrier’s report on their number', 'accepted', report],
    ['Erasing their person', 'planned', erase],
  ])('%s does not deadlock with a sender that gives back its claims', async (_, state, work) => {
    if (state !== 'planned') await leave(state)
    await world.whileLocked([lockMessage(0), lockMessage(1)], work)
  })
})

it('Erasing a person waits for their messages', async () => {
  const { id } = await world.draft(['nora'], {}, on(5))
  await world.launch(id)
  const { erased } = await world.inAcme(async ({ db }) => {
    await sql`select from dispatches for update`.execute(db)
    const erased = world.call('adam', 'POST', `/users/${world.people.nora.user_id}/erasure`, {})
    await expect.poll(world.database.countWaiting).toBe(1)
    await sql`update occurrences set state = 'due'`.execute(db)
    return { erased }
  })
  expect((await erased).status).toBe(200)
})

it('Erasing a person waits for a change of participants of their journey before it locks them', async () => {
  const { user_id } = world.people.both
  await world.draft(['both'])
  const inJourney = sql`select from journeys j join members m on m.journey_id = j.id and m.user_id = ${user_id}
    for no key update`
  const added = sql`select from users where id = ${user_id} for key share`
  const erased = await world.whileLocked([inJourney, added], () =>
    world.call('adam', 'POST', `/users/${user_id}/erasure`, {}),
  )
  expect(erased.status).toBe(200)
})

/** All are claimed (or planned) and due; the ones locked last come first in the table and by id. */
async function turnRound(state = 'claimed'): Promise<void> {
  await world.inAcme(async ({ db }) => {
    await db.deleteFrom('dispatches').execute()
    await sql`insert into dispatches (tenant_id, occurrence_id, kind, channel, state, due_at, next_attempt_at,
        lease_owner, lease_until)
      select tenant_id, id, 'lift', 'email', ${state}, now(), now(), 'one/1', now() + interval '1 minute'
      from occurrences order by id desc`.execute(db)
  })
}

/** Reads rows in table order, not by an index that happens to have them in lock order. */
async function asTheyStand<Result>(scope: Scope, work: (scope: Scope) => Promise<Result>): Promise<Result> {
  await sql`select set_config(name, 'off', true) from pg_settings
    where name in ('enable_indexscan', 'enable_bitmapscan')`.execute(scope.db)
  return work(scope)
}

async function statesOfMessages() {
  const { rows } = await world.inAcme(({ db }) => sql`select state from dispatches`.execute(db))
  return rows
}

/** Begins `work` between the locks of two messages in the middle, which senders and receipts take in this order. */
const whileTheyLeave = <Result>(work: () => Promise<Result>): Promise<Result> =>
  world.whileLocked([lockMessage(1), lockMessage(2)], work)

const lockMessage = (nth: number) => sql`select from dispatches
  where id = (select id from dispatches order by occurrence_id offset ${nth} limit 1) for update`
