/** The schedule of a journey: previewed from any moment, changed, paused, resumed, ended. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  on,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { zoneAt } from './zones.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const DAY = 86_400_000
type Entry = { title: string; due_at: string | null; state: string; why: { code: string; text: string }[] }

describe('The schedule preview', () => {
  it('shows what a launch would plan, and the launch plans exactly that', async () => {
    const { id, lift: first } = await world.draft(['uri', 'aya'], { name: 'Foreseen' }, on(3, '22:30'))
    await world.addLift(id, 'Same day', on(4, '09:30'))
    const waits = await world.addLift(id, 'After that', {
      schedule: { kind: 'after_lift', lift_id: first, min_hours: 2 },
    })
    const foreseen = await world.must(
      'adam',
      'GET',
      `/lljs/${id}/schedule/preview?user_id=${world.people.uri.user_id}`,
    )
    const by = new Map<string, Entry>(foreseen.entries.map((entry: Entry) => [entry.title, entry]))
    expect(by.get('Listen first')?.why.map((one) => one.code)).toEqual(['quiet_hours', 'jitter', 'number'])
    expect(by.get('Same day')?.why.map((one) => one.code)).toContain('daily_cap')
    expect(by.get('After that')).toMatchObject({ due_at: null })
    expect(by.get('After that')?.why.at(-1)?.text).toContain('“Listen first”')
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const after = await world.must(
      'adam',
      'GET',
      `/lljs/${id}/schedule/preview?user_id=${world.people.uri.user_id}`,
    )
    expect(after.entries.map((one: Entry) => [one.title, one.due_at])).toEqual(
      foreseen.entries.map((one: Entry) => [one.title, one.due_at]),
    )
    expect(after.entries[0].why).toEqual(foreseen.entries[0].why)
    const rows = await occurrences(id)
    expect(rows.filter((row) => row.lift_id === waits).every((row) => row.due_at === null)).toBe(true)
  })

  it('shows what an edit would move, keep and cancel, and the edit does exactly that', async () => {
    const { id, lift: first } = await world.draft(['uri', 'aya'], { name: 'What if' }, on(10))
    const second = await world.addLift(id, 'Second', on(12))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const ask = (changes: object) => world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, { changes })
    const moved = await ask({ lifts: [{ lift_id: first, ...on(20) }] })
    expect(moved.impact).toEqual({ moved: 2, kept: 0, updated: 0, cancelled: 0, added: 0 })
    expect((await ask({ lifts: [{ lift_id: first, status: 'draft' }] })).impact).toMatchObject({
      cancelled: 2,
    })
    expect((await ask({})).impact).toBeNull()
    const later = await ask({ journey: { timezone_mode: 'journey', timezone: 'Asia/Tokyo' } })
    expect(later.impact).toMatchObject({ moved: 4 })
    expect(later.entries.map((one: { zone: string }) => one.zone)).toEqual(['Asia/Tokyo', 'Asia/Tokyo'])

    const { lock_version } = await world.must('adam', 'GET', `/lifts/${first}`)
    await world.must('adam', 'PUT', `/lifts/${first}`, { ...on(20), lock_version })
    const now = (await occurrences(id)).find((row) => row.lift_id === first)
    expect(now?.due_at?.toISOString()).toBe(
      moved.entries.find((one: { lift_id: number }) => one.lift_id === first).due_at,
    )
    const journey = await world.must('adam', 'GET', `/lljs/${id}`)
    const change = { timezone_mode: 'journey', timezone: 'Asia/Tokyo', lock_version: journey.lock_version }
    await world.must('adam', 'PUT', `/lljs/${id}`, change)
    const zones = new Set((await occurrences(id)).map((row) => row.zone))
    expect([...zones]).toEqual(['Asia/Tokyo'])
    expect((await occurrences(id)).filter((row) => row.lift_id === second)).toHaveLength(2)
  })

  it('rejects unknown learners, invalid dates and rules, and people without access', async () => {
    const { id, lift: only } = await world.draft(['uri'], { name: 'Refused' })
    const call = (query: string) => world.call('adam', 'GET', `/lljs/${id}/schedule/preview${query}`)
    expect((await call('?user_id=999999')).status).toBe(404)
    for (const day of ['yesterday', '2027-02-29']) expect((await call(`?as_of=${day}`)).status).toBe(422)
    expect((await world.call('uri', 'GET', `/lljs/${id}/schedule/preview`)).status).toBe(403)
    expect((await world.call('greta', 'GET', `/lljs/${id}/schedule/preview`)).status).toBe(404)
    const wrong = {
      changes: {
        lifts: [{ lift_id: only, schedule: { kind: 'absolute', date: '2027-02-29', time: '09:00' } }],
      },
    }
    expect((await world.call('adam', 'POST', `/lljs/${id}/schedule/preview`, wrong)).status).toBe(422)
    const itself = {
      changes: { lifts: [{ lift_id: only, schedule: { kind: 'after_lift', lift_id: only, min_hours: 0 } }] },
    }
    const refused = await world.call('adam', 'POST', `/lljs/${id}/schedule/preview`, itself)
    expect(refused.json.detail).toEqual({ schedule: ['A lift cannot wait for itself.'] })
    const leap = {
      changes: {
        lifts: [{ lift_id: only, schedule: { kind: 'absolute', date: '2028-02-29', time: '12:00' } }],
      },
    }
    const { entries } = await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, leap)
    expect(entries[0].planned_local).toBe('2028-02-29T12:00')
    const self = { schedule: { kind: 'after_lift', lift_id: only, min_hours: 1 } }
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${only}`)
    expect((await world.call('adam', 'PUT', `/lifts/${only}`, { ...self, lock_version })).status).toBe(422)
  })
})

describe('A journey', () => {
  it('is paused, and on resume shifts all lifts by the length of the pause', async () => {
    const { id } = await world.draft(['uri'], { name: 'Paused' }, on(5))
    await world.addLift(id, 'Later', on(7))
    const early = await world.call('adam', 'POST', `/lljs/${id}/pause`, {})
    expect([early.status, early.json.detail]).toEqual([409, 'A draft cannot be paused.'])
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const before = await occurrences(id)
    expect((await world.must('adam', 'POST', `/lljs/${id}/pause`, {})).status).toBe('paused')
    expect((await occurrences(id)).map((row) => row.state)).toEqual(['held', 'held'])
    expect((await world.call('adam', 'POST', `/lljs/${id}/pause`, {})).status).toBe(409)
    await inAcme(async ({ db }) => {
      await sql`update journeys set paused_at = now() - interval '3 days' where id = ${id}`.execute(db)
      await sql`update occurrences set planned_on = now() - interval '4 days' where journey_id = ${id}`.execute(
        db,
      )
    })
    expect((await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })).status).toBe(
      'scheduled',
    )
    const after = await occurrences(id)
    expect(after.map((row) => row.state)).toEqual(['planned', 'planned'])
    for (const [nth, row] of after.entries())
      expect(Math.round(((row.due_at?.getTime() ?? 0) - (before[nth]?.due_at?.getTime() ?? 0)) / DAY)).toBe(3)
    const dispatched = await inAcme(({ db }) =>
      db
        .selectFrom('dispatches as d')
        .innerJoin('occurrences as o', 'o.id', 'd.occurrence_id')
        .select(['d.next_attempt_at', 'o.due_at'])
        .where('o.journey_id', '=', id)
        .execute(),
    )
    for (const { next_attempt_at, due_at } of dispatched) expect(next_attempt_at).toEqual(due_at)
  })

  it('cancels lifts that fell into the pause if it resumes with “skip”', async () => {
    const { id } = await world.draft(['uri'], { name: 'Skipped' }, on(5))
    await world.addLift(id, 'Later', on(7))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    const [first] = await occurrences(id)
    await inAcme(({ db }) =>
      sql`update occurrences set due_at = now() - interval '1 hour' where id = ${first?.id}`.execute(db),
    )
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'skip' })
    expect((await occurrences(id)).map((row) => row.state)).toEqual(['cancelled', 'planned'])
  })

  it('sends nothing while it is paused', async () => {
    const { id, lift: only } = await world.draft(['uri'], { name: 'Quiet' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    expect(taken.filter((one) => one.text.includes(`/lift/${only}`))).toEqual([])
    await world.must('adam', 'POST', `/lljs/${id}/resume`, {})
    const { released } = await inAcme(({ db }) =>
      db
        .selectFrom('dispatches')
        .select(sql<number>`count(*) filter (where next_attempt_at < '9000-01-01')`.as('released'))
        .executeTakeFirstOrThrow(),
    )
    expect(released).toBeGreaterThan(0)
  })

  it('can be completed and then archived by an administrator', async () => {
    const { id } = await world.draft(['uri'], { name: 'Ended' }, on(5))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect((await world.call('adam', 'POST', `/lljs/${id}/resume`, {})).status).toBe(409)
    expect((await world.must('adam', 'POST', `/lljs/${id}/complete`, {})).status).toBe('completed')
    expect((await occurrences(id)).map((row) => row.state)).toEqual(['cancelled'])
    expect((await world.must('adam', 'POST', `/lljs/${id}/archive`, {})).status).toBe('archived')
    expect((await world.call('adam', 'POST', `/lljs/${id}/complete`, {})).status).toBe(409)
    expect((await world.call('uri', 'POST', `/lljs/${id}/archive`, {})).status).toBe(403)
  })

  it('completes automatically when every occurrence is completed, and notifies learner and author', async () => {
    const { id, lift: only, prompt } = await world.draft(['uri'], { name: 'Over' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain()
    expect((await world.must('adam', 'GET', `/lljs/${id}`)).status).toBe('active')
    await world.must('uri', 'POST', `/lifts/${only}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    await world.drain()
    expect((await world.must('adam', 'GET', `/lljs/${id}`)).status).toBe('completed')
    // The journey ended automatically, so both the learner and the author are notified.
    for (const [who, page] of [
      ['uri', 'learner'],
      ['adam', 'schedule'],
    ] as const) {
      const { data } = await world.must(who, 'GET', '/notifications')
      const told = data.map((one: { content: object; notification_type: string }) => [
        one.notification_type,
        one.content,
      ])
      const message =
        'The journey is complete. What was answered stays. Open lifts can be answered for 7 more days.'
      expect(told).toContainEqual(['success', { title: 'Over', message, path: `/lljs/${id}/${page}` }])
    }
  })

  it('has the same counts per lift as its facts', async () => {
    const { data } = await world.must('adam', 'GET', '/lljs?per_page=100')
    for (const { id } of data) {
      const { lifts } = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
      const facts = await inAcme(({ db }) =>
        db
          .selectFrom('fact_occurrence')
          .select([
            'lift_id',
            sql<number>`count(*)`.as('assigned'),
            sql<number>`count(completed_at)`.as('completed'),
          ])
          .where('journey_id', '=', id)
          .where('state', 'not in', ['cancelled', 'held'])
          .groupBy('lift_id')
          .execute(),
      )
      for (const one of lifts) {
        const { assigned = 0, completed = 0 } = facts.find((fact) => fact.lift_id === one.id) ?? {}
        expect([one.counts.assigned, one.counts.completed]).toEqual([assigned, completed])
      }
    }
  })
})

describe('Reminders', () => {
  it('are planned when the lift is sent, and end with the first answer', async () => {
    const reminder_policy = [
      { after_hours: 24, channel: 'email' },
      { after_hours: 25, channel: 'email' },
    ]
    await atNoon()
    const { id, lift: only, prompt } = await world.draft(['uri'], { name: 'Reminded', reminder_policy })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    const planned = await reminders(id)
    expect(planned.map((row) => row.state)).toEqual(['planned', 'planned'])
    // The policy puts them an hour apart, but a learner gets one reminder a day.
    const days = planned.map((row) => row.due_at.toLocaleDateString('en', { timeZone: zoneAt(13) }))
    expect(new Set(days).size).toBe(2)
    await makeDue(planned[0]?.id)
    await world.drain(carriers)
    expect(taken.filter((one) => one.subject.startsWith('Reminder: Reminded'))).toHaveLength(1)
    await world.must('uri', 'POST', `/lifts/${only}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    await makeDue(planned[1]?.id)
    await world.drain(carriers)
    expect(taken.filter((one) => one.subject.startsWith('Reminder:'))).toHaveLength(1)
    expect((await reminders(id)).map((row) => row.state)).toEqual(['accepted', 'suppressed'])
  })
})

describe('The last checks before sending', () => {
  it('refuse a text without consent, and a message that was already accepted', async () => {
    const { id } = await world.draft(['uri'], { name: 'Walled' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const force = (state: string, channel: string) =>
      inAcme(({ db }) =>
        sql`update dispatches set state = ${state}, channel = ${channel}, address = '+14155550188'
          where occurrence_id in (select id from occurrences where journey_id = ${id})`.execute(db),
      )
    await expect(force('sending', 'sms')).rejects.toThrow(/without consent/)
    await force('sending', 'email')
    await force('accepted', 'email')
    await expect(force('sending', 'email')).rejects.toThrow(/accepted already/)
  })

  it('hold all messages while a tenant’s sending is stopped', async () => {
    await atNoon()
    const { id, lift: only } = await world.draft(['uri'], { name: 'Stopped' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const settings = (value: object) =>
      inAcme(({ db }) =>
        sql`update tenants set settings = settings || ${JSON.stringify(value)}::jsonb`.execute(db),
      )
    await settings({ sending_stopped: true })
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    expect(taken).toEqual([])
    await settings({ sending_stopped: false })
    await inAcme(({ db }) =>
      sql`update dispatches set next_attempt_at = now() where state = 'planned' and next_attempt_at < now() + interval '1 hour'`.execute(
        db,
      ),
    )
    await world.drain(carriers)
    expect(taken.filter((one) => one.text.includes(`/lift/${only}`))).toHaveLength(1)
  })
})

const inAcme = inAcmeOf(() => world)

/** Moves everyone into a zone where it is noon, so that quiet hours delay nothing. */
const atNoon = () => inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}`.execute(db))

const occurrences = (journeyId: number) =>
  inAcme(({ db }) =>
    db
      .selectFrom('occurrences')
      .selectAll()
      .where('journey_id', '=', journeyId)
      .orderBy('due_at')
      .orderBy('id')
      .execute(),
  )

const reminders = (journeyId: number) =>
  inAcme(({ db }) =>
    db
      .selectFrom('dispatches as d')
      .innerJoin('occurrences as o', 'o.id', 'd.occurrence_id')
      .select(['d.id', 'd.state', 'd.due_at'])
      .where('o.journey_id', '=', journeyId)
      .where('d.kind', '=', 'reminder')
      .orderBy('d.seq')
      .execute(),
  )

const makeDue = (id: number | undefined) =>
  inAcme(({ db }) =>
    sql`update dispatches set due_at = now(), next_attempt_at = now() where id = ${id}`.execute(db),
  )
