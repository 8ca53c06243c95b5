/** Reminders that a person sends: to learners who have not answered, one a day, outside quiet hours. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'

let world: JourneysWorld
let admin: pg.Client
let id = 0
let lift = 0
let prompt = 0
let carrier: ReturnType<typeof createTestCarrier>
const LEARNERS = ['uri', 'nora', 'aya', 'both'] as const

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await admin.query('update users set timezone = $1', [zoneAt(13)])
  await admin.query('update users set timezone = $1 where id = $2', [zoneAt(2), world.people.nora.user_id])
  carrier = createTestCarrier()
  const made = await world.draft(
    LEARNERS,
    { channels: ['email'] },
    { schedule: { kind: 'manual', at_launch: true } },
  )
  ;({ id, lift, prompt } = made)
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 4, send_now: true })
  await drain()
  await world.must('aya', 'POST', `/lifts/${lift}/responses`, {
    responses: [{ prompt_id: prompt, value: 'a' }],
  })
  await admin.query(
    `update occurrences o set state = 'planned' from members m where m.id = o.member_id and m.user_id = $1`,
    [world.people.both.user_id],
  )
})
afterAll(() => world?.drop())

const drain = () => world.drain(carrier.carriers)
const foresee = () => world.must('adam', 'GET', `/lifts/${lift}/remind`)
const NEVER_SENT = { not_sent: 0, unknown: 0, suppressed: 0, failed: 0, expired: 0 }
const NOBODY = {
  people: 2,
  now: 0,
  morning: 0,
  tomorrow: 0,
  reminded: 0,
  closed: 0,
  ...NEVER_SENT,
  not_sent: 1,
}
const reminders = async () =>
  (await admin.query(`select count(*)::int as n from dispatches where kind = 'reminder'`)).rows[0].n

describe('A reminder that a person sends', () => {
  it('shows beforehand how many learners get it now, in the morning, or not at all', async () => {
    expect(await foresee()).toEqual({ ...NOBODY, now: 1, morning: 1 })
    const { data } = await world.must('adam', 'GET', '/lifts/unanswered')
    expect(data).toMatchObject([{ id: lift, journey: { id }, unanswered: 3 }])
    expect((await world.must('aya', 'GET', '/lifts/unanswered')).data).toEqual([])
  })

  it('shows beforehand why a learner was not sent the lift', async () => {
    const becameOf = (delivery: string) =>
      admin.query('update fact_occurrence set delivery = $1 where lift_id = $2 and user_id = $3', [
        ...[delivery, lift, world.people.both.user_id],
      ])
    for (const delivery of ['unknown', 'suppressed', 'failed', 'expired']) {
      await becameOf(delivery)
      const unsent = { ...NEVER_SENT, [delivery]: 1 }
      expect(await foresee()).toEqual({ ...NOBODY, now: 1, morning: 1, ...unsent })
    }
    await becameOf('pending')
    expect(await foresee()).toEqual({ ...NOBODY, now: 1, morning: 1 })
  })

  it('counts as unanswered only learners for whom the lift is still open, to the second', async () => {
    const close = (who: 'uri' | 'nora', closes_at: string) =>
      admin.query(
        `update fact_occurrence set closes_at = now() + $3::interval where lift_id = $1 and user_id = $2`,
        [lift, world.people[who].user_id, closes_at],
      )
    const waitsFor = async () => {
      const { data } = await world.must('adam', 'GET', '/lifts/unanswered')
      return data.map(({ unanswered }: { unanswered: number }) => unanswered)
    }
    for (const [uri, nora, left] of [
      ['-1 second', '1 minute', 2],
      ['1 hour', '-1 hour', 2],
      ['-2 seconds', '-1 second', 1],
      ['1 minute', '1 day', 3],
    ] as const) {
      await close('uri', uri)
      await close('nora', nora)
      expect([uri, nora, await waitsFor()]).toEqual([uri, nora, [left]])
    }
    await admin.query('update fact_occurrence set closes_at = null')
  })

  it('is sent to each learner once a day, however often it is requested', async () => {
    const both = await Promise.all([1, 2].map(() => world.must('adam', 'POST', `/lifts/${lift}/remind`)))
    expect(both.map(({ planned }) => planned).sort()).toEqual([0, 2])
    expect(await reminders()).toBe(2)
    expect(await foresee()).toEqual({ ...NOBODY, reminded: 2 })
    expect((await world.must('adam', 'POST', `/lifts/${lift}/remind`)).planned).toBe(0)
    carrier.taken.length = 0
    await drain()
    expect(carrier.taken.map(({ to, subject }) => [to, /^Reminder: /.test(subject)])).toEqual([
      [world.people.uri.email, true],
    ])
  })

  it('waits until tomorrow if the learner already got one today, even for another lift', async () => {
    const made = await world.draft(
      ['uri'],
      { name: 'Another one', channels: ['email'] },
      {
        schedule: { kind: 'manual', at_launch: true },
      },
    )
    await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { expected_recipients: 1, send_now: true })
    await drain()
    expect(await world.must('adam', 'GET', `/lifts/${made.lift}/remind`)).toMatchObject({
      people: 1,
      tomorrow: 1,
    })
    const make = (state: string) =>
      admin.query(
        `update occurrences o set state = $3 from members m where m.id = o.member_id and o.lift_id = $1 and m.user_id = $2`,
        [lift, world.people.uri.user_id, state],
      )
    // A reminder counts even if the learner has answered since.
    await make('responded')
    const done = await world.must('adam', 'POST', `/lifts/${made.lift}/remind`)
    await make('sent')
    expect(done).toEqual({ planned: 1, now: 0, later: 1 })
    const { rows } = await admin.query(
      `select due_at > now() + interval '12 hours' as is_later from dispatches where kind = 'reminder' order by id desc limit 1`,
    )
    expect(rows[0].is_later).toBe(true)
  })

  it('does not go to learners for whom the lift has closed', async () => {
    await admin.query('delete from dispatches where kind = $1', ['reminder'])
    await admin.query(
      `update occurrences o set closes_at = now() - interval '1 hour' from members m
        where m.id = o.member_id and m.user_id = $1 and o.lift_id = $2`,
      [world.people.uri.user_id, lift],
    )
    expect(await foresee()).toEqual({ ...NOBODY, closed: 1, morning: 1 })
  })

  it('does not go to learners in quiet hours if the lift closes before the morning', async () => {
    await admin.query(
      `update occurrences o set closes_at = now() + interval '1 hour' from members m
        where m.id = o.member_id and m.user_id = any($1) and o.lift_id = $2`,
      [[world.people.uri.user_id, world.people.nora.user_id], lift],
    )
    expect(await foresee()).toEqual({ ...NOBODY, now: 1, closed: 1 })
  })

  it('can be sent only for a running journey, by people who can edit it', async () => {
    for (const [who, status] of [
      ['uri', 403],
      ['greta', 404],
      ['aya', 403],
    ] as const)
      for (const method of ['GET', 'POST'])
        expect([who, method, (await world.call(who, method, `/lifts/${lift}/remind`)).status]).toEqual([
          who,
          method,
          status,
        ])
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    expect((await world.call('adam', 'POST', `/lifts/${lift}/remind`)).status).toBe(409)
    expect((await world.call('adam', 'POST', '/lifts/999999/remind')).status).toBe(404)
  })

  it('is recorded in the audit log', async () => {
    const { rows } = await admin.query(
      `select distinct subject_type from audit_events where action = 'lift.reminded'`,
    )
    expect(rows).toEqual([{ subject_type: 'lift' }])
  })
})
