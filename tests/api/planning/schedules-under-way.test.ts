/** A running journey loses no message and sends none twice when it is edited or paused, or when a learner moves. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepZoneRules } from '#app/domain/planning/zone-rules.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { claimDispatches } from '#app/domain/sending/claims.server.ts'
import { recordAccepted } from '#app/domain/sending/receipts.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  dateIn,
  type JourneysWorld,
  ORIGIN,
  on,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { zoneAt } from './zones.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())
/** No messages of another test are waiting. */
beforeEach(() =>
  inAcme(async ({ db }) => {
    await db.deleteFrom('journeys').execute()
    await sql`update users set timezone = null`.execute(db)
  }),
)

const DAY = 86_400_000

describe('A message that is being sent', () => {
  it('is not planned again by an edit at that moment', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Leaving' })
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    const edit = () => world.call('adam', 'PUT', `/lifts/${lift}`, { ...on(1), lock_version })
    const claim = await whileItLeaves(id, edit)
    await inAcme((scope) => recordAccepted(scope, { id: claim.id, provider_id: 'x' }))
    const [occurrence, ...more] = await occurrences(id)
    expect([occurrence?.state, more]).toEqual(['sent', []])
  })

  it('still counts as sent if its lift is deleted at that moment', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Going' })
    const claim = await whileItLeaves(id, () => world.call('adam', 'DELETE', `/lifts/${lift}`))
    await inAcme((scope) => recordAccepted(scope, { id: claim.id, provider_id: 'y' }))
    expect((await occurrences(id)).map((occurrence) => occurrence.state)).toEqual(['sent'])
    expect((await world.must('adam', 'GET', `/lifts/${lift}`)).status).toBe('retired')
  })

  /** Launches the journey, and does `work` after a message is ready to be sent and before that commits. */
  async function whileItLeaves(id: number, work: () => Promise<{ status: number }>) {
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const [claim] = await claimDispatches(world.database.worker, 'sender', { channel: 'email', limit: 10 })
    if (!claim) throw new Error('nothing was claimed')
    let finish = () => {}
    const mayFinish = new Promise<void>((done) => {
      finish = done
    })
    let begun = () => {}
    const hasBegun = new Promise<void>((done) => {
      begun = done
    })
    // The edit sees the message as `planned`: only the row lock shows that it is being sent.
    await inAcme(async ({ db }) => {
      await sql`update dispatches set state = 'planned'`.execute(db)
      await sql`update occurrences set state = 'planned'`.execute(db)
    })
    const sending = inScope(world.database.worker, systemActor(world.acme), async (scope) => {
      await sql`update dispatches set state = 'claimed'`.execute(scope.db)
      const { messages } = await beginSending(scope, [claim.id], 'sender', { origin: ORIGIN })
      begun()
      await mayFinish
      return messages
    })
    await hasBegun
    const working = work()
    await expect.poll(world.database.countWaiting).toBe(1)
    finish()
    expect((await sending).size).toBe(1)
    expect((await working).status).toBe(200)
    return claim
  }
})

