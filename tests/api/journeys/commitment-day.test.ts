/** The day of a commitment: one reminder by the learner's channel, outside quiet hours, and a history of its states. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import { remindCommitments } from '#app/jobs/remind-commitments.server.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { createJourneysWorld, createTestCarrier, type JourneysWorld, ORIGIN } from './journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
let lift = 0
let prompt = 0
let another = 0
const PHONE = '+436641234567'
const carrier = createTestCarrier()
const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBe('nothing wrong') }
const dayIn = (zone: string, days = 0) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE', { timeZone: zone })
const NOON = zoneAt(13)
const NIGHT = zoneAt(3)

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await admin.query('update users set timezone = $1', [NOON])
  const made = await world.draft(
    ['uri'],
    { channels: ['sms', 'email'] },
    { schedule: { kind: 'manual', at_launch: true } },
  )
  lift = made.lift
  const question = { kind: 'commitment', text: 'What will you do?', visibility: 'sponsor' }
  prompt = (await world.must('adam', 'POST', `/lifts/${lift}/prompts`, question)).id
  another = (await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { ...question, required: false })).id
  const { data } = await world.must('adam', 'GET', `/lljs/${made.id}/members`)
  await world.must('adam', 'PATCH', `/lljs/${made.id}/members`, {
    ...{ member_ids: [data[0].id], sponsor_user_id: world.people.aya.user_id },
  })
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { expected_recipients: 1, send_now: true })
  await admin.query(`update occurrences set due_at = now() - interval '1 minute'`)
  await drain()
})
afterAll(() => world?.drop())
/** No commitments, no reminders, it is noon, and Uri gets no texts. */
beforeEach(async () => {
  await admin.query('delete from commitments')
  await admin.query(`delete from dispatches where kind = 'reminder'`)
  await admin.query('delete from sent_messages')
  await admin.query(`update users set timezone = $1, mobile_phone = null, sms_opt_in = false`, [NOON])
  await admin.query('delete from consent_events')
  await admin.query(`update tenants set settings = '{}'`)
  await admin.query('update members set state = $1', ['active'])
  carrier.taken.length = 0
  carrier.handed()
})

const drain = () => world.drain(carrier.carriers)
const promise = (what: string, by: string, prompt_id = prompt) =>
  world.must('uri', 'POST', `/lifts/${lift}/responses`, {
    responses: [{ prompt_id, value: { what, by } }],
  })
async function remind() {
  await remindCommitments({ database: world.database.worker, log })
  await drain()
  return carrier.taken.filter(({ text }) => text.includes('For today you said'))
}
const own = async (asked = '') =>
  (await world.must('uri', 'GET', `/learner/commitments${asked && `?${asked}=true`}`)).data
async function takesTexts(action: 'opt_in' | 'opt_out') {
  const user_id = world.people.uri.user_id
  await admin.query('update users set mobile_phone = $1 where id = $2', [PHONE, user_id])
  await inScope(world.database.worker, systemActor(world.acme), (scope) =>
    settleConsent(scope, { number: PHONE, user_id, action, source: 'profile' }),
  )
}

