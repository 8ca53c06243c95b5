/** A completed journey takes answers during its grace period, an archived one none; learners can still read both. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookAfterJourneys } from '#app/jobs/look-after-journeys.server.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { createJourneysWorld, createTestCarrier, type JourneysWorld } from './journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const inAcme = inAcmeOf(() => world)

async function launched(name: string, more: object = {}) {
  const { id, lift, prompt } = await world.draft(['uri', 'aya'], { name, ...more })
  const byHand = { schedule: { kind: 'manual', at_launch: false }, status: 'ready', title: 'Never sent' }
  const blocks = [{ kind: 'text', markdown: 'Secret until sent.' }]
  const never = await world.must('adam', 'POST', `/lljs/${id}/lifts`, { ...byHand, blocks })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await world.drain(createTestCarrier().carriers)
  const answer = (who: 'uri' | 'aya') =>
    world.call(who, 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id: prompt, value: 'a' }] })
  const todo = async () =>
    (await world.must('uri', 'GET', '/learner/todo')).data.filter(
      (item: { lift_id: number }) => item.lift_id === lift,
    )
  return { id, lift, never: never.id as number, answer, todo }
}

const figures = (id: number) => world.must('adam', 'GET', `/analytics/overview?journey=${id}`)

describe('A completed journey', () => {
  it('takes answers during its grace period; then its lifts close and leave the to-do list', async () => {
    const { id, lift, answer, todo } = await launched('Over soon', { grace_days: 3 })
    await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
    const [item] = await todo()
    expect(Math.round((Date.parse(item.closes_at) - Date.now()) / 86_400_000)).toBe(3)
    expect((await answer('uri')).status).toBe(200)
    await inAcme(({ db }) =>
      sql`update journeys set answers_until = now() - interval '1 minute' where id = ${id}`.execute(db),
    )
    expect((await answer('aya')).status).toBe(409)
    expect(await todo()).toEqual([])
    expect(await world.must('aya', 'GET', `/lifts/${lift}/page`)).toMatchObject({
      is_closed: true,
      has_ended: true,
    })
  })

  it('keeps a lift without a message in the to-do list, as a paused journey does', async () => {
    await world.must('uri', 'PUT', '/users/me/mail_stops', { all: true, journey_ids: [] })
    const { id, answer, todo } = await launched('Unmailed', { channels: ['email'], grace_days: 3 })
    expect(await todo()).toHaveLength(1)
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    expect(await todo()).toHaveLength(1)
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
    expect(await todo()).toHaveLength(1)
    expect((await answer('uri')).status).toBe(200)
    await world.must('uri', 'PUT', '/users/me/mail_stops', { all: false, journey_ids: [] })
  })

  it('rejects an invalid grace period', async () => {
    const { id } = await world.draft(['uri'], { name: 'Graceless' })
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    for (const grace_days of [-1, 91, 1.5])
      expect((await world.call('adam', 'PUT', `/lljs/${id}`, { grace_days, lock_version })).status).toBe(422)
  })
})

it('A journey stays active if a lift is added at the moment when it would be completed', async () => {
  const { id } = await world.draft(['uri'], { name: 'Nearly over' })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await inAcme(async ({ db }) => {
    await sql`update occurrences set due_at = now() - interval '20 days' where journey_id = ${id}`.execute(db)
    await sql`update journeys set status = 'active' where id = ${id}`.execute(db)
  })
  const admin = await world.database.connectAdmin()
  // Both wait for the journey's lock; either can add the lift first.
  await admin.query('begin')
  await admin.query('select from journeys where id = $1 for no key update', [id])
  const blocks = [{ kind: 'text', markdown: 'Text.' }]
  const schedule = { kind: 'absolute', date: '2031-05-05', time: '12:00' }
  const more = { title: 'One more', status: 'ready', blocks, schedule }
  const adding = world.call('adam', 'POST', `/lljs/${id}/lifts`, more)
  await expect.poll(world.database.countWaiting).toBe(1)
  const context = { database: world.database.worker, log: { error() {} } }
  const over = lookAfterJourneys(context as unknown as Parameters<typeof lookAfterJourneys>[0])
  await expect.poll(world.database.countWaiting).toBe(2)
  await admin.query('rollback')
  await Promise.all([over, admin.end()])
  expect((await adding).status).toBe(201)
  expect((await world.must('adam', 'GET', `/lljs/${id}`)).status).toBe('active')
})

describe('An archived journey', () => {
  it('is closed to answers at once, and its figures stay the same', async () => {
    const { id, lift, answer, todo } = await launched('Put away')
    await answer('uri')
    await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
    await world.must('adam', 'POST', `/lljs/${id}/archive`, {})
    const before = await figures(id)
    expect((await answer('aya')).status).toBe(409)
    expect((await world.must('aya', 'GET', `/lifts/${lift}/page`)).is_closed).toBe(true)
    const { as_of: _then, ...stood } = before
    const { as_of: _now, ...stands } = await figures(id)
    expect(stands).toEqual(stood)
    expect(await todo()).toEqual([])
  })

  it('can still be read by its learners, and shows an unsent lift as ended, without content', async () => {
    const { id, lift, never, answer } = await launched('Kept to read')
    await answer('uri')
    await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
    await world.must('adam', 'POST', `/lljs/${id}/archive`, {})
    const { data } = await world.must('uri', 'GET', '/learner/lljs')
    expect(data.map((one: { id: number }) => one.id)).toContain(id)
    const own = await world.must('uri', 'GET', `/learner/lljs/${id}`)
    expect(own.lifts).toMatchObject([{ id: lift, state: 'completed' }])
    expect((await world.must('uri', 'GET', `/lifts/${lift}/page`)).prompts[0].answer.value).toBe('a')
    const unsent = await world.call('uri', 'GET', `/lifts/${never}/page`)
    expect(unsent.json).toMatchObject({ has_ended: true, blocks: [], prompts: [], title: 'Never sent' })
    expect((await world.call('greta', 'GET', `/lifts/${never}/page`)).status).toBe(404)
  })
})

describe('A learner’s lift', () => {
  it('shows when it is due, and no content before that', async () => {
    const later = { schedule: { kind: 'absolute', date: '2031-03-03', time: '12:00' } }
    const { id, lift } = await world.draft(['uri'], { name: 'To come' }, later)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    const page = await world.must('uri', 'GET', `/lifts/${lift}/page`)
    expect(page.not_yet.due_at).toMatch(/^2031-03-03T/)
    expect([page.blocks, page.prompts]).toEqual([[], []])
    expect((await world.call('uri', 'POST', `/lifts/${lift}/responses`, { complete: true })).status).toBe(404)
    expect((await world.call('aya', 'GET', `/lifts/${lift}/page`)).status).toBe(404)
  })

  it('names the next lift, open or planned, once it is completed', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'In turn' })
    const more = { blocks: [{ kind: 'text', markdown: 'Text.' }], status: 'ready' }
    const second = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      ...{ ...more, title: 'Second', schedule: { kind: 'manual', at_launch: true } },
    })
    const on = { kind: 'absolute', date: '2031-03-03', time: '12:00' }
    await world.must('adam', 'POST', `/lljs/${id}/lifts`, { ...more, title: 'Third', schedule: on })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const answers = { responses: [{ prompt_id: prompt, value: 'a' }] }
    const done = await world.must('uri', 'POST', `/lifts/${lift}/responses`, answers)
    expect(done.next).toMatchObject({ id: second.id, title: 'Second', is_open: true })
    const last = await world.must('uri', 'POST', `/lifts/${second.id}/responses`, { complete: true })
    expect(last.next).toMatchObject({
      title: 'Third',
      is_open: false,
      due_at: expect.stringMatching(/^2031/),
    })
  })
})
