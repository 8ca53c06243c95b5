/** Messages are replanned while others are sent and reported: all lock in the same order, so there is no deadlock. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { writeFact } from '#app/domain/occurrences/facts.server.ts'
import { lockDays } from '#app/domain/planning/lock-days.server.ts'
import { replanMoved } from '#app/domain/planning/runs/replan-moved.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { releaseClaims } from '#app/domain/sending/claims.server.ts'
import { holdMissed } from '#app/domain/sending/hold-missed.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())
beforeEach(() =>
  inAcme(async ({ db }) => {
    await db.deleteFrom('journeys').execute()
    await sql`update users set timezone = null`.execute(db)
  }),
)

const on = (days: number) => {
  const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return { schedule: { kind: 'absolute', date, time: '12:00' } }
}

it('An edit that moves a second lift waits for messages of both lifts', async () => {
  const { id, lift } = await world.draft(['uri', 'aya'], {}, on(3))
  await addLift(id, { schedule: { kind: 'offset', from: 'previous_lift_completed', days: 1, time: null } })
  await launch(id)
  await inAcme(({ db }) =>
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
  await launch(id)
  const second = await addLift(id, on(5))
  // One of them has opened the second lift, so the two are planned one after the other.
  await inAcme(({ db }) =>
    sql`update occurrences set opened_at = now()
      where id = (select max(id) from occurrences where lift_id = ${second})`.execute(db),
  )
  expect(await whileTheyLeave(moveAll)).toBe(2)
})

it('Releasing the claims of a process that ends waits for messages of all learners', async () => {
  const { id } = await world.draft(['uri', 'aya', 'adam', 'both'], {}, on(3))
  await launch(id)
  await turnRound()
  await whileTheyLeave(() => releaseClaims(world.database.worker, 'one/'))
  expect(await statesOfMessages()).toEqual(Array(4).fill({ state: 'planned' }))
})

it('Holding missed messages after a restore waits for messages of all learners', async () => {
  const { id } = await world.draft(['uri', 'aya', 'adam', 'both'], {}, on(3))
  await launch(id)
  await turnRound()
  expect(await whileTheyLeave(() => inAcme((scope) => asTheyStand(scope, holdMissed)))).toBe(4)
  expect(await statesOfMessages()).toEqual(Array(4).fill({ state: 'expired' }))
})

it('Replanning in several journeys waits for an edit of any of them before it plans', async () => {
  for (const name of ['One', 'Other']) await launch((await world.draft(['uri'], { name }, on(3))).id)
  const { moved } = await inAcme(async (scope) => {
    await sql`select from journeys where name = 'Other' for no key update`.execute(scope.db)
    const moved = moveAll()
    await expect.poll(world.database.countWaiting).toBe(1)
    await lockDays(scope, [world.people.uri.user_id])
    return { moved }
  })
  expect(await moved).toBe(2)
})

it('Replanning after a person changed their time zone waits for a lift that they complete', async () => {
  const { id, lift, prompt } = await world.draft(['uri'])
  const sent = await addLift(id, { schedule: { kind: 'manual', at_launch: true } })
  await addLift(id, { schedule: { kind: 'after_lift', lift_id: lift, min_hours: 72 } })
  await launch(id)
  await world.drain(createTestCarrier().carriers)
  await answer(lift, prompt)
  const { moved } = await inAcme(async (scope) => {
    const occurrence = await completeLift(scope, sent)
    const moved = moveAll()
    await expect.poll(world.database.countWaiting).toBe(1)
    await writeFact(scope, occurrence)
    return { moved }
  })
  expect(await moved).toBe(1)
})

it('An answer that plans the next lift and a pause of the journey do not deadlock', async () => {
  const { id, lift, prompt, later } = await awaited()
  const { both } = await inAcme(async ({ db }) => {
    await sql`select from fact_occurrence where lift_id = ${later} for update`.execute(db)
    const paused = world.call('adam', 'POST', `/lljs/${id}/pause`)
    await expect.poll(world.database.countWaiting).toBe(1)
    const both = Promise.all([paused, answer(lift, prompt)])
    await expect.poll(world.database.countWaiting).toBe(2)
    return { both }
  })
  expect((await both).map(({ status }) => status)).toEqual([200, 200])
})

it('An answer that plans the next lift and a resume of the journey do not deadlock', async () => {
  const { id, lift, prompt } = await awaited()
  await world.must('adam', 'POST', `/lljs/${id}/pause`)
  const { both } = await inAcme(async ({ db }) => {
    await sql`select from fact_occurrence where lift_id = ${lift} for update`.execute(db)
    const answered = answer(lift, prompt)
    await expect.poll(world.database.countWaiting).toBe(1)
    const both = Promise.all([answered, world.call('adam', 'POST', `/lljs/${id}/resume`, { mode: 'skip' })])
    await expect.poll(world.database.countWaiting).toBe(2)
    return { both }
  })
  expect((await both).map(({ status }) => status)).toEqual([200, 200])
})

it('Removing a participant waits for a lift that the participant completes', async () => {
  const { id, lift } = await world.draft(['nora'])
  await addLift(id, on(5))
  await launch(id)
  await world.drain(createTestCarrier().carriers)
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  const { removed } = await inAcme(async (scope) => {
    const occurrence = await completeLift(scope, lift)
    await sql`select from fact_occurrence where occurrence_id = ${occurrence} for update`.execute(scope.db)
    const removed = world.call('adam', 'DELETE', `/lljs/${id}/members/${data[0].id}`)
    await expect.poll(world.database.countWaiting).toBe(1)
    await writeFact(scope, occurrence)
    return { removed }
  })
  expect((await removed).status).toBe(200)
})

it('Erasing a person waits for their messages', async () => {
  const { id } = await world.draft(['nora'], {}, on(5))
  await launch(id)
  const { erased } = await inAcme(async ({ db }) => {
    await sql`select from dispatches for update`.execute(db)
    const erased = world.call('adam', 'POST', `/users/${world.people.nora.user_id}/erasure`, {})
    await expect.poll(world.database.countWaiting).toBe(1)
    await sql`update occurrences set state = 'due'`.execute(db)
    return { erased }
  })
  expect((await erased).status).toBe(200)
})

const inAcme = inAcmeOf(() => world)

const launch = (id: number) => world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })

/** Uri has a lift, a second one that follows it, and a third one with a later date. */
async function awaited() {
  const made = await world.draft(['uri'])
  await addLift(made.id, { schedule: { kind: 'after_lift', lift_id: made.lift, min_hours: 24 } })
  const later = await addLift(made.id, on(5))
  await launch(made.id)
  await world.drain(createTestCarrier().carriers)
  return { ...made, later }
}