describe('A pause', () => {
  it('holds the lifts that are planned during it, and sends each once after the resume', async () => {
    await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}`.execute(db))
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'Pausing' })
    const waits = await world.addLift(id, 'Waits', {
      schedule: { kind: 'after_lift', lift_id: lift, min_hours: 0 },
    })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain(createTestCarrier().carriers)
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})

    await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    const later = await world.addLift(id, 'Written meanwhile', on(3))
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    expect(taken).toEqual([])
    const held = await occurrences(id)
    expect(held.find((occurrence) => occurrence.lift_id === waits && occurrence.due_at)?.state).toBe('held')
    expect(
      held.filter((occurrence) => occurrence.lift_id === later).map((occurrence) => occurrence.state),
    ).toEqual(['held', 'held'])

    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    const after = await occurrences(id)
    expect(
      after.filter((occurrence) => occurrence.lift_id === later).map((occurrence) => occurrence.state),
    ).toEqual(['planned', 'planned'])
    // At most one lift a day: the second comes on the day after.
    for (let day = 1; day <= 2; day++) {
      await makeDue()
      await world.drain(carriers)
      await inAcme(({ db }) => sql`update dispatches set sent_at = sent_at - interval '1 day'`.execute(db))
    }
    for (const lift_id of [waits, later])
      expect(taken.filter((one) => one.text.includes(`/lift/${lift_id}`))).toHaveLength(2)
  })

  it('does not shift a lift to a day on which the learner gets a lift of another journey', async () => {
    const other = await world.draft(['uri'], { name: 'Other' }, on(8))
    await world.must('adam', 'POST', `/lljs/${other.id}/launch`, { send_now: true })
    const { id } = await world.draft(['uri'], { name: 'Shifted' }, on(5))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    await inAcme(async ({ db }) => {
      await sql`update journeys set paused_at = now() - interval '3 days' where id = ${id}`.execute(db)
      await sql`update occurrences set planned_on = now() - interval '4 days'`.execute(db)
    })
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    const [occurrence] = await occurrences(id)
    expect(occurrence?.due_at?.toISOString().slice(0, 10)).toBe(dateIn(9))
    const { entries } = await world.must('adam', 'GET', `/lljs/${id}/schedule/preview`)
    expect(entries[0].why.map((one: { code: string }) => one.code)).toContain('pause')
  })
})

describe('After a pause that shifted all lifts', () => {
  const byLift = async (id: number) =>
    new Map((await occurrences(id)).map((occurrence) => [occurrence.lift_id, occurrence.due_at]))
  const put = async (path: string, change: object) => {
    const { lock_version } = await world.must('adam', 'GET', path)
    return world.must('adam', 'PUT', path, { ...change, lock_version })
  }
  const impactOf = async (id: number, changes: object) =>
    (await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, { changes })).impact

  it('edits and late joiners keep the shift, but newly set dates are not shifted', async () => {
    const made = { name: 'Kept', start_on: dateIn(2), channels: ['email'], default_send_time: '12:00' }
    const offset = (days: number) => ({ schedule: { kind: 'offset', from: 'start', days, time: null } })
    const { id, lift: first } = await world.draft(['aya'], made, offset(3))
    const second = await world.addLift(id, 'Second', offset(9))
    const dated = await world.addLift(id, 'Dated', on(20))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const before = await byLift(id)
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    await inAcme(async ({ db }) => {
      await sql`update journeys set paused_at = now() - interval '4 days', start_set_on = now() - interval '9 days'`.execute(
        db,
      )
      await sql`update lifts set scheduled_on = now() - interval '9 days'`.execute(db)
      await sql`update occurrences set planned_on = now() - interval '9 days'`.execute(db)
    })
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    const moved = await byLift(id)
    const days = (lift: number, of = moved) =>
      Math.round(((of.get(lift)?.getTime() ?? 0) - (before.get(lift)?.getTime() ?? 0)) / 86_400_000)
    expect([first, second, dated].map((lift) => days(lift))).toEqual([4, 4, 4])

    // This edit changes no times.
    const channels = { channels: ['in_app', 'email'] }
    expect(await impactOf(id, { journey: channels })).toMatchObject({ moved: 0, kept: 3 })
    await put(`/lljs/${id}`, channels)
    expect(await byLift(id)).toEqual(moved)

    const later = { lifts: [{ lift_id: second, ...offset(10) }] }
    const preview = await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, { changes: later })
    const shown = preview.entries.find((one: { lift_id: number }) => one.lift_id === second)
    await put(`/lifts/${second}`, offset(10))
    const edited = await byLift(id)
    expect(days(second, edited)).toBe(5)
    expect(shown.due_at).toBe(edited.get(second)?.toISOString())
    expect(shown.why.map((one: { code: string }) => one.code)).toContain('pause')

    // A date that is set during the pause is not shifted by it.
    const named = { lifts: [{ lift_id: dated, ...on(30) }] }
    const promised = (await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, { changes: named }))
      .entries
    await put(`/lifts/${dated}`, on(30))
    const due = (await byLift(id)).get(dated)?.toISOString()
    expect(due?.slice(0, 10)).toBe(dateIn(30))
    expect(promised.find((one: { lift_id: number }) => one.lift_id === dated).due_at).toBe(due)

    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.uri.user_id] })
    const joined = (await occurrences(id))
      .filter((occurrence) => occurrence.lift_id === first)
      .map((occurrence) => occurrence.due_at?.toISOString().slice(0, 10))
    expect(new Set(joined).size).toBe(1)

    // A new start date is not shifted, either.
    await put(`/lljs/${id}`, { start_on: dateIn(40) })
    expect((await byLift(id)).get(first)?.toISOString().slice(0, 10)).toBe(dateIn(43))
  })
})

describe('A learner whose time zone changes', () => {
  it('gets later lifts at the new zone’s time; sent lifts keep theirs', async () => {
    const { id } = await world.draft(['uri', 'aya'], { name: 'Moving' })
    const next = await world.addLift(id, 'Next', on(4))
    await world.addLift(id, 'Then', on(5))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain(createTestCarrier().carriers)
    const before = await occurrences(id)
    const { lock_version } = await world.must('adam', 'GET', `/users/${world.people.uri.user_id}`)
    await world.must('adam', 'PUT', `/users/${world.people.uri.user_id}`, {
      timezone: 'Pacific/Auckland',
      lock_version,
    })
    await world.drain()
    const after = await occurrences(id)
    const member = await memberOf(id, 'uri')
    const its = (rows: typeof after, lift: number) =>
      rows.find((row) => row.member_id === member && row.lift_id === lift)
    expect(its(after, next)).toMatchObject({ zone: 'Pacific/Auckland', state: 'planned' })
    expect(wall(its(after, next)?.due_at, 'Pacific/Auckland')).toBe(`${dateIn(4)} 12:00`)
    expect(after.filter((row) => row.member_id !== member)).toEqual(
      before.filter((row) => row.member_id !== member),
    )
    expect(after.filter((row) => row.state === 'sent')).toEqual(before.filter((row) => row.state === 'sent'))
    expect(after).toHaveLength(before.length)
  })

  const movesTo = async (zone: string, name: string) => {
    const { id, lift } = await world.draft(['uri'], { name }, on(1, '18:00'))
    const { user_id } = world.people.uri
    await inAcme(({ db }) =>
      sql`update users set timezone = 'Pacific/Pago_Pago' where id = ${user_id}`.execute(db),
    )
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await inAcme(async ({ db }) => {
      const past = JSON.stringify({ date: dateIn(-1), time: '00:00' })
      await sql`update lifts set schedule = schedule || ${past}::jsonb where id = ${lift}`.execute(db)
      await sql`update users set timezone = ${zone} where id = ${user_id}`.execute(db)
    })
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    return { id, came: taken.filter((one) => one.text.includes(`/lift/${lift}`)) }
  }

  it('still gets a lift whose time is past in the new zone', async () => {
    expect((await movesTo(zoneAt(12), 'To noon')).came).toHaveLength(1)
  })

  it('gets a due lift at the end of quiet hours if it is night in the new zone', async () => {
    const zone = zoneAt(2)
    const { id, came } = await movesTo(zone, 'Into the night')
    expect(came).toEqual([])
    const [occurrence] = await occurrences(id)
    const [waiting] = await inAcme(({ db }) =>
      db
        .selectFrom('dispatches')
        .selectAll()
        .where('occurrence_id', '=', occurrence?.id ?? 0)
        .execute(),
    )
    expect([waiting?.state, wall(waiting?.next_attempt_at, zone)]).toEqual([
      'planned',
      expect.stringMatching(/ 09:[01]\d$/),
    ])
  })

  it('with the company’s zone is replanned, also when the company’s quiet hours change', async () => {
    await inAcme(({ db }) => sql`update users set timezone = null`.execute(db))
    const { id } = await world.draft(['uri', 'aya'], { name: 'Company moves' }, on(4, '18:30'))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await inAcme(({ db }) => sql`update tenants set timezone = 'Asia/Tokyo'`.execute(db))
    await world.drain()
    expect(
      (await occurrences(id)).map((occurrence) => [occurrence.zone, wall(occurrence.due_at, 'Asia/Tokyo')]),
    ).toEqual([
      ['Asia/Tokyo', `${dateIn(4)} 18:30`],
      ['Asia/Tokyo', `${dateIn(4)} 18:30`],
    ])
    await inAcme(({ db }) =>
      sql`update tenants set settings = settings || '{"quiet_hours": {"from": "18:00", "to": "12:00"}}'`.execute(
        db,
      ),
    )
    await world.drain()
    for (const occurrence of await occurrences(id))
      expect(wall(occurrence.due_at, 'Asia/Tokyo')).toMatch(new RegExp(`^${dateIn(5)} 12:[01]`))
    await inAcme(({ db }) => sql`update tenants set settings = '{}', timezone = 'Europe/Vienna'`.execute(db))
  })
})

describe('Changed time zone rules', () => {
  it('replan later lifts of learners in that zone, and none in other zones', async () => {
    const { worker } = world.database
    expect(await keepZoneRules(worker, '2020a')).toEqual([])
    const { id } = await world.draft(['uri', 'aya'], { name: 'Zones', channels: ['email'] }, on(20))
    await inAcme(({ db }) =>
      sql`update users set timezone = case when id = ${world.people.uri.user_id} then 'Asia/Tokyo' else 'Europe/Vienna' end`.execute(
        db,
      ),
    )
    await world.drain()
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const planned = await occurrences(id)
    // As if zone rules one hour off had planned both; only Tokyo's rules have changed since.
    await inAcme(({ db }) =>
      sql`update occurrences set due_at = due_at - interval '1 hour' where journey_id = ${id}`.execute(db),
    )
    await sql`update zone_rules set changes = 'other' where zone = 'Asia/Tokyo'`.execute(worker)
    // With the same version of the zone data nothing is compared.
    expect(await keepZoneRules(worker, '2020a')).toEqual([])
    expect(await keepZoneRules(worker, '2020b')).toEqual(['Asia/Tokyo'])
    await world.drain()
    const hours = (await occurrences(id)).map((occurrence, nth) => [
      occurrence.zone,
      ((occurrence.due_at?.getTime() ?? 0) - (planned[nth]?.due_at?.getTime() ?? 0)) / 3_600_000,
    ])
    expect(hours.sort()).toEqual([
      ['Asia/Tokyo', 0],
      ['Europe/Vienna', -1],
    ])
    expect(await keepZoneRules(worker, '2020b')).toEqual([])
  })
})

describe('A lift without a message', () => {
  it('stays in the to-do list of a late joiner when the author edits it', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Silent', late_joiners: 'todo_only' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })
    const listed = async () =>
      (await world.must('aya', 'GET', '/learner/todo')).data.map((one: { lift_id: number }) => one.lift_id)
    expect(await listed()).toEqual([lift])
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    await world.must('adam', 'PUT', `/lifts/${lift}`, { ...on(-3), lock_version })
    expect(await listed()).toEqual([lift])
  })

  it('is shown in the preview of a late joiner, with the reason if they do not get it', async () => {
    const preview = async (late_joiners: string) => {
      const { id } = await world.draft(['uri'], { name: `Late: ${late_joiners}`, late_joiners }, on(-3))
      await world.addLift(id, 'To come', on(3))
      await world.must('adam', 'POST', `/lljs/${id}/launch`, { skip_past: false, send_now: true })
      await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })
      const path = `/lljs/${id}/schedule/preview?user_id=${world.people.aya.user_id}`
      const { entries } = await world.must('adam', 'GET', path)
      const had = await inAcme(({ db }) =>
        sql`select from occurrences o join members m on m.id = o.member_id
          where o.journey_id = ${id} and m.user_id = ${world.people.aya.user_id}`.execute(db),
      )
      const [first, second] = entries as { state: string; why: { code: string; text: string }[] }[]
      return [
        had.rows.length,
        first?.state,
        first?.why.find(({ code }) => code === 'past')?.text,
        second?.state,
      ]
    }
    const missed = 'Its time was already past: this learner does not get it.'
    expect(await preview('skip')).toEqual([1, 'skipped', missed, 'planned'])
    const [had, state, why, next] = await preview('todo_only')
    expect([had, state === 'skipped', why, next]).toEqual([2, false, undefined, 'planned'])
  })

  it('is in the to-do list from its time on even while sending is stopped', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Held back' }, on(2))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const listed = async () =>
      (await world.must('uri', 'GET', '/learner/todo')).data.map((one: { lift_id: number }) => one.lift_id)
    expect(await listed()).toEqual([])
    await inAcme(({ db }) =>
      sql`update tenants set settings = settings || '{"sending_stopped": true}'`.execute(db),
    )
    await makeDue()
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    await inAcme(({ db }) => sql`update tenants set settings = '{}'`.execute(db))
    expect([taken, await listed()]).toEqual([[], [lift]])
    expect((await world.must('uri', 'GET', `/lifts/${lift}/page`)).is_test).toBe(false)
  })
})

describe('A lift that waits for the lift before it', () => {
  const AFTER = { schedule: { kind: 'offset', from: 'previous_lift_completed', days: 1, time: '12:00' } }
  const put = async (lift: number, change: object) => {
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    return world.call('adam', 'PUT', `/lifts/${lift}`, { ...change, lock_version })
  }
  /** Three lifts: the first is completed, the third waits for the second. */
  async function completed() {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'In a row' })
    const [second, third] = [
      await world.addLift(id, 'Second', AFTER),
      await world.addLift(id, 'Third', AFTER),
    ]
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain(createTestCarrier().carriers)
    await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    const dueOf = async (of: number) =>
      (await occurrences(id)).find((occurrence) => occurrence.lift_id === of)?.due_at
    expect(await dueOf(third)).toBeNull()
    return { id, second, third, dueOf }
  }
  const ways: [string, (lift: number) => Promise<{ status: number }>][] = [
    ['deleted', (lift) => world.call('adam', 'DELETE', `/lifts/${lift}`)],
    ['retired', (lift) => put(lift, { status: 'retired' })],
    ['made a draft', (lift) => put(lift, { status: 'draft' })],
  ]

  it.each(ways)('takes over the date of that lift if that lift is %s', async (_, end) => {
    const { id, second, third, dueOf } = await completed()
    const due = await dueOf(second)
    const { impact } = await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, {
      changes: { lifts: [{ lift_id: second, status: 'retired' }] },
    })
    expect(impact).toMatchObject({ moved: 1, cancelled: 1 })
    expect((await end(second)).status).toBe(200)
    expect(await dueOf(third)).toEqual(due)
  })

  it.each(ways)('is due now if that lift is %s and the one before was completed long ago', async (_, end) => {
    await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}`.execute(db))
    const { second, third, dueOf } = await completed()
    await inAcme(({ db }) =>
      sql`update occurrences set completed_at = completed_at - interval '9 days', due_at = due_at - interval '9 days'
        where completed_at is not null`.execute(db),
    )
    expect((await end(second)).status).toBe(200)
    const due = (await dueOf(third))?.getTime() ?? 0
    expect(Math.abs(due - Date.now())).toBeLessThan(DAY / 24)
  })

  it('cannot get that lift back once it is retired, since a retired lift cannot be edited', async () => {
    const { second } = await completed()
    expect((await put(second, { status: 'retired' })).status).toBe(200)
    for (const change of [{ status: 'ready' }, { status: 'draft' }, { title: 'Again' }]) {
      const { status, json } = await put(second, change)
      expect([status, json.detail]).toEqual([409, expect.stringContaining('cannot come back')])
    }
    expect(await world.must('adam', 'GET', `/lifts/${second}`)).toMatchObject({
      status: 'retired',
      title: 'Second',
    })
  })

  it('keeps a lift that its rule names from being retired or made a draft', async () => {
    const { id, second } = await completed()
    await world.addLift(id, 'Waits', { schedule: { kind: 'after_lift', lift_id: second, min_hours: 1 } })
    for (const status of ['draft', 'retired']) {
      const { status: code, json } = await put(second, { status })
      expect([code, json.detail.status?.[0]]).toEqual([409, expect.stringMatching(/^“Waits” waits for this/)])
    }
    expect((await world.must('adam', 'GET', `/lifts/${second}`)).status).toBe('ready')
  })
})