describe('On the day of a commitment', () => {
  it('its learner is reminded once by e-mail and in the app', async () => {
    await promise('call Bob', dayIn(NOON))
    expect((await remind()).map(({ channel, to, subject }) => [channel, to, subject])).toEqual([
      ['email', world.people.uri.email, 'For today: call Bob'],
    ])
    expect(carrier.taken[0]?.text).toContain(`${ORIGIN}/todo`)
    carrier.taken.length = 0
    expect(await remind()).toEqual([])
    const { data } = await world.must('uri', 'GET', '/notifications')
    expect(data[0].content).toMatchObject({ message: 'I will call Bob', path: '/todo' })
  })

  it('its learner is reminded by text with consent, and by e-mail after opting out', async () => {
    await takesTexts('opt_in')
    await promise('write Ann', dayIn(NOON))
    expect((await remind()).map(({ channel, to }) => [channel, to])).toEqual([['sms', PHONE]])
    await admin.query('delete from commitments')
    await admin.query('delete from sent_messages')
    carrier.taken.length = 0
    await takesTexts('opt_out')
    await promise('write Ann again', dayIn(NOON))
    expect((await remind()).map(({ channel }) => channel)).toEqual(['email'])
  })

  it('no one is reminded at night, of a commitment for tomorrow, or of one that is done', async () => {
    await promise('tomorrow', dayIn(NOON, 1))
    expect(await remind()).toEqual([])
    await promise('done already', dayIn(NOON))
    const [first] = await own()
    await world.must('uri', 'PATCH', `/learner/commitments/${first.id}`, { state: 'done' })
    expect(await remind()).toEqual([])
    await admin.query('update users set timezone = $1', [NIGHT])
    await promise('at night', dayIn(NIGHT))
    expect(await remind()).toEqual([])
  })

  it('nothing is sent while the company’s sending is stopped, or to a removed learner', async () => {
    await promise('wait', dayIn(NOON))
    await admin.query(`update tenants set settings = '{"sending_stopped": true}'`)
    expect(await remind()).toEqual([])
    await admin.query('delete from commitments')
    await admin.query(`update tenants set settings = '{}'`)
    await promise('left', dayIn(NOON))
    await admin.query(`update members set state = 'withdrawn' where role = 'learner'`)
    expect(await remind()).toEqual([])
  })

  it('a learner gets either its reminder or a lift’s reminder, not both', async () => {
    await promise('after a reminder', dayIn(NOON))
    await admin.query(`insert into dispatches (tenant_id, occurrence_id, kind, channel, state, due_at, next_attempt_at, sent_at)
      select tenant_id, id, 'reminder', 'email', 'accepted', now(), now(), now() from occurrences limit 1`)
    expect(await remind()).toEqual([])
    await admin.query('delete from commitments')
    await admin.query(`delete from dispatches where kind = 'reminder'`)
    await promise('before a reminder', dayIn(NOON))
    expect(await remind()).toHaveLength(1)
    await admin.query(`update occurrences set state = 'sent', opened_at = null, first_response_at = null`)
    expect(await world.must('adam', 'GET', `/lifts/${lift}/remind`)).toMatchObject({ now: 0, tomorrow: 1 })
  })

  it('its learner is reminded even if it was first planned for another day', async () => {
    await promise('call Bob', dayIn(NOON, 1))
    await promise('call Bob', dayIn(NOON))
    expect(await remind()).toHaveLength(1)
  })
})

it('A commitment submitted again unchanged stays done, and is accepted even after its day', async () => {
  await promise('call Dan', dayIn(NOON))
  const [mine] = await own()
  await world.must('uri', 'PATCH', `/learner/commitments/${mine.id}`, { state: 'done' })
  await promise('call Dan', dayIn(NOON))
  expect(await own()).toEqual([])
  const [settled] = await own('settled')
  expect(settled.history.map(({ state }: { state: string }) => state)).toEqual(['open', 'done'])
  const kept = `select count(*)::int as n from responses where value ->> 'what' = 'call Dan' and is_current`
  expect((await admin.query(kept)).rows).toEqual([{ n: 1 }])
  const before = dayIn(NOON, -1)
  await admin.query(
    `update responses set value = jsonb_set(value, '{by}', to_jsonb($1::text)) where is_current`,
    [before],
  )
  await promise('call Dan', before)
})

it('A commitment’s history can be read by its learner and by their sponsor', async () => {
  await promise('call Bob', '2099-01-01')
  await promise('call Bob and Ann', '2099-01-02')
  const [mine] = await own()
  const path = `/learner/commitments/${mine.id}`
  await world.must('uri', 'PATCH', path, { state: 'done' })
  await world.must('uri', 'PATCH', path, { state: 'done' })
  // An outdated page still offers this.
  const dropped = await world.call('uri', 'PATCH', path, { state: 'dropped' })
  expect([dropped.status, dropped.json.detail]).toEqual([
    409,
    'This is already done. Please reopen it first.',
  ])
  expect(await own()).toEqual([])
  const [settled] = await own('settled')
  expect(settled).toMatchObject({ id: mine.id, state: 'done' })
  // Open commitments come first, though this one is for a later day.
  await promise('ask Cleo', '2099-02-01', another)
  const both = await own('with_settled')
  expect(both.map(({ state, what }: Record<string, string>) => [state, what])).toEqual([
    ['open', 'ask Cleo'],
    ['done', 'call Bob and Ann'],
  ])
  await world.must('uri', 'PATCH', path, { state: 'open' })
  const { rows } = await admin.query('select journey_id::int as id from lifts l where id = $1', [lift])
  const seen = await world.must(
    'aya',
    'GET',
    `/sponsors_journeys/${rows[0].id}/learners/${world.people.uri.user_id}`,
  )
  const steps = seen.commitments[0].history.map((one: { state: string; what: string }) => [
    one.state,
    one.what,
  ])
  expect(steps).toEqual([
    ['open', 'call Bob'],
    ['open', 'call Bob and Ann'],
    ['done', 'call Bob and Ann'],
    ['open', 'call Bob and Ann'],
  ])
  const copy = await world.must('uri', 'GET', `/users/${world.people.uri.user_id}/data_export`)
  const kept = copy.commitments.find(
    ({ value }: { value: { what: string } }) => value.what === 'call Bob and Ann',
  )
  expect(
    kept.history.map((one: { state: string; value: { what: string } }) => [one.state, one.value.what]),
  ).toEqual(steps)
})
