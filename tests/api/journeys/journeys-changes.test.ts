import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rederiveFacts } from '#app/domain/occurrences/facts.server.ts'
import { joinSenders } from '#app/domain/occurrences/settled.server.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
  QUESTION,
} from './journeys-world.ts'

let world: JourneysWorld

beforeAll(async () => {
  world = await createJourneysWorld()
  await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}`.execute(db))
})
afterAll(() => world?.drop())

describe('A launched journey', () => {
  it('shows each learner the lift as it was when their message was sent', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Versions', late_joiners: 'todo_only' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain()
    const before = await world.must('adam', 'GET', `/lifts/${lift}`)
    const change = { title: 'Listen twice', required: false, lock_version: before.lock_version }
    const after = await world.must('adam', 'PUT', `/lifts/${lift}`, change)
    expect(after.version).toBeGreaterThan(before.version)
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })
    expect((await world.must('uri', 'GET', `/lifts/${lift}/page`)).title).toBe('Listen first')
    expect((await world.must('aya', 'GET', `/lifts/${lift}/page`)).title).toBe('Listen twice')
    const { counts } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
    expect(counts).toMatchObject({ assigned: 2, accepted: 1, suppressed: 1 })

    const facts = () =>
      inAcme(({ db }) => db.selectFrom('fact_occurrence').selectAll().orderBy('occurrence_id').execute())
    const kept = await facts()
    await inAcme(rederiveFacts)
    expect(await facts()).toEqual(kept)
  })

  it('keeps an answered question’s kind, and its answers when it is deleted', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'Retired' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    const rekinded = await world.call('adam', 'PUT', `/prompts/${prompt}`, { kind: 'short_text', text: 'T' })
    expect(rekinded.json.detail).toHaveProperty('kind')
    const wider = await world.call('adam', 'PUT', `/prompts/${prompt}`, {
      ...QUESTION,
      visibility: 'sponsor',
    })
    expect(wider.json.detail).toHaveProperty('visibility')
    const narrower = await world.call('adam', 'PUT', `/prompts/${prompt}`, {
      ...QUESTION,
      visibility: 'aggregate_only',
    })
    expect(narrower.status).toBe(200)
    const { prompts } = await world.must('adam', 'GET', `/analytics/by_lift?lift=${lift}`)
    expect(prompts).toMatchObject([{ response: { n: 1, d: 1 }, options: [] }])
    expect((await world.call('adam', 'DELETE', `/prompts/${prompt}`)).status).toBe(200)
    const { count } = await inAcme(({ db }) =>
      db
        .selectFrom('responses')
        .select(sql<number>`count(*)`.as('count'))
        .where('prompt_id', '=', prompt)
        .executeTakeFirstOrThrow(),
    )
    expect(count).toBe(1)
  })

  it('lists missed lifts for late joiners unless it is set to skip them', async () => {
    for (const [late_joiners, expected] of [
      ['skip', 0],
      ['todo_only', 1],
      ['one_a_day', 1],
    ] as const) {
      const { id } = await world.draft(['uri'], { name: `Late: ${late_joiners}`, late_joiners })
      await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
      await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })
      const { data } = await world.must('aya', 'GET', '/learner/todo')
      const mine = data.filter((item: { journey: { id: number } }) => item.journey.id === id)
      expect([late_joiners, mine.length]).toEqual([late_joiners, expected])
    }
  })

  it('plans a lift that waits for another when that one is completed', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'One after the other' })
    const next = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'And then',
      blocks: [{ kind: 'text', markdown: 'More.' }],
      schedule: { kind: 'after_lift', lift_id: lift, min_hours: 0 },
      status: 'ready',
    })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const occurrence = () =>
      inAcme(({ db }) =>
        db.selectFrom('occurrences').select('due_at').where('lift_id', '=', next.id).executeTakeFirst(),
      )
    expect(await occurrence()).toEqual({ due_at: null })
    const page = await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    expect(page.next).toMatchObject({ title: 'And then' })
    expect((await occurrence())?.due_at).toBeInstanceOf(Date)
  })

  it('plans a lift that waits for another if that one is completed while it is being added', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'At the same time' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const admin = await world.database.connectAdmin()
    // Delays the plan as much as a large journey does between reading the completions and writing the plan.
    await admin.query(`
      create function take_long() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
      create trigger take_long before insert on occurrences execute function take_long()`)
    const adding = world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'And then',
      blocks: [{ kind: 'text', markdown: 'More.' }],
      schedule: { kind: 'after_lift', lift_id: lift, min_hours: 0 },
      status: 'ready',
    })
    await expect
      .poll(() => admin.query(`select from pg_stat_activity where wait_event = 'PgSleep'`))
      .toMatchObject({ rowCount: 1 })
    await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    const next = await adding
    await admin.query('drop function take_long cascade')
    const { due_at } = await inAcme(({ db }) =>
      db.selectFrom('occurrences').select('due_at').where('lift_id', '=', next.id).executeTakeFirstOrThrow(),
    )
    expect(due_at).toBeInstanceOf(Date)
  })

  it('saves a new schedule for a lift whose messages are being sent', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Just leaving' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    const schedule = { kind: 'offset', from: 'start', days: 5 }
    let answer = Promise.resolve<unknown>(undefined)
    await inAcme(async (scope) => {
      await joinSenders(scope, id)
      answer = world.must('adam', 'PUT', `/lifts/${lift}`, { schedule, lock_version })
      await sleep(500)
      const leaving = sql`select from dispatches where occurrence_id in (select id from occurrences where lift_id = ${lift}) for update`
      await leaving.execute(scope.db)
    })
    expect(await answer).toMatchObject({ schedule })
  })

  it('sends a lift manually to learners who have not had it, and to no one twice', async () => {
    const byHand = { schedule: { kind: 'manual', at_launch: false } }
    const { id, lift } = await world.draft(['uri', 'aya'], { name: 'By hand' }, byHand)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect((await world.must('adam', 'GET', `/lljs/${id}`)).status).toBe('scheduled')
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    const [first] = data
    await world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids: [first.id] })
    await world.drain()
    expect(await mailsOf(lift)).toBe(1)
    await world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids: 'pending' })
    await world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids: 'pending' })
    await world.drain()
    expect(await mailsOf(lift)).toBe(2)
  })

  it('notifies learners in the app if that is its channel', async () => {
    const { id, lift } = await world.draft(['both'], { name: 'Inside', channels: ['in_app'] })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain()
    const { data } = await world
      .call('both', 'GET', '/notifications', undefined, { sub: world.south })
      .then((one) => one.json)
    const told = data.map((one: { notification_type: string; content: { path: string } }) => [
      one.notification_type,
      one.content.path,
    ])
    expect(told).toEqual([
      ['info', `/lift/${lift}`],
      ['launch', `/lljs/${id}/learner`],
    ])
    for (const read of [`/lifts/${lift}/page`, `/learner/lljs/${id}`])
      expect((await world.call('both', 'GET', read, undefined, { sub: world.south })).status).toBe(200)
    const { counts } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
    expect(counts).toMatchObject({ accepted: 1, delivered: 1 })
  })

  it('shows its lift to a learner inside their sub-tenant', async () => {
    const { id, lift } = await world.draft(['both'], { name: 'Everywhere' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const todo = await world.call('both', 'GET', '/learner/todo', undefined, { sub: world.south })
    expect(todo.json.data.map((item: { lift_id: number }) => item.lift_id)).toContain(lift)
    expect(
      (await world.call('both', 'GET', `/lifts/${lift}/page`, undefined, { sub: world.south })).status,
    ).toBe(200)
    expect((await world.call('nora', 'GET', `/lljs/${id}`, undefined, { sub: world.north })).status).toBe(404)
  })
})

describe('Test messages', () => {
  it('go once to each given number, link to the test page, and are not counted in analytics', async () => {
    await world.drain()
    const { id, lift } = await world.draft(['uri'], { name: 'Try it' })
    const phones = ['+14155550100', '+14155550100', '+14155550101']
    expect((await world.must('adam', 'POST', `/lifts/${lift}/send_test`, { phones })).data).toHaveLength(2)
    const { carriers, taken } = createTestCarrier()
    await world.drain(carriers)
    expect(taken.map((one) => one.to).sort()).toEqual(['+14155550100', '+14155550101'])
    expect(taken[0]?.text).toContain(`${ORIGIN}/lift/t/${lift}`)
    expect(taken[0]?.text).toContain('Kim')
    expect((await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)).counts.assigned).toBe(0)
    for (const wrong of [[], ['123'], ['+1'], Array.from({ length: 6 }, (_, n) => `+1415555010${n}`), 'x'])
      expect((await world.call('adam', 'POST', `/lifts/${lift}/send_test`, { phones: wrong })).status).toBe(
        422,
      )
  })
})

describe('The audit log', () => {
  it('lists the changes of a journey, with the person who made them', async () => {
    const { id } = await world.draft(['uri'], { name: 'Logged' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const events = await inAcme(({ db }) =>
      db
        .selectFrom('audit_events')
        .select(['action', 'actor_email'])
        .where('subject_type', '=', 'journey')
        .where('subject_id', '=', String(id))
        .orderBy('id')
        .execute(),
    )
    expect(events.map((event) => event.action)).toEqual([
      'journey.created',
      'members.added',
      'journey.launched',
    ])
    expect(new Set(events.map((event) => event.actor_email))).toEqual(new Set([world.people.adam.email]))
  })
})

const inAcme = inAcmeOf(() => world)

async function mailsOf(lift: number): Promise<number> {
  const rows = await inAcme(({ db }) =>
    db.selectFrom('outbox_messages').select('id').where('body', '~', `/lift/${lift}\\M`).execute(),
  )
  return rows.length
}
