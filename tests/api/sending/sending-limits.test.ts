/** Reasons not to send: daily limits, the trigger in the database, lateness, busy carriers, the end of reminders. */
import { type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { claimDispatches } from '#app/domain/sending/claims.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import { recordAccepted, recordNumberRefused } from '#app/domain/sending/receipts.server.ts'
import { CarrierError } from '#app/integrations/carrier.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const URI = '+436641234567'
const HOUR = 3_600_000
const REMINDERS = [24, 48, 72].map((after_hours) => ({ after_hours, channel: 'email' }))

/** No messages are waiting, it is noon, and Uri gets texts. */
beforeEach(() =>
  inAcme(async (scope) => {
    await scope.db.deleteFrom('journeys').execute()
    await sql`update tenants set settings = '{}'`.execute(scope.db)
    await sql`update users set timezone = ${zoneAt(13)}, mobile_phone = case when id = ${world.people.uri.user_id} then ${URI} end`.execute(
      scope.db,
    )
    const user_id = world.people.uri.user_id
    await settleConsent(scope, { number: URI, user_id, action: 'opt_in', source: 'profile' })
  }),
)

describe('A phone', () => {
  it('gets at most three texts an hour, however many workers race', async () => {
    for (let nth = 1; nth <= 5; nth++) await launched(['uri'], { name: `Journey ${nth}` })
    expect(await beginAtOnce()).toBe(3)
    await nothingLeft()
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect(taken.map((one) => one.channel)).toEqual(['sms', 'sms', 'sms'])
    await anHourLater()
    await race(carriers)
    expect(taken).toHaveLength(5)
  })
})

describe('A text that its carrier was too busy to take', () => {
  const busy = () =>
    createTestCarrier(() => {
      throw new CarrierError('busy', 'overloaded')
    })

  it('counts toward the limit of the hour in which it is finally sent', async () => {
    for (let nth = 1; nth <= 3; nth++) await launched(['uri'], { name: `Tried ${nth}` })
    await race(busy().carriers)
    await anHourLater()
    await launched(['uri'], { name: 'Fourth' })
    await soon()
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect(taken).toHaveLength(3)
  })
})

describe('A learner', () => {
  /** A date in the people's zone, which can differ from UTC's. */
  const dateIn = (days: number) =>
    new Date(Date.now() + days * 24 * HOUR).toLocaleDateString('sv-SE', { timeZone: zoneAt(13) })
  const on = (days: number) => ({ schedule: { kind: 'absolute', date: dateIn(days), time: '12:00' } })
  const made = (nth: number) => world.draft(['aya'], { name: `Same day ${nth}`, channels: ['email'] }, on(5))
  const launch = ({ id }: { id: number }) =>
    world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  const dueDays = async () =>
    inAcme(({ db }) =>
      db
        .selectFrom('occurrences')
        .select(['shifted', sql<string>`(due_at at time zone zone)::date::text`.as('day')])
        .orderBy('due_at')
        .execute(),
    )

  it('is planned one lift a day, even if journeys are launched at the same moment', async () => {
    const drafts = await Promise.all([1, 2, 3, 4].map(made))
    await Promise.all(drafts.map(launch))
    expect((await dueDays()).map((occurrence) => occurrence.day)).toEqual([5, 6, 7, 8].map(dateIn))
  })

  it('is sent one lift a day, however many are due and however many workers race', async () => {
    for (const nth of [1, 2, 3]) await launch(await made(nth))
    await inAcme(async ({ db }) => {
      await sql`update occurrences set due_at = now() - interval '1 minute', shifted = '{}'`.execute(db)
      await sql`update dispatches set due_at = now() - interval '1 minute', next_attempt_at = now()`.execute(
        db,
      )
    })
    expect(await beginAtOnce()).toBe(1)
    const [today, ...others] = await dueDays()
    expect(today).toEqual({ day: dateIn(0), shifted: [] })
    expect(others).toEqual([1, 1].map((days) => ({ day: dateIn(days), shifted: ['daily_cap'] })))
    // Tomorrow one of the two is sent, and the other a day later.
    await aDayLater()
    await soon()
    expect(await beginAtOnce()).toBe(1)
  })

  it('is sent one lift a day even if lifts were held back for days', async () => {
    for (const nth of [1, 2]) await launch(await made(nth))
    await inAcme(async ({ db }) => {
      await sql`update occurrences set due_at = now() - interval '5 days'`.execute(db)
      await sql`update dispatches set due_at = now(), next_attempt_at = now()`.execute(db)
    })
    expect(await beginAtOnce()).toBe(1)
  })

  it('gets a lift that is sent now in addition to the day’s lift', async () => {
    await launch(await made(1))
    const { carriers, taken } = createTestCarrier()
    // The learners’ zones have just changed, so the first run only plans.
    await race(carriers)
    await inAcme(({ db }) => sql`update dispatches set next_attempt_at = now(), due_at = now()`.execute(db))
    await race(carriers)
    const { lift } = await launched(['aya'])
    await race(carriers)
    expect(taken.map((one) => one.text.includes(`/lift/${lift}`))).toEqual([false, true])
  })

  it('is reminded once a day, however many workers race', async () => {
    const { carriers } = createTestCarrier()
    for (const nth of [1, 2]) await launched(['aya'], { name: `Twice ${nth}`, reminder_policy: REMINDERS })
    await race(carriers)
    await soon()
    expect(await beginAtOnce()).toBe(1)
  })
})

describe('A company', () => {
  it('sends no more messages a day than its limit, however many workers race', async () => {
    await settings({ daily_message_cap: 2 })
    await launched(['uri', 'aya', 'adam', 'both'])
    expect(await beginAtOnce()).toBe(2)
    await nothingLeft()
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect(taken).toHaveLength(2)
    await settings({ daily_message_cap: 3 })
    await soon()
    await race(carriers)
    expect(taken).toHaveLength(3)
    await settings({ daily_message_cap: 0 })
    await soon()
    await race(carriers)
    expect(taken).toHaveLength(3)
  })

  it('sends nothing while its sending is stopped', async () => {
    await settings({ sending_stopped: true })
    await launched(['uri', 'aya'])
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect(taken).toEqual([])
    await settings({ sending_stopped: false })
    await soon()
    await race(carriers)
    expect(taken).toHaveLength(2)
  })
})

describe('Deactivation', () => {
  const activate = async () => {
    await sqlInAcme(sql`update tenants set status = 'active'`)
    await sqlInAcme(sql`update sub_tenants set status = 'active'`)
  }
  afterEach(async () => {
    await activate()
    await sqlInAcme(sql`delete from notifications`)
  })

  it.each([
    ['the company', sql`update tenants set status = 'inactive'`],
    ['the journey’s sub-tenant', sql`update sub_tenants set status = 'inactive'`],
  ])('of %s holds messages until it is active again', async (_, deactivate) => {
    const { id } = await launched(['both', 'aya'])
    await sqlInAcme(sql`update journeys set sub_tenant_id = ${world.north} where id = ${id}`)
    await sqlInAcme(deactivate)
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect([taken.length, (await dispatches()).map((row) => row.state)]).toEqual([0, ['planned', 'planned']])
    await activate()
    await soon()
    await race(carriers)
    expect(taken).toHaveLength(2)
  })

  it('of the company for seven hours leaves its overdue lift held', async () => {
    await launched(['aya'])
    await sqlInAcme(sql`update tenants set status = 'inactive'`)
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    await later(7)
    await activate()
    await sqlInAcme(sql`update dispatches set next_attempt_at = now()`)
    await race(carriers)
    expect([taken.length, await occurrences()]).toEqual([0, ['held']])
  })
})

describe('A message held by the company’s daily limit or stop switch', () => {
  const NOON = /^1[0-9]:/
  /** The time of sending in the recipient's zone. */
  const leavesAt = async (zone: string) =>
    (await dispatches()).map((row) =>
      row.next_attempt_at.toLocaleTimeString('sv-SE', { timeZone: zone, timeStyle: 'short' }),
    )

  it.each([
    ['daily limit', { daily_message_cap: 0 }],
    ['stop switch', { sending_stopped: true }],
  ])('waits for hours because of the %s, and is still sent afterward', async (_, held) => {
    await settings(held)
    await launched(['uri', 'aya'])
    const { carriers, taken } = createTestCarrier()
    for (let hour = 0; hour <= 7; hour++) {
      await race(carriers)
      await anHourPasses()
    }
    expect([taken.length, (await dispatches()).map((row) => row.state)]).toEqual([0, ['planned', 'planned']])
    expect(await occurrences()).not.toContain('held')
    await settings({})
    await race(carriers)
    expect(taken).toHaveLength(2)
  })

  it('is moved past quiet hours, whether text or e-mail', async () => {
    const zone = zoneAt(19)
    await sqlInAcme(sql`update users set timezone = ${zone}`)
    await settings({ daily_message_cap: 0 })
    await launched(['uri', 'aya'])
    const { carriers } = createTestCarrier()
    await race(carriers)
    expect(await leavesAt(zone)).toEqual([expect.stringMatching(/^09:/), expect.stringMatching(/^09:/)])
    const rows = await dispatches()
    expect(rows.map((row) => row.due_at)).toEqual(rows.map((row) => row.next_attempt_at))
  })

  it('keeps to the journey’s sending days, unless a person sent it now', async () => {
    const today = new Date().toLocaleDateString('en-US', { timeZone: zoneAt(13), weekday: 'short' })
    const others = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].filter((day) => day !== today)
    await settings({ daily_message_cap: 0 })
    await launched(['aya'], { send_days: others })
    const { carriers } = createTestCarrier()
    await race(carriers)
    expect(await leavesAt(zoneAt(13))).toEqual([expect.stringMatching(NOON)])
    await sqlInAcme(sql`update occurrences set by_hand = false`)
    await sqlInAcme(sql`update dispatches set due_at = now(), next_attempt_at = now()`)
    await race(carriers)
    expect(await leavesAt(zoneAt(13))).toEqual([expect.stringMatching(/^09:/)])
  })
})

