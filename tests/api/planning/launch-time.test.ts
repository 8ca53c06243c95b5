/** When the lifts of a launch are sent: at the journey's usual time in each learner's zone, or now. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createJourneysWorld,
  createTestCarrier,
  dateIn,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { zoneAt } from './zones.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const inAcme = inAcmeOf(() => world)
const setZone = (name: 'uri' | 'aya', zone: string) =>
  inAcme(({ db }) =>
    sql`update users set timezone = ${zone} where id = ${world.people[name].user_id}`.execute(db),
  )

async function addLift(id: number, more: object = {}): Promise<{ id: number; schedule: object }> {
  const lift = { title: 'One more', blocks: [{ kind: 'text', markdown: 'Text.' }], status: 'ready', ...more }
  return world.must('adam', 'POST', `/lljs/${id}/lifts`, lift)
}

const dueOf = (id: number) =>
  inAcme(async ({ db }) => {
    const { rows } = await sql<{ user_id: number; clock: string; days: number; state: string }>`
      select m.user_id, to_char(o.due_at at time zone o.zone, 'HH24:MI') as clock, o.state,
        (o.due_at at time zone o.zone)::date - (now() at time zone o.zone)::date as days
      from occurrences o join members m on m.id = o.member_id where o.journey_id = ${id} order by m.id, o.due_at`.execute(
      db,
    )
    return rows
  })

async function send() {
  const { taken, carriers } = createTestCarrier()
  await world.drain(carriers)
  return taken
}

describe('A launch', () => {
  it('plans a lift for the journey’s usual time in each learner’s zone, and sends nothing earlier', async () => {
    await setZone('uri', zoneAt(2))
    await setZone('aya', zoneAt(14))
    const { id } = await world.draft(['uri', 'aya'], { name: 'Calm', default_send_time: '10:00' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    expect(await send()).toEqual([])
    expect(await dueOf(id)).toEqual([
      { user_id: world.people.uri.user_id, clock: '10:00', days: 0, state: 'planned' },
      { user_id: world.people.aya.user_id, clock: '10:00', days: 1, state: 'planned' },
    ])
  })

  it('plans one lift a day if several are due with it', async () => {
    await setZone('uri', zoneAt(2))
    const { id } = await world.draft(['uri'], { name: 'In a row', default_send_time: '11:00' })
    for (const _ of [2, 3]) await addLift(id, { schedule: { kind: 'manual', at_launch: true } })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    const days = (await dueOf(id)).map((occurrence) => occurrence.days)
    expect([new Set(days).size, days.length]).toEqual([3, 3])
  })

  it('forecasts the messages sent now and the learners in quiet hours, and sends just those messages', async () => {
    await setZone('uri', zoneAt(2))
    await setZone('aya', zoneAt(14))
    const { id } = await world.draft(['uri', 'aya'], { name: 'At once', default_send_time: '10:00' })
    await addLift(id, { schedule: { kind: 'manual', at_launch: true } })
    const page = await world.must('adam', 'GET', `/lljs/${id}/schedule?launch=send`)
    expect(page).toMatchObject({
      at_launch: 2,
      forecast: { learners: 2, emails: 4, texts: 0, texts_waiting: 0, asleep: 1, is_estimate: false },
    })
    expect((await world.must('adam', 'GET', `/lljs/${id}/schedule`)).forecast).toBeNull()
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(await send()).toHaveLength(4)
    expect((await world.must('adam', 'GET', `/lljs/${id}/schedule`)).forecast).toBeNull()
  })

  it('forecasts no e-mail to a learner who has stopped e-mails', async () => {
    await setZone('uri', zoneAt(2))
    await setZone('aya', zoneAt(14))
    const { id } = await world.draft(['uri', 'aya'], { name: 'Stopped', default_send_time: '10:00' })
    const forecast = async () =>
      (await world.must('adam', 'GET', `/lljs/${id}/schedule?launch=send`)).forecast
    expect(await forecast()).toMatchObject({ learners: 2, emails: 2, asleep: 1 })
    const { user_id } = world.people.uri
    await inAcme(({ db, actor: { tenant_id } }) =>
      db.insertInto('mail_stops').values({ tenant_id, user_id, source: 'profile' }).execute(),
    )
    expect(await forecast()).toMatchObject({ learners: 1, emails: 1, asleep: 0 })
    await inAcme(({ db }) => db.deleteFrom('mail_stops').execute())
  })

  it('forecasts how many learners have no number or no consent for texts', async () => {
    await inAcme(({ db }) =>
      sql`update users set mobile_phone = case when id = ${world.people.uri.user_id} then '+14155550177' end`.execute(
        db,
      ),
    )
    const forecastBy = async (channels: string[]) => {
      const { id } = await world.draft(['uri', 'aya', 'both'], { name: `By ${channels}`, channels })
      return (await world.must('adam', 'GET', `/lljs/${id}/schedule?launch=send`)).forecast
    }
    expect(await forecastBy(['sms', 'email'])).toMatchObject({ without_number: 2, without_consent: 1 })
    expect(await forecastBy(['email'])).toMatchObject({ without_number: 0, without_consent: 0 })
  })

  it('plans a lift whose time is past for the end of quiet hours', async () => {
    await setZone('uri', zoneAt(2))
    const past = { schedule: { kind: 'absolute', date: dateIn(-3), time: '12:00' } }
    const { id } = await world.draft(['uri'], { name: 'Was due' }, past)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { skip_past: false })
    expect(await send()).toEqual([])
    const [occurrence] = await dueOf(id)
    expect(occurrence?.clock).toMatch(/^09:[012]/)
    expect(occurrence?.state).toBe('planned')
  })
})

describe('A lift that is added', () => {
  it('is scheduled a week after the lift before it, unless its author sets a schedule', async () => {
    const { id, lift } = await world.draft([], { name: 'Weekly' })
    const rules = [(await world.must('adam', 'GET', `/lifts/${lift}`)).schedule]
    for (const _ of [2, 3]) rules.push((await addLift(id)).schedule)
    expect(rules).toEqual([
      { kind: 'manual', at_launch: true },
      { kind: 'offset', from: 'start', days: 7 },
      { kind: 'offset', from: 'start', days: 14 },
    ])
    const on = { kind: 'absolute', date: '2030-12-27', time: '12:00' }
    await addLift(id, { schedule: on })
    expect((await addLift(id)).schedule).toEqual({ ...on, date: '2031-01-03' })
    await addLift(id, { schedule: { ...on, date: '2020-12-25' } })
    const { schedule } = await addLift(id)
    const { date = '' } = schedule as { date?: string }
    expect([schedule, date > new Date().toISOString().slice(0, 10)]).toEqual([{ ...on, date }, true])
    expect((Date.parse(date) - Date.parse('2020-12-25')) % (7 * 86_400_000)).toBe(0)
    await addLift(id, { schedule: { kind: 'manual', at_launch: false } })
    expect((await world.must('adam', 'GET', `/lljs/${id}/schedule`)).next_rule).toEqual({
      ...{ kind: 'offset', from: 'previous_lift_completed', days: 7 },
    })
  })

  it('is never suggested for a past day, even if the journey started long ago', async () => {
    const DAY = 86_400_000
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
    const suggested = async (start_on: string, schedule: object) => {
      const { id } = await world.draft([], { name: 'Long ago', start_on })
      await addLift(id, { schedule })
      return (await world.must('adam', 'GET', `/lljs/${id}/schedule`)).next_rule
    }
    const offset = { kind: 'offset', from: 'start', days: 3, time: '10:00' }
    const start = daysAgo(100)
    const next = (await suggested(start, offset)) as { days: number }
    expect(next).toEqual({ ...offset, days: expect.any(Number) })
    expect([next.days > 100, next.days <= 109, next.days % 7]).toEqual([true, true, 3])
    expect(await suggested(start, { kind: 'manual', at_launch: true })).toMatchObject({ days: 105 })
    const weekly = { kind: 'weekly', week: 2, weekday: 'Mon' }
    const { week } = (await suggested(start, weekly)) as { week: number }
    expect([week >= 15, week <= 17]).toEqual([true, true])
    // Rules that count from the start do not reach that far.
    for (const rule of [offset, weekly])
      expect(await suggested(daysAgo(2000), rule)).toMatchObject({ from: 'previous_lift_completed', days: 7 })
  })
})
