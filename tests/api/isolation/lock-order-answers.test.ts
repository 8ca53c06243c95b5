/** Plans change while people answer and messages are sent: all lock in one order, so there is no deadlock. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { writeFact } from '#app/domain/occurrences/facts.server.ts'
import { lockDays } from '#app/domain/planning/lock-days.server.ts'
import { orderLifts } from '#app/domain/running/reorder-lifts.server.ts'
import { on } from '#tests/api/journeys/journeys-world.ts'
import { completeLift, createLockOrderWorld, type LockOrderWorld } from './lock-order-world.ts'

let world: LockOrderWorld
beforeAll(async () => {
  world = await createLockOrderWorld()
})
afterAll(() => world?.drop())
beforeEach(() => world.clear())

it('Replanning that waits for an edit of one journey holds nothing of another', async () => {
  for (const name of ['One', 'Other']) await world.launch((await world.draft(['uri'], { name }, on(3))).id)
  const { moved } = await world.inAcme(async (scope) => {
    await sql`select from journeys where name = 'Other' for no key update`.execute(scope.db)
    const moved = world.moveAll()
    await expect.poll(world.database.countWaiting).toBe(1)
    await lockDays(scope, [world.people.uri.user_id])
    return { moved }
  })
  expect(await moved).toBe(2)
})

it('Replanning after a person changed their time zone waits for a lift that they complete', async () => {
  const { id, lift, prompt } = await world.draft(['uri'])
  const sent = await world.addLift(id, 'Next', { schedule: { kind: 'manual', at_launch: true } })
  await world.addLift(id, 'Next', { schedule: { kind: 'after_lift', lift_id: lift, min_hours: 72 } })
  await world.launch(id)
  await world.send()
  await world.answer(lift, prompt)
  const { moved } = await world.inAcme(async (scope) => {
    const occurrence = await completeLift(scope, sent)
    const moved = world.moveAll()
    await expect.poll(world.database.countWaiting).toBe(1)
    await writeFact(scope, occurrence)
    return { moved }
  })
  expect(await moved).toBe(1)
})

it('An answer that plans the next lift and a pause of the journey do not deadlock', async () => {
  const { id, lift, prompt, later } = await world.awaited()
  const { both } = await world.inAcme(async ({ db }) => {
    await sql`select from fact_occurrence where lift_id = ${later} for update`.execute(db)
    const paused = world.call('adam', 'POST', `/lljs/${id}/pause`)
    await expect.poll(world.database.countWaiting).toBe(1)
    const both = Promise.all([paused, world.answer(lift, prompt)])
    await expect.poll(world.database.countWaiting).toBe(2)
    return { both }
  })
  expect((await both).map(({ status }) => status)).toEqual([200, 200])
})

it('An answer that plans the next lift and a resume of the journey do not deadlock', async () => {
  const { id, lift, prompt } = await world.awaited()
  await world.must('adam', 'POST', `/lljs/${id}/pause`)
  const { both } = await world.inAcme(async ({ db }) => {
    await sql`select from fact_occurrence where lift_id = ${lift} for update`.execute(db)
    const answered = world.answer(lift, prompt)
    await expect.poll(world.database.countWaiting).toBe(1)
    const both = Promise.all([answered, world.call('adam', 'POST', `/lljs/${id}/resume`, { mode: 'skip' })])
    await expect.poll(world.database.countWaiting).toBe(2)
    return { both }
  })
  expect((await both).map(({ status }) => status)).toEqual([200, 200])
})

it('Removing a participant waits for a lift that the participant completes', async () => {
  const { id, lift } = await world.draft(['nora'])
  await world.addLift(id, 'Next', on(5))
  await world.launch(id)
  await world.send()
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  const { removed } = await world.inAcme(async (scope) => {
    const occurrence = await completeLift(scope, lift)
    await sql`select from fact_occurrence where occurrence_id = ${occurrence} for update`.execute(scope.db)
    const removed = world.call('adam', 'DELETE', `/lljs/${id}/members/${data[0].id}`)
    await expect.poll(world.database.countWaiting).toBe(1)
    await writeFact(scope, occurrence)
    return { removed }
  })
  expect((await removed).status).toBe(200)
})

it('An answer does not wait while lifts are reordered', async () => {
  const { id, lift, prompt } = await world.draft(['uri'])
  const later = await world.addLift(id, 'Later', on(5))
  await world.launch(id)
  await world.send()
  const { status } = await world.inAcme(async (scope) => {
    await orderLifts(scope, id, { lift_ids: [later, lift] })
    return world.answer(lift, prompt)
  })
  expect(status).toBe(200)
})

it.each(['edit', 'deletion'] as const)(
  'An answer, and the %s that lets another lift follow it, do not wait for each other',
  async (kind) => {
    const { id, lift, prompt } = await world.draft(['uri'])
    const between = await world.addLift(id, 'Between', on(5))
    await world.addLift(id, 'Follows', {
      schedule: { kind: 'offset', from: 'previous_lift_completed', days: 1, time: null },
    })
    await world.launch(id)
    await world.send()
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${between}`)
    const { both } = await world.inAcme(async ({ db }) => {
      await sql`select from fact_occurrence where lift_id = ${lift} for update`.execute(db)
      const answered = world.answer(lift, prompt)
      await expect.poll(world.database.countWaiting).toBe(1)
      const edited =
        kind === 'edit'
          ? world.call('adam', 'PUT', `/lifts/${between}`, { status: 'draft', lock_version })
          : world.call('adam', 'DELETE', `/lifts/${between}`)
      await expect.poll(world.database.countWaiting).toBe(2)
      return { both: Promise.all([answered, edited]) }
    })
    expect((await both).map(({ status }) => status)).toEqual([200, 200])
  },
)

it('An edit locks all affected learners before it writes, those who have opened the lift too', async () => {
  const { lift } = await world.draft(['uri', 'aya'], {}, on(5))
  await launchUnlike(lift, 'opened_at = now()')
  const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
  const change = { ...on(7), required: false, lock_version }
  const { status } = await whileLearnersChange(() => world.call('adam', 'PUT', `/lifts/${lift}`, change))
  expect(status).toBe(200)
})

it('Sending a lift again to one learner and for the first time to another locks both before it writes', async () => {
  const { lift } = await world.draft(['uri', 'aya'], {}, { ...on(5), closes_after_hours: 48 })
  const id = await launchUnlike(lift, `state = 'due'`)
  await world.inAcme(({ db }) =>
    sql`update dispatches set state = 'failed', sent_at = now() where occurrence_id = ${id}`.execute(db),
  )
  const all = { member_ids: 'pending' }
  const { status } = await whileLearnersChange(() =>
    world.call('adam', 'POST', `/lifts/${lift}/send_now`, all),
  )
  expect(status).toBe(200)
})

/** Launches, and has something happen to the first learner's turn; returns it. */
async function launchUnlike(lift: number, happened: string): Promise<number> {
  const { journey_id } = await world.must('adam', 'GET', `/lifts/${lift}`)
  await world.launch(journey_id)
  const { rows } = await world.inAcme(({ db }) =>
    sql<{ id: number }>`update occurrences set ${sql.raw(happened)}
      where id = (select min(id) from occurrences where lift_id = ${lift}) returning id`.execute(db),
  )
  return rows[0]?.id ?? 0
}

/** Begins `work` between the locks of two learners, the first of whom is like no other. */
const whileLearnersChange = <Result>(work: () => Promise<Result>): Promise<Result> =>
  world.whileLocked([lockLearner(0), lockLearner(1)], work)

const lockLearner = (nth: number) => sql`select from fact_learner
  where member_id = (select member_id from fact_learner order by 1 offset ${nth} limit 1) for update`