describe('A learner whose account is disabled for a while', () => {
  const setAccount = (activation_status: 'active' | 'disabled') =>
    world.must('adam', 'PATCH', `/users/${world.people.uri.user_id}/activation`, { activation_status })
  const dayOf = (occurrence?: { due_at: Date | null; zone: string }) =>
    wall(occurrence?.due_at, occurrence?.zone ?? 'UTC')?.slice(0, 10)
  afterEach(() => setAccount('active'))

  it('keeps lifts that are edited or added meanwhile, and gets none while disabled', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Edited meanwhile' }, on(4))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await setAccount('disabled')
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    const { impact } = await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, {
      changes: { lifts: [{ lift_id: lift, ...on(6) }] },
    })
    expect(impact).toMatchObject({ moved: 1, cancelled: 0 })
    await world.must('adam', 'PUT', `/lifts/${lift}`, { ...on(6), lock_version })
    const added = await world.addLift(id, 'Added meanwhile', on(8))
    expect(
      (await occurrences(id)).map((occurrence) => [occurrence.lift_id, occurrence.state, dayOf(occurrence)]),
    ).toEqual([
      [lift, 'planned', dateIn(6)],
      [added, 'planned', dateIn(8)],
    ])
    await makeDue()
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    expect(taken).toEqual([])
  })

  it('is planned for a journey launched meanwhile, by its rule for late joiners', async () => {
    const { id, lift } = await world.draft(['uri', 'aya'], { late_joiners: 'todo_only' })
    const later = await world.addLift(id, 'Later', on(5))
    await setAccount('disabled')
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain(createTestCarrier().carriers)
    const member = await memberOf(id, 'uri')
    const own = async () => (await occurrences(id)).filter((occurrence) => occurrence.member_id === member)
    expect(await own()).toEqual([])
    await setAccount('active')
    const { taken, carriers } = createTestCarrier()
    await world.drain(carriers)
    expect((await own()).map((occurrence) => occurrence.lift_id)).toEqual([lift, later])
    expect(dayOf((await own())[1])).toBe(dateIn(5))
    expect(taken).toEqual([])
  })

  it('gets a lift of a journey that was resumed meanwhile', async () => {
    const { id } = await world.draft(['uri'], { name: 'Resumed meanwhile' }, on(4))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    await setAccount('disabled')
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    await setAccount('active')
    await world.drain()
    expect((await occurrences(id)).map((occurrence) => occurrence.state)).toEqual(['planned'])
    await makeDue()
    const { taken, carriers } = createTestCarrier()
    await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}`.execute(db))
    await world.drain(carriers)
    await makeDue()
    await world.drain(carriers)
    expect(taken).toHaveLength(1)
  })
})

describe('The limit of one lift a day', () => {
  it('counts a lift that was already sent on that day', async () => {
    const { id } = await world.draft(['uri'], { name: 'Today' })
    const next = await world.addLift(id, 'Soon', on(6))
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain(createTestCarrier().carriers)
    // The first lift was sent on the day to which the next one is moved.
    await inAcme(({ db }) =>
      sql`update occurrences set due_at = ${`${dateIn(3)}T12:00:00Z`} where lift_id <> ${next}`.execute(db),
    )
    const journey = await world.must('adam', 'GET', `/lljs/${id}`)
    await world.must('adam', 'PUT', `/lljs/${id}`, {
      default_send_time: '14:00',
      lock_version: journey.lock_version,
    })
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${next}`)
    await world.must('adam', 'PUT', `/lifts/${next}`, { ...on(3), lock_version })
    const occurrence = (await occurrences(id)).find((row) => row.lift_id === next)
    expect(wall(occurrence?.due_at, occurrence?.zone ?? 'UTC')?.slice(0, 10)).toBe(dateIn(4))
  })
})

const inAcme = inAcmeOf(() => world)

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

const memberOf = async (id: number, who: 'uri' | 'aya'): Promise<number> => {
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  return data.find((one: { user_id: number }) => one.user_id === world.people[who].user_id).id
}

/** Makes every waiting message due. */
const makeDue = () =>
  inAcme(async ({ db }) => {
    await sql`update occurrences set due_at = now() where state = 'planned' and due_at is not null`.execute(
      db,
    )
    await sql`update dispatches set due_at = now(), next_attempt_at = now() where state = 'planned' and next_attempt_at < '9000-01-01'`.execute(
      db,
    )
  })

/** The wall-clock time in that zone. */
function wall(date: Date | null | undefined, timeZone: string): string | undefined {
  if (!date) return undefined
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    date,
  )
  return parts
}
