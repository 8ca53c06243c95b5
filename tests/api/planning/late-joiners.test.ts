/** A learner who joins after a lift was sent begins with the next one, even if that one waits for the missed lift. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { zoneAt } from './zones.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
  const admin = await world.database.connectAdmin()
  await admin.query('update users set timezone = $1', [zoneAt(12)])
  await admin.end()
})
afterAll(() => world?.drop())

const inAcme = inAcmeOf(() => world)
const AFTER = { kind: 'offset', from: 'previous_lift_completed' }

async function addLift(id: number, title: string, schedule: object): Promise<{ id: number }> {
  const text = { title, blocks: [{ kind: 'text', markdown: 'More.' }], status: 'ready' }
  return world.must('adam', 'POST', `/lljs/${id}/lifts`, { ...text, schedule })
}

async function launched(...schedules: object[]) {
  const { id, lift, prompt } = await world.draft(['uri'])
  const lifts: number[] = []
  for (const [nth, schedule] of schedules.entries())
    lifts.push((await addLift(id, `Next ${nth}`, schedule)).id)
  // The launch has to say what happens to lifts whose hour has passed in the company's zone.
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true, skip_past: false })
  return { id, lift, prompt, lifts }
}

/** The lifts by title, and in how many days each comes. */
const planned = (id: number, name: 'uri' | 'aya') =>
  inAcme(async ({ db }) => {
    const { rows } = await sql<{ title: string; days: number | null }>`
      select l.title, (o.due_at at time zone o.zone)::date - (now() at time zone o.zone)::date as days
      from occurrences o join lifts l on l.id = o.lift_id join members m on m.id = o.member_id
      where o.journey_id = ${id} and m.user_id = ${world.people[name].user_id} order by l.position`.execute(
      db,
    )
    return rows.map(({ title, days }) => [title, days])
  })

const join = (id: number) =>
  world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })

it('plans the lift after the missed one for a late joiner, moves it when its schedule is edited, and goes on once it is completed', async () => {
  const { id, lifts } = await launched({ ...AFTER, days: 2 }, { ...AFTER, days: 3 })
  await join(id)
  const begun = [
    ['Next 0', 2],
    ['Next 1', null],
  ]
  expect(await planned(id, 'aya')).toEqual(begun)
  expect(await planned(id, 'uri')).toEqual([['Listen first', 0], ...begun.map(([title]) => [title, null])])

  const { lock_version } = await world.must('adam', 'GET', `/lifts/${lifts[0]}`)
  const later = { schedule: { ...AFTER, days: 4 }, lock_version }
  await world.must('adam', 'PUT', `/lifts/${lifts[0]}`, later)
  expect(await planned(id, 'aya')).toEqual([
    ['Next 0', 4],
    ['Next 1', null],
  ])
  await inAcme(({ db }) =>
    sql`update occurrences set state = 'sent', due_at = now() where lift_id = ${lifts[0]} and state = 'planned'`.execute(
      db,
    ),
  )
  await world.must('aya', 'POST', `/lifts/${lifts[0]}/responses`, { responses: [], complete: true })
  expect(await planned(id, 'aya')).toEqual([
    ['Next 0', 0],
    ['Next 1', 3],
  ])
})

it('plans the next lift for a late joiner at once if it follows on the same day or hours later', async () => {
  const sameDay = await launched({ ...AFTER, days: 0, time: '00:00' })
  await join(sameDay.id)
  expect(await planned(sameDay.id, 'aya')).toEqual([['Next 0', expect.any(Number)]])

  const { id, lift } = await world.draft(['uri'])
  await addLift(id, 'Hours later', { kind: 'after_lift', lift_id: lift, min_hours: 1 })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await join(id)
  expect(await planned(id, 'aya')).toEqual([['Hours later', expect.any(Number)]])
})

it('ignores a lift whose time is past when the next lift waits for the one before it', async () => {
  const { id, lift, prompt, lifts } = await launched({ ...AFTER, days: 2 })
  const between = await addLift(id, 'Too late', { kind: 'absolute', date: '2020-01-01', time: '10:00' })
  await world.must('adam', 'PATCH', `/lljs/${id}/lifts/order`, { lift_ids: [lift, between.id, ...lifts] })
  expect(await planned(id, 'uri')).toEqual([
    ['Listen first', 0],
    ['Next 0', null],
  ])
  await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
    responses: [{ prompt_id: prompt, value: 'a' }],
  })
  expect(await planned(id, 'uri')).toEqual([
    ['Listen first', 0],
    ['Next 0', 2],
  ])
})

it('plans a lift for the day of joining even if its time of day is past', async () => {
  await inAcme(({ db }) => db.deleteFrom('journeys').execute())
  const { id } = await launched({ kind: 'offset', from: 'joined', days: 0, time: '09:00' })
  await join(id)
  expect(await planned(id, 'aya')).toEqual([['Next 0', 0]])
})

describe('A learner whose lift was skipped by a pause', () => {
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  /** The second of three lifts falls into the pause. */
  async function paused(options: { answered: boolean }) {
    await inAcme(({ db }) => db.deleteFrom('journeys').execute())
    const { id, lift, prompt } = await launched(
      { kind: 'absolute', date: tomorrow, time: '12:00' },
      { ...AFTER, days: 2 },
    )
    const answer = () =>
      world.must('uri', 'POST', `/lifts/${lift}/responses`, {
        responses: [{ prompt_id: prompt, value: 'a' }],
      })
    if (options.answered) await answer()
    await inAcme(async ({ db }) => {
      await sql`update occurrences set state = 'sent' where lift_id = ${lift} and state = 'due'`.execute(db)
      await sql`update dispatches set state = 'accepted', sent_at = now() where due_at <= now()`.execute(db)
    })
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    await inAcme(({ db }) =>
      sql`update occurrences set due_at = now() - interval '1 hour' where due_at > now()`.execute(db),
    )
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'skip' })
    return { id, answer }
  }

  it('gets the following lift if the lift before the skipped one is completed', async () => {
    const { id } = await paused({ answered: true })
    expect((await planned(id, 'uri')).at(-1)).toEqual(['Next 1', 2])
  })

  it('gets the following lift once the lift before the skipped one is completed', async () => {
    const { id, answer } = await paused({ answered: false })
    expect((await planned(id, 'uri')).at(-1)).toEqual(['Next 1', null])
    await answer()
    expect((await planned(id, 'uri')).at(-1)).toEqual(['Next 1', 2])
  })
})
