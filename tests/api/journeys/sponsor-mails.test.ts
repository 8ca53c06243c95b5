/** E-mails to sponsors: where to follow their learners, and on Mondays which learners need attention; nothing else. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { briefSponsors } from '#app/jobs/brief-sponsors.server.ts'
import { nextMonday, zoneAt } from '#tests/api/planning/zones.ts'
import { createJourneysWorld, createTestCarrier, type JourneysWorld, ORIGIN } from './journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
let id = 0
let lift = 0
let carrier: ReturnType<typeof createTestCarrier>
const ask: Record<string, number> = {}
const PHONE = '+14155550177'

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await admin.query('update users set timezone = $1', [zoneAt(13)])
  await admin.query('update users set mobile_phone = $1 where id = $2', [PHONE, world.people.uri.user_id])
  carrier = createTestCarrier()
  const made = await world.draft(
    ['uri', 'nora'],
    { channels: ['email'] },
    { schedule: { kind: 'manual', at_launch: true } },
  )
  ;({ id, lift } = made)
  const text = { kind: 'short_text', required: false }
  const questions = {
    alone: { ...text, visibility: 'learner_only' },
    told: { ...text, visibility: 'sponsor', scoring: 'sponsor', max_score: 10 },
    will: { kind: 'commitment', required: false, visibility: 'sponsor' },
  }
  for (const [name, question] of Object.entries(questions))
    ask[name] = (
      await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { text: `${name}?`, ...question })
    ).id
  await sponsor('uri', 'aya')
  await sponsor('nora', 'both')
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 2, send_now: true })
})
afterAll(() => world?.drop())
beforeEach(() => {
  carrier.taken.length = 0
})

async function sponsor(learner: 'uri' | 'nora', by: 'aya' | 'both' | 'adam') {
  const { data } = await world.must(
    'adam',
    'GET',
    `/lljs/${id}/members?user_ids=${world.people[learner].user_id}`,
  )
  const member = data.find(({ role }: { role: string }) => role === 'learner')
  await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
    ...{ member_ids: [member.id], sponsor_user_id: world.people[by].user_id },
  })
}
async function mailsTo(who: 'aya' | 'both' | 'adam') {
  await world.drain(carrier.carriers)
  return carrier.taken.filter(({ to, text }) => to === world.people[who].email && text.includes('sponsor'))
}
const monday = (weeks = 0) => nextMonday(zoneAt(13), weeks)
const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBe('nothing wrong') }
const brief = (at: Date) => briefSponsors({ database: world.database.worker, log }, {}, at)
const answer = (who: 'uri' | 'nora') =>
  world.must(who, 'POST', `/lifts/${lift}/responses`, {
    responses: [
      { prompt_id: ask.alone, value: `alone-of-${who}` },
      { prompt_id: ask.told, value: `told-of-${who}` },
      { prompt_id: ask.will, value: { what: `will-of-${who}`, by: '2099-11-25' } },
    ],
  })

describe('When a journey is launched or gets a sponsor', () => {
  it('a sponsor gets one e-mail with the names of their learners and a link', async () => {
    const [mail, ...more] = await mailsTo('aya')
    expect(more).toEqual([])
    expect(mail?.text).toContain(`${ORIGIN}/sponsors-journey/${id}`)
    expect(mail?.text).toContain('Uri Test')
    expect(mail?.text).not.toMatch(/Nora|\+1415|@/)
    const { data } = await world.must('aya', 'GET', '/notifications')
    expect(data.map(({ content }: { content: { path?: string } }) => content.path)).toContain(
      `/sponsors-journey/${id}`,
    )
  })

  it('a sponsor who is assigned later is told then, once', async () => {
    await sponsor('nora', 'adam')
    expect((await mailsTo('adam')).map(({ subject }) => subject)).toEqual([
      'You are a sponsor in “Better talks”',
    ])
    await sponsor('nora', 'adam')
    carrier.taken.length = 0
    expect(await mailsTo('adam')).toEqual([])
    await sponsor('nora', 'both')
  })

  it('a sponsor is told outside the quiet hours of the journey’s sub-tenant', async () => {
    const { rows } = await admin.query(
      `insert into sub_tenants (tenant_id, name, settings) values ($1, 'Late', $2) returning id`,
      [world.acme, { quiet_hours: { from: '20:00', to: '15:00' } }],
    )
    await admin.query('update journeys set sub_tenant_id = $1 where id = $2', [rows[0].id, id])
    // As if Adam had not been told before.
    await admin.query('delete from sent_messages')
    await sponsor('nora', 'adam')
    expect(await mailsTo('adam')).toEqual([])
    await admin.query('update journeys set sub_tenant_id = null where id = $1', [id])
    await admin.query('update graphile_worker._private_jobs set run_at = now()')
    expect(await mailsTo('adam')).toHaveLength(1)
    await sponsor('nora', 'both')
    await mailsTo('both')
  })
})

describe('On Mondays', () => {
  it('a sponsor gets no e-mail if no learner needs attention', async () => {
    await brief(monday())
    expect(await mailsTo('aya')).toEqual([])
    const { rows } = await admin.query('select count(*)::int as n from monday_mails')
    expect(rows[0].n).toBe(2)
  })

  it('a sponsor gets one e-mail about their learners who need attention, with the reason', async () => {
    await answer('uri')
    await answer('nora')
    const shown = await world.must('aya', 'GET', '/sponsors_journeys/brief')
    expect(shown.data).toMatchObject([{ name: 'Uri Test', to_acknowledge: 1, to_score: 1 }])
    await brief(monday(1))
    const [mail, ...more] = await mailsTo('aya')
    expect(more).toEqual([])
    expect(mail?.subject).toBe('1 of your learners needs attention')
    const link = `${ORIGIN}/sponsors-journey/${id}?learner=${world.people.uri.user_id}`
    for (const words of [
      'Uri Test',
      '1 commitment to acknowledge, 1 answer to score',
      link,
      '/settings/privacy',
    ])
      expect([words, mail?.text.includes(words)]).toEqual([words, true])
    expect(mail?.text).not.toMatch(/Nora|-of-|\+1415|@/)
    await brief(monday(1))
    carrier.taken.length = 0
    expect(await mailsTo('aya')).toEqual([])
  })

  it('no e-mail is sent on another day, at night, or to a sponsor who has turned it off', async () => {
    await brief(new Date(monday(2).getTime() - 11 * 3_600_000))
    await brief(new Date(monday(2).getTime() - 3 * 3_600_000))
    expect(await mailsTo('aya')).toEqual([])
    await world.must('aya', 'PUT', '/users/me/notification_preferences', { muted: ['brief'] })
    await brief(monday(2))
    expect(await mailsTo('aya')).toEqual([])
    await world.must('aya', 'PUT', '/users/me/notification_preferences', { muted: [] })
    await brief(monday(2))
    expect(await mailsTo('aya')).toHaveLength(1)
  })

  it('a sponsor gets no e-mail about a learner who got another sponsor meanwhile', async () => {
    await brief(monday(3))
    await sponsor('uri', 'adam')
    expect((await mailsTo('aya')).map(({ subject }) => subject)).toEqual([])
    expect((await world.must('aya', 'GET', '/sponsors_journeys/brief')).data).toEqual([])
    expect((await world.must('adam', 'GET', '/sponsors_journeys/brief')).data).toHaveLength(1)
  })

  it('a learner who was just encouraged is no longer listed as overdue', async () => {
    await admin.query(
      `update occurrences set due_at = now() - interval '9 days', state = 'opened',
      opened_at = null, first_response_at = null, completed_at = null where journey_id = $1`,
      [id],
    )
    const mine = async () =>
      (await world.must('both', 'GET', '/sponsors_journeys/brief', undefined, { sub: world.north })).data[0]
    expect(await mine()).toMatchObject({ overdue: 1, is_quiet: true })
    await world.must(
      'both',
      'POST',
      `/lljs/${id}/encouragements`,
      { user_id: world.people.nora.user_id, text: 'Keep going' },
      { sub: world.north },
    )
    expect(await mine()).toMatchObject({ overdue: 0, is_quiet: false, to_score: 1 })
  })
})

it('does not send an encouragement by a former sponsor', async () => {
  await sponsor('nora', 'adam')
  await world.drain(carrier.carriers)
  expect(carrier.taken.filter(({ text }) => text.includes('Keep going'))).toEqual([])
})

it('says in /users/me whether the caller is a sponsor', async () => {
  expect((await world.must('adam', 'GET', '/users/me')).is_sponsor).toBe(true)
  expect((await world.must('aya', 'GET', '/users/me')).is_sponsor).toBe(false)
})
