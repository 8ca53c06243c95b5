/** A lift that waits for the completion of another is not promised once that one has closed. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from './zones.ts'

let world: JourneysWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())
beforeEach(() => admin.query('update users set timezone = $1', [zoneAt(12)]))

async function launched(...schedules: ((before: number) => object)[]) {
  const first = { closes_after_hours: 24, schedule: { kind: 'manual', at_launch: true } }
  const { id, lift, prompt } = await world.draft(['uri'], {}, first)
  const lifts = [lift]
  for (const [nth, schedule] of schedules.entries()) {
    const more = { title: `Follows ${nth}`, blocks: [{ kind: 'text', markdown: 'More.' }], status: 'ready' }
    const made = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      ...more,
      schedule: schedule(lifts.at(-1) ?? 0),
    })
    lifts.push(made.id)
  }
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await admin.query(
    `update occurrences set state = 'sent', due_at = now() - interval '1 hour' where lift_id = $1`,
    [lift],
  )
  return { id, lift, prompt }
}

const after = (lift_id: number) => ({ kind: 'after_lift', lift_id, min_hours: 0 })
const afterPrevious = () => ({ kind: 'offset', from: 'previous_lift_completed', days: 1 })

it.each([
  ['a lift that its rule names', after],
  ['the lift before it', afterPrevious],
])(
  'stops promising a lift that waits for %s once that one is closed, and the lift after it',
  async (_, schedule) => {
    const { id, lift } = await launched(schedule, schedule)
    const told = async () => {
      const { data } = await world.must('uri', 'GET', '/learner/lljs')
      const page = await world.must('uri', 'GET', `/learner/lljs/${id}`)
      const { next } = await world.must('uri', 'GET', `/lifts/${lift}/page`)
      const second = await world.must('uri', 'GET', `/lifts/${page.lifts[1].id}/page`)
      return {
        home: data.find((one: { id: number }) => one.id === id).coming?.title ?? null,
        journey: page.lifts.map(({ state }: { state: string }) => state),
        lift: next?.title ?? null,
        isClosed: second.is_closed,
      }
    }
    expect(await told()).toEqual({
      home: 'Follows 0',
      journey: ['open', 'coming', 'coming'],
      lift: 'Follows 0',
      isClosed: false,
    })
    await admin.query('update occurrences set closes_at = now() where lift_id = $1', [lift])
    expect(await told()).toEqual({
      home: null,
      journey: ['closed', 'closed', 'closed'],
      lift: null,
      isClosed: true,
    })
  },
)

it('still promises a lift that a person sends, even if the lift before it has closed', async () => {
  const { id, lift } = await launched(() => ({ kind: 'manual', at_launch: false }))
  await admin.query('update occurrences set closes_at = now() where lift_id = $1', [lift])
  const { lifts } = await world.must('uri', 'GET', `/learner/lljs/${id}`)
  expect(lifts.map(({ state }: { state: string }) => state)).toEqual(['closed', 'coming'])
})