describe('An e-mail', () => {
  it('waits for the end of quiet hours if its rule planned it, and goes at once if a person sent it', async () => {
    await sqlInAcme(sql`update users set timezone = ${zoneAt(22)}`)
    await launched(['aya'])
    const { carriers, taken } = createTestCarrier()
    await sqlInAcme(sql`update occurrences set by_hand = false`)
    await race(carriers)
    const [row] = await dispatches()
    expect([taken.length, row?.state]).toEqual([0, 'planned'])
    expect(row?.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 9 * HOUR)
    await sqlInAcme(sql`update occurrences set by_hand = true`)
    await sqlInAcme(sql`update dispatches set next_attempt_at = now()`)
    await race(carriers)
    expect(taken).toHaveLength(1)
  })
})

describe('The database', () => {
  const force = () =>
    inAcme(({ db }) =>
      sql`update dispatches set state = 'sending', address = ${URI} where channel = 'sms'`.execute(db),
    )
  const zone = (name: string | null) =>
    inAcme(({ db }) =>
      sql`update users set timezone = ${name} where id = ${world.people.uri.user_id}`.execute(db),
    )

  it('refuses a text to a number whose owner opted out', async () => {
    await launched(['uri'])
    await inAcme(({ db }) =>
      sql`insert into consent_events (tenant_id, number, action, source) values (${world.acme}, ${URI}, 'opt_out', 'sms')`.execute(
        db,
      ),
    )
    await expect(force()).rejects.toThrow(/without consent/)
  })

  it.each([
    ['at night', 22, {}],
    ['in the early morning', 3, {}],
    ['in the evening', 20, {}],
    ['before 9 AM', 8, {}],
    ['in longer quiet hours of the company', 18, { quiet_hours: { from: '18:00', to: '10:00' } }],
    ['at 9 PM even if the company allows it', 21, { quiet_hours: { from: '23:00', to: '05:00' } }],
  ])('refuses a text %s', async (_, hour, more) => {
    await launched(['uri'])
    await settings(more)
    await zone(zoneAt(hour))
    await expect(force()).rejects.toThrow(/quiet hours/)
    await zone(zoneAt(13))
    await expect(force()).resolves.toBeDefined()
  })

  it('allows a text in the evening if the company’s quiet hours start later', async () => {
    await launched(['uri'])
    await settings({ quiet_hours: { from: '21:00', to: '08:00' } })
    await zone(zoneAt(20))
    await expect(force()).resolves.toBeDefined()
  })

  it('applies longer quiet hours if the learner’s time zone is unknown', async () => {
    await launched(['uri'])
    await zone(null)
    await inAcme(({ db }) => sql`update tenants set timezone = ${zoneAt(10)}`.execute(db))
    await expect(force()).rejects.toThrow(/quiet hours/)
    await inAcme(({ db }) => sql`update tenants set timezone = ${zoneAt(12)}`.execute(db))
    await expect(force()).resolves.toBeDefined()
    await inAcme(({ db }) => sql`update tenants set timezone = 'Europe/Vienna'`.execute(db))
  })

  it('refuses to send an accepted lift again, on the same or on another channel', async () => {
    await launched(['aya'])
    const { carriers } = createTestCarrier()
    await race(carriers)
    const again = (columns: string) =>
      inAcme(({ db }) =>
        sql`insert into dispatches (tenant_id, occurrence_id, kind, seq, channel, due_at, next_attempt_at)
          select tenant_id, occurrence_id, ${sql.raw(columns)}, now(), now() from dispatches`.execute(db),
      )
    await expect(again(`'lift', 1, 'email'`)).rejects.toThrow(/unique/)
    await again(`'lift', 1, 'in_app'`)
    const send = (channel: string) =>
      inAcme(({ db }) => sql`update dispatches set state = 'sending' where channel = ${channel}`.execute(db))
    await expect(send('in_app')).rejects.toThrow(/another channel/)
    await expect(send('email')).rejects.toThrow(/accepted already/)
  })
})