const answer = (lift: number, prompt: number) =>
  world.call('uri', 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id: prompt, value: 'a' }] })

/** Completes a lift as an answer does, except for its fact. */
async function completeLift({ db }: Scope, lift: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`update occurrences set state = 'completed', completed_at = now()
    where lift_id = ${lift} returning id`.execute(db)
  return rows[0]?.id ?? 0
}

async function addLift(id: number, more: object): Promise<number> {
  const blocks = [{ kind: 'text', markdown: 'Text.' }]
  const made = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
    ...{ title: 'Next', status: 'ready', blocks },
    ...more,
  })
  return made.id
}

/** Makes all messages claimed and due; those locked last come first in the table and by id. */
async function turnRound(): Promise<void> {
  await inAcme(async ({ db }) => {
    await db.deleteFrom('dispatches').execute()
    await sql`insert into dispatches (tenant_id, occurrence_id, kind, channel, state, due_at, next_attempt_at,
        lease_owner, lease_until)
      select tenant_id, id, 'lift', 'email', 'claimed', now(), now(), 'one/1', now() + interval '1 minute'
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
  const { rows } = await inAcme(({ db }) => sql`select state from dispatches`.execute(db))
  return rows
}

async function moveAll(): Promise<number> {
  await inAcme(({ db }) => sql`update users set timezone = 'Asia/Tokyo'`.execute(db))
  return inAcme((scope) => replanMoved(scope, { everybody: true }))
}

/** Locks two messages in the middle, as senders and receipts do, and begins `work` between the two. */
async function whileTheyLeave<Result>(work: () => Promise<Result>): Promise<Result> {
  const { working } = await inAcme(async ({ db }) => {
    const { rows } = await sql<{ id: number }>`select id from dispatches order by occurrence_id`.execute(db)
    expect(rows).toHaveLength(4)
    const lock = (nth: number) =>
      sql`select from dispatches where id = ${rows[nth]?.id} for update`.execute(db)
    await lock(1)
    const working = work()
    await expect.poll(world.database.countWaiting).toBe(1)
    await lock(2)
    return { working }
  })
  return working
}
