/** Sponsors and their own learners: what they read, what they write, and what stays hidden from them. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { composeEncouragement } from '#app/domain/sponsors/delivering.server.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { createJourneysWorld, createTestCarrier, type JourneysWorld } from './journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
let id = 0
let lift = 0
const ask: Record<string, number> = {}
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  const { people } = world
  const made = await world.draft(['uri', 'nora'], {}, { schedule: { kind: 'manual', at_launch: true } })
  id = made.id
  lift = made.lift
  const questions = {
    alone: { kind: 'short_text', visibility: 'learner_only' },
    counted: { kind: 'short_text', visibility: 'aggregate_only' },
    run: { kind: 'short_text', visibility: 'admins' },
    told: { kind: 'short_text', visibility: 'sponsor' },
    will: { kind: 'commitment', visibility: 'sponsor' },
    secret: { kind: 'commitment', visibility: 'learner_only' },
  }
  for (const [name, question] of Object.entries(questions)) {
    const body = { text: `${name}?`, required: false, ...question }
    ask[name] = (await world.must('adam', 'POST', `/lifts/${lift}/prompts`, body)).id
  }
  await sponsor('uri', 'both')
  await sponsor('nora', 'aya')
  await admin.query(`update users set mobile_phone = '+14155550177' where id = $1`, [people.uri.user_id])
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 2, send_now: true })
  await admin.query(`update occurrences set due_at = now() - interval '1 minute' where journey_id = $1`, [id])
  for (const who of ['uri', 'nora'] as const) await answer(who)
})
afterAll(() => world?.drop())

const inNorth = () => ({ sub: world.north })
const SAID = ['alone', 'counted', 'run', 'told', 'will', 'secret']
async function sponsor(learner: 'uri' | 'nora', by: 'both' | 'aya' | 'adam') {
  const { data } = await world.must(
    'adam',
    'GET',
    `/lljs/${id}/members?user_ids=${world.people[learner].user_id}`,
  )
  const member = data.find(({ role }: { role: string }) => role === 'learner')
  await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
    ...{ member_ids: [member.id], sponsor_user_id: world.people[by].user_id },
  })
  return member.id as number
}
const answer = (who: 'uri' | 'nora', by = '2099-11-25') =>
  world.must(who, 'POST', `/lifts/${lift}/responses`, {
    responses: SAID.map((name) => ({
      prompt_id: ask[name],
      value: name === 'will' || name === 'secret' ? { what: `${name}-of-${who}`, by } : `${name}-of-${who}`,
    })),
  })
const learnerPath = (who: 'uri' | 'nora') => `/sponsors_journeys/${id}/learners/${world.people[who].user_id}`

describe('A sponsor', () => {
  it('sees only their own learners, and only answers that sponsors are allowed to read', async () => {
    const list = await world.must('aya', 'GET', `/sponsors_journeys/${id}`)
    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(['Nora Test'])
    expect(list.data[0]).toMatchObject({
      come: 1,
      completed: 0,
      open_commitments: 1,
      encouraged_today: false,
    })
    const { text, json } = await world.call('aya', 'GET', learnerPath('nora'))
    for (const shown of ['told-of-nora', 'will-of-nora']) expect(text).toContain(shown)
    for (const hidden of ['alone-of', 'counted-of', 'run-of', 'secret-of', 'of-uri', '+1415', '@'])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
    expect(json.commitments).toMatchObject([{ what: 'will-of-nora', by_on: '2099-11-25', state: 'open' }])
  })

  it('sees as overdue only lifts that can still be answered', async () => {
    const inPast = (rule: string) =>
      admin.query(
        `update occurrences set due_at = now() - interval '5 days', ${rule} where journey_id = $1`,
        [id],
      )
    /** The journey's count; the marks on the learner's own lifts have to agree. */
    const overdue = async () => {
      const [{ overdue: counted }] = (await world.must('aya', 'GET', '/sponsors_journeys')).data
      const { data } = await world.must('aya', 'GET', learnerPath('nora'))
      expect(data.filter(({ is_overdue }: { is_overdue: boolean }) => is_overdue)).toHaveLength(counted)
      return counted
    }
    try {
      await inPast(`state = 'sent', closes_at = null`)
      expect(await overdue()).toBe(1)
      // The lift is in the to-do list only, without a message.
      await inPast(`state = 'suppressed', closes_at = null`)
      expect(await overdue()).toBe(1)
      await inPast(`state = 'due', closes_at = null`)
      expect(await overdue()).toBe(0)
      await inPast(`state = 'sent', closes_at = null`)
      await inPast("closes_at = now() - interval '1 day'")
      expect(await overdue()).toBe(0)
      const { data } = await world.must('aya', 'GET', learnerPath('nora'))
      const states = new Set(data.map(({ state }: { state: string }) => state))
      expect([...states], 'closed unanswered, as its learner is told').toEqual(['expired'])
    } finally {
      await admin.query(
        `update occurrences set due_at = now() - interval '1 minute', state = 'responded', closes_at = null where journey_id = $1`,
        [id],
      )
    }
  })

  it('sees the delivery state of a lift’s message', async () => {
    const deliveries = async () =>
      (await world.must('aya', 'GET', learnerPath('nora'))).data.map(
        (lift: { delivery: string }) => lift.delivery,
      )
    const { rows } = await admin.query(
      'select occurrence_id, delivery from fact_occurrence where journey_id = $1',
      [id],
    )
    await admin.query(`update fact_occurrence set delivery = 'failed' where journey_id = $1`, [id])
    expect(await deliveries()).toEqual(['failed'])
    for (const { occurrence_id, delivery } of rows)
      await admin.query('update fact_occurrence set delivery = $2 where occurrence_id = $1', [
        occurrence_id,
        delivery,
      ])
  })

  it('sees their learners even from inside another sub-tenant', async () => {
    const { status, text } = await world.call('both', 'GET', learnerPath('uri'), undefined, inNorth())
    expect(status).toBe(200)
    for (const shown of ['Uri Test', 'told-of-uri', 'will-of-uri']) expect(text).toContain(shown)
    expect(text).not.toMatch(/alone-of|counted-of|run-of|secret-of|of-nora|\+1415/)
  })

  it('cannot see another sponsor’s learners, nor can other people see the sponsor’s', async () => {
    const statusOf = async (who: 'aya' | 'adam' | 'uri' | 'greta' | 'nora', path: string) =>
      (await world.call(who, 'GET', path, undefined, who === 'nora' ? inNorth() : {})).status
    expect(await statusOf('aya', learnerPath('uri'))).toBe(404)
    for (const who of ['adam', 'uri', 'greta', 'nora'] as const)
      for (const path of [`/sponsors_journeys/${id}`, learnerPath('nora'), '/sponsors_journeys/999999'])
        expect([who, path, await statusOf(who, path)]).toEqual([who, path, 404])
    expect((await world.must('uri', 'GET', '/sponsors_journeys')).data).toEqual([])
    expect((await world.must('aya', 'GET', '/sponsors_journeys')).data).toMatchObject([{ id, learners: 1 }])
  })

  it('can encourage a learner once a day, without links; the same text again is not a second one', async () => {
    const user_id = world.people.nora.user_id
    const write = (text: string, who: 'aya' | 'adam' = 'aya', user = user_id) =>
      world.call(who, 'POST', `/lljs/${id}/encouragements`, { user_id: user, text })
    for (const wrong of [
      '',
      'x'.repeat(301),
      'See https://evil.example',
      'See evil.example/now',
      'Two\0words',
    ])
      expect([wrong, (await write(wrong)).status]).toEqual([wrong, 422])
    expect((await write('Hello', 'adam')).status).toBe(404)
    expect((await write('Hello', 'aya', world.people.uri.user_id)).status).toBe(404)
    const first = await write('Well done.\r\nKeep going.')
    const again = await write('Well done. Keep going.')
    expect([first.status, again.status, again.json.id]).toEqual([201, 201, first.json.id])
    expect((await write('Something else')).status).toBe(409)
    const { rows } = await admin.query('select count(*)::int as said from encouragements')
    expect(rows[0].said).toBe(1)
    expect((await world.must('aya', 'GET', `/sponsors_journeys/${id}`)).data[0].encouraged_today).toBe(true)
  })

  it('can encourage once per day in the sponsor’s zone; commitments are late by the learner’s zone', async () => {
    // A zone in which it is now another day than where the sponsor wrote.
    const { rows } = await admin.query(
      `select zone from unnest(array['Etc/GMT-14', 'Etc/GMT+12']) zone, encouragements
        where (now() at time zone zone)::date <> said_on`,
    )
    const elsewhere: string = rows[0].zone
    const nora = world.people.nora.user_id
    const due = async (days: number) => {
      await admin.query('update occurrences set zone = $1 where journey_id = $2', [elsewhere, id])
      await admin.query(`update commitments set by_on = (now() at time zone $1)::date + $2::int`, [
        elsewhere,
        days,
      ])
      return (await world.must('aya', 'GET', `/sponsors_journeys/${id}`)).data[0].late_commitments
    }
    expect([await due(0), await due(1)]).toEqual([1, 0])
    await admin.query(`update commitments set by_on = '2099-11-25'`)
    await admin.query('update users set timezone = $1 where id = $2', [elsewhere, world.people.aya.user_id])
    try {
      expect((await world.must('aya', 'GET', `/sponsors_journeys/${id}`)).data[0].encouraged_today).toBe(
        false,
      )
      const body = { user_id: nora, text: 'Another day' }
      expect((await world.call('aya', 'POST', `/lljs/${id}/encouragements`, body)).status).toBe(201)
      expect((await world.must('aya', 'GET', `/sponsors_journeys/${id}`)).data[0].encouraged_today).toBe(true)
    } finally {
      await admin.query('update users set timezone = null where id = $1', [world.people.aya.user_id])
    }
  })

  it('can acknowledge a learner’s commitment once; other people cannot', async () => {
    const [mine] = (await world.must('aya', 'GET', learnerPath('nora'))).commitments
    const path = `/commitments/${mine.id}/acknowledge`
    const { rows } = await admin.query(
      `select c.id::int from commitments c join prompts p on p.id = c.prompt_id where p.visibility = 'learner_only'`,
    )
    for (const who of ['adam', 'uri', 'greta'] as const)
      expect([who, (await world.call(who, 'POST', path)).status]).toEqual([who, 404])
    for (const { id: hidden } of rows)
      expect((await world.call('aya', 'POST', `/commitments/${hidden}/acknowledge`)).status).toBe(404)
    const [first, other] = await Promise.all([1, 2].map(() => world.must('aya', 'POST', path)))
    expect(first.acknowledged_at).toBeTruthy()
    expect(other.acknowledged_at).toBe(first.acknowledged_at)
    const told = await admin.query(
      `select (select count(*) from notifications where content ->> 'title' = 'Your sponsor saw your commitment')::int as times,
        (select array_agg(changes) from audit_events where action = 'commitment.acknowledged') as lines`,
    )
    expect(told.rows).toEqual([{ times: 1, lines: [{ learner: world.people.nora.user_id }] }])
  })

  it('no longer sees a learner who got another sponsor or was removed', async () => {
    const member = await sponsor('nora', 'adam')
    expect((await world.call('aya', 'GET', learnerPath('nora'))).status).toBe(404)
    expect((await world.call('aya', 'GET', `/sponsors_journeys/${id}`)).status).toBe(404)
    expect((await world.call('adam', 'GET', learnerPath('nora'))).text).toContain('told-of-nora')
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${member}`)
    expect((await world.call('adam', 'GET', learnerPath('nora'))).status).toBe(404)
  })
})

describe('A commitment', () => {
  it('needs a day, today or later, and is in the to-do list until it is done', async () => {
    const say = (value: unknown) =>
      world.call('uri', 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id: ask.will, value }] })
    for (const by of [undefined, null, '', '1999-02-03', 'soon']) {
      const { status, json } = await say({ what: 'call Bob', by })
      expect([by, status, Object.keys(json.detail)]).toEqual([by, 422, [`prompt_${ask.will}`]])
    }
    const own = async () =>
      (await world.must('uri', 'GET', '/learner/commitments')).data.map(({ what }: { what: string }) => what)
    expect((await own()).sort()).toEqual(['secret-of-uri', 'will-of-uri'])
    expect((await say({ what: 'call Bob', by: '2098-01-02' })).status).toBe(200)
    expect((await own()).sort()).toEqual(['call Bob', 'secret-of-uri'])
    const { data } = await world.must('uri', 'GET', '/learner/commitments')
    const [first] = data
    const path = `/learner/commitments/${first.id}`
    expect((await world.call('adam', 'PATCH', path, { state: 'done' })).status).toBe(404)
    expect((await world.call('uri', 'PATCH', path, { state: 'lost' })).status).toBe(422)
    expect((await world.must('uri', 'PATCH', path, { state: 'done' })).state).toBe('done')
    expect(await own()).toHaveLength(1)
  })
})

it('sends an encouragement by e-mail to a learner who has not agreed to texts', async () => {
  await admin.query(
    `update tenants set settings = settings || '{"quiet_hours": {"from": "21:00", "to": "08:00"}}'`,
  )
  // A zone in which it is about noon now.
  const offset = 12 - new Date().getUTCHours()
  await admin.query('update users set timezone = $1 where id = $2', [
    `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`,
    world.people.uri.user_id,
  ])
  const { carriers, taken } = createTestCarrier()
  await world.must(
    ...([
      'both',
      'POST',
      `/lljs/${id}/encouragements`,
      { user_id: world.people.uri.user_id, text: 'Good luck today' },
    ] as const),
    inNorth(),
  )
  await world.drain(carriers)
  const mine = taken.filter(({ text }) => text.includes('Good luck today'))
  expect(mine.map(({ channel, to }) => [channel, to])).toEqual([['email', world.people.uri.email]])
})

it('delays an encouragement during quiet hours in the zone of the journey’s sub-tenant', async () => {
  const { acme, north, people } = world
  await admin.query('update users set timezone = null where id = $1', [people.uri.user_id])
  await admin.query('update tenants set timezone = $1 where id = $2', [zoneAt(12), acme])
  await admin.query('update journeys set sub_tenant_id = $1 where id = $2', [north, id])
  const { rows } = await admin.query('select id::int from encouragements order by id desc limit 1')
  const composed = async (hour: number) => {
    await admin.query('update sub_tenants set timezone = $1 where id = $2', [zoneAt(hour), north])
    return inScope(world.database.app, systemActor(acme), (scope) =>
      composeEncouragement(scope, rows[0].id, { origin: 'http://localhost' }),
    )
  }
  expect(await composed(1)).toEqual({ wait: expect.any(Date) })
  expect(await composed(12)).toMatchObject({ channel: 'email', to: people.uri.email })
  await admin.query('update journeys set sub_tenant_id = null where id = $1', [id])
})

it('records encouragements and changes of commitments in the audit log', async () => {
  const { rows } = await admin.query<{ line: string }>(
    `select distinct action || ' ' || subject_type as line from audit_events
      where action like 'commitment.%' or action = 'learner.encouraged' order by 1`,
  )
  expect(rows.map(({ line }) => line)).toEqual([
    'commitment.acknowledged lift',
    'commitment.done lift',
    'learner.encouraged journey',
  ])
})