describe('A late or deferred message', () => {
  it('is held after seven hours; its author is notified once and can send it', async () => {
    const { id, lift } = await launched(['aya', 'both'])
    await later(7)
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect([taken.length, await occurrences()]).toEqual([0, ['held', 'held']])
    const { data } = await world.must('adam', 'GET', '/notifications')
    const told = data.filter((one: { content: { message: string } }) =>
      one.content.message.includes('wait until you send'),
    )
    expect(told).toHaveLength(1)
    const journey = await world.must('adam', 'GET', `/lljs/${id}`)
    expect(told[0]).toMatchObject({
      notification_type: 'warning',
      content: { title: journey.name, path: `/lljs/${id}/lifts/${lift}/send` },
    })
    await world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids: 'pending' })
    await race(carriers)
    expect(taken).toHaveLength(2)
  })

  it('leads to a notification for each journey, even if their lifts have the same title', async () => {
    const both = [await launched(['aya']), await launched(['both'])]
    await later(7)
    await race(createTestCarrier().carriers)
    const { data } = await world.must('adam', 'GET', '/notifications?per_page=100')
    for (const { id, lift } of both)
      expect(data.map((one: { content: { path: string } }) => one.content.path)).toContain(
        `/lljs/${id}/lifts/${lift}/send`,
      )
  })

  it('is reported to an administrator if the author’s account is disabled', async () => {
    const { id, lift } = await launched(['both'])
    const author = world.people.aya.user_id
    await inAcme(({ db }) =>
      db.updateTable('journeys').set({ author_id: author }).where('id', '=', id).execute(),
    )
    const setActivation = (activation_status: string) =>
      world.must('adam', 'PATCH', `/users/${author}/activation`, { activation_status })
    await setActivation('disabled')
    await later(7)
    await race(createTestCarrier().carriers)
    await setActivation('active')
    const { data } = await world.must('adam', 'GET', '/notifications?per_page=100')
    expect(data.map((one: { content: { path: string } }) => one.content.path)).toContain(
      `/lljs/${id}/lifts/${lift}/send`,
    )
  })

  it('is neither sent nor reported if it is a reminder', async () => {
    const { id, lift } = await launched(['aya'])
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    await world.must('adam', 'POST', `/lifts/${lift}/remind`)
    await later(7)
    await race(carriers)
    expect([taken.length, await dispatches('reminder')]).toMatchObject([1, [{ error_code: 'too_late' }]])
    const { data } = await world.must('adam', 'GET', '/notifications?per_page=100')
    const { name } = await world.must('adam', 'GET', `/lljs/${id}`)
    expect(data.filter((one: { content: { title: string } }) => one.content.title === name)).toEqual([])
  })

  it.each([
    ['at once', 'held'],
    ['later', 'sent'],
  ])('is reported and can be sent if it replaces a text that was refused %s', async (when, state) => {
    const { id, lift } = await launched(['uri'])
    const [text] = await claimDispatches(world.database.worker, 'one', { channel: 'sms', limit: 1 })
    if (!text) throw new Error('There is no text')
    await inAcme(async (scope) => {
      await beginSending(scope, [text.id], 'one', { origin: ORIGIN })
      if (when === 'at once') return recordNumberRefused(scope, text.id, 'invalid_number')
      await recordAccepted(scope, { id: text.id, provider_id: 'SM1' })
      const told = { provider_id: 'SM1', delivered: false, code: 'sms:30006' }
      return recordDelivery(scope, `${world.acme}:${text.id}`, { ...told, number: 'invalid_number' })
    })
    await later(7)
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect([taken, await occurrences()]).toEqual([[], [state]])
    const path = `/lljs/${id}/lifts/${lift}/send`
    const { data } = await world.must('adam', 'GET', '/notifications?per_page=100')
    expect(data.map((one: { content: { path: string } }) => one.content.path)).toContain(path)
    expect(await world.must('adam', 'GET', `/lifts/${lift}/send_now`)).toMatchObject({ people: 1 })
    expect(
      await world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids: 'pending' }),
    ).toMatchObject({ planned: 1 })
    await race(carriers)
    expect([taken.map(({ channel }) => channel), await occurrences()]).toEqual([['email'], ['sent']])
  })

  it('waits for the journey’s next sending day if quiet hours outlast today', async () => {
    const zone = zoneAt(22)
    const weekday = new Date().toLocaleDateString('en-US', { weekday: 'short', timeZone: zone })
    await launched(['uri'], { send_days: [weekday] })
    await sqlInAcme(sql`update users set timezone = ${zone}`)
    await sqlInAcme(sql`update occurrences set by_hand = false`)
    await race(createTestCarrier().carriers)
    const [row] = await dispatches()
    expect(row?.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 6 * 24 * HOUR)
  })

  it('gets a later due time if it waits for the end of quiet hours', async () => {
    await launched(['uri'])
    await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(22)}`.execute(db))
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect(taken).toEqual([])
    const [row] = await dispatches()
    expect(row?.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 9 * HOUR)
    expect(row?.due_at).toEqual(row?.next_attempt_at)
  })
})

describe('A busy carrier', () => {
  it('is tried again when it asks to be, or after growing pauses, six times at most', async () => {
    await launched(['aya'])
    let retryAfter: number | undefined = 5400
    const { carriers, handed } = createTestCarrier(() => {
      throw new CarrierError('busy', 'overloaded', retryAfter)
    })
    const waits: number[] = []
    for (let attempt = 1; attempt <= 7; attempt++) {
      await race(carriers)
      const [row] = await dispatches()
      waits.push(Math.round(((row?.next_attempt_at.getTime() ?? 0) - Date.now()) / 1000))
      retryAfter = undefined
      await soon()
    }
    expect(handed()).toBe(6)
    expect((await dispatches()).map((row) => [row.state, row.error_code])).toEqual([['failed', 'overloaded']])
    expect(waits[0]).toBeGreaterThan(5300)
    for (const [nth, base] of [120, 480, 1920, 7200].entries()) {
      expect(waits[nth + 1]).toBeGreaterThan(base - 60)
      expect(waits[nth + 1]).toBeLessThanOrEqual(base * 1.2)
    }
  })
})

describe('Reminders', () => {
  const reminded = async () => (await dispatches('reminder')).map((row) => row.state)
  const sent = async () => {
    const made = await launched(['aya'], { reminder_policy: REMINDERS })
    const { carriers, taken } = createTestCarrier()
    await race(carriers)
    expect(await reminded()).toEqual(['planned', 'planned', 'planned'])
    return {
      ...made,
      carriers,
      reminders: () => taken.filter((one) => one.subject.startsWith('Reminder')).length,
    }
  }

  it('come once a day, exactly as often as the journey’s policy says', async () => {
    const { carriers, reminders } = await sent()
    const days = (await dispatches('reminder')).map((row) => row.due_at.toISOString().slice(0, 10))
    expect(new Set(days).size).toBe(3)
    for (let nth = 1; nth <= 5; nth++) {
      await soon()
      await race(carriers)
      expect(reminders()).toBe(Math.min(nth, 3))
      await aDayLater()
    }
    expect([reminders(), await reminded()]).toEqual([3, ['accepted', 'accepted', 'accepted']])
  })

  it('come once a day, even after the lift of today’s reminder was answered', async () => {
    const made = await sent()
    await soon()
    await race(made.carriers)
    await answer(made, 'aya')
    await launched(['aya'], { reminder_policy: REMINDERS })
    await race(made.carriers)
    await soon()
    await race(made.carriers)
    expect(made.reminders()).toBe(1)
  })

  it('of several journeys are planned for different days', async () => {
    const { carriers } = await sent()
    await launched(['aya'], { reminder_policy: REMINDERS })
    await race(carriers)
    const days = (await dispatches('reminder')).map((row) => row.due_at.toISOString().slice(0, 10))
    expect([days.length, new Set(days).size]).toEqual([6, 6])
  })

  it.each([
    ['the learner’s first answer', (made: Sent) => answer(made, 'aya')],
    ['the learner’s removal', (made: Sent) => leave(made)],
    ['the journey’s completion', (made: Sent) => world.must('adam', 'POST', `/lljs/${made.id}/complete`, {})],
  ])('end with %s', async (_, end) => {
    const made = await sent()
    await end(made)
    await soon()
    await race(made.carriers)
    expect(made.reminders()).toBe(0)
    expect((await reminded()).every((state) => state === 'suppressed' || state === 'expired')).toBe(true)
  })

  it('wait while the journey is paused, and are sent after it resumes', async () => {
    const made = await sent()
    await world.must('adam', 'POST', `/lljs/${made.id}/pause`, {})
    await race(made.carriers)
    expect([made.reminders(), await reminded()]).toEqual([0, ['planned', 'planned', 'planned']])
    await world.must('adam', 'POST', `/lljs/${made.id}/resume`, { mode: 'shift' })
    for (let nth = 1; nth <= 3; nth++) {
      await soon()
      await race(made.carriers)
      await aDayLater()
    }
    expect(made.reminders()).toBe(3)
  })
})

type Sent = { id: number; lift: number; prompt: number }
const answer = ({ lift, prompt }: Sent, who: 'aya') =>
  world.must(who, 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id: prompt, value: 'a' }] })

async function leave({ id }: Sent): Promise<void> {
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  await world.must('adam', 'DELETE', `/lljs/${id}/members/${data[0].id}`)
}

async function launched(learners: readonly ('uri' | 'aya' | 'adam' | 'both')[], journey: object = {}) {
  const made = await world.draft(learners, {
    name: `Limits ${Math.random()}`,
    channels: ['sms', 'email'],
    ...journey,
  })
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true })
  return made
}

/** Runs three workers at once. */
async function race(carriers: Parameters<typeof world.workers>[0]) {
  const workers = await Promise.all([1, 2, 3].map(() => world.workers(carriers)))
  await Promise.all(workers.map((one) => one.drain()))
  await Promise.all(workers.map((one) => one.stop()))
}

const nothingLeft = () =>
  inAcme(({ db }) =>
    sql`update dispatches set state = 'planned', lease_until = null, sent_at = null, next_attempt_at = now()`.execute(
      db,
    ),
  )

/** Begins every message with its own sender, all at the same moment; returns how many are sent. */
async function beginAtOnce(): Promise<number> {
  const claim = (channel: 'sms' | 'email') =>
    claimDispatches(world.database.worker, 'many', { channel, limit: 20 })
  const claims = [...(await claim('sms')), ...(await claim('email'))]
  const begun = await Promise.all(
    claims.map((claim) =>
      inScope(world.database.worker, systemActor(world.acme), (scope) =>
        beginSending(scope, [claim.id], 'many', { origin: ORIGIN }),
      ),
    ),
  )
  return begun.filter(({ messages }) => messages.size > 0).length
}

const settings = (value: object) =>
  inAcme(({ db }) => sql`update tenants set settings = ${JSON.stringify(value)}::jsonb`.execute(db))
/** Makes every planned message due. */
const soon = () =>
  inAcme(({ db }) =>
    sql`update dispatches set next_attempt_at = now(), due_at = greatest(due_at, now()) where state = 'planned'`.execute(
      db,
    ),
  )
const later = (hours: number) =>
  inAcme(({ db }) =>
    sql`update dispatches set due_at = due_at - make_interval(hours => ${hours})`.execute(db),
  )
const aDayLater = () =>
  inAcme(({ db }) => sql`update dispatches set sent_at = sent_at - interval '1 day'`.execute(db))
const anHourPasses = async () => {
  await sqlInAcme(sql`update occurrences set due_at = due_at - interval '1 hour'`)
  await sqlInAcme(
    sql`update dispatches set due_at = due_at - interval '1 hour', next_attempt_at = next_attempt_at - interval '1 hour'`,
  )
}
const anHourLater = () =>
  inAcme(({ db }) =>
    sql`update dispatches set sent_at = sent_at - interval '61 minutes', next_attempt_at = now()`.execute(db),
  )
const dispatches = (kind = 'lift') =>
  inAcme(({ db }) =>
    db.selectFrom('dispatches').selectAll().where('kind', '=', kind).orderBy('seq').orderBy('id').execute(),
  )
const occurrences = () =>
  inAcme(async ({ db }) =>
    (await db.selectFrom('occurrences').select('state').execute()).map((row) => row.state),
  )

const sqlInAcme = (statement: RawBuilder<unknown>) => inAcme(({ db }) => statement.execute(db))

const inAcme = inAcmeOf(() => world)
