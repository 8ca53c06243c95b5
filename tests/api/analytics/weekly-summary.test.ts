/** The weekly summary by e-mail: only for people who asked for it, once, with the same figures as analytics. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setSecret } from '#app/auth/seal.server.ts'
import { sealStopLink } from '#app/auth/stop-links.server.ts'
import { summarizeWeeks } from '#app/jobs/summarize-weeks.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { nextMonday, zoneAt } from '#tests/api/planning/zones.ts'

let world: JourneysWorld
let admin: pg.Client
let id = 0
let lift = 0
const carrier = createTestCarrier()
const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBe('nothing wrong') }
const ZONE = zoneAt(13)
const NIGHT = zoneAt(3)

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  ;({ id, lift } = await world.draft(
    ['uri', 'nora'],
    { channels: ['email'] },
    { schedule: { kind: 'manual', at_launch: true } },
  ))
  const text = { kind: 'short_text', required: true, visibility: 'admins', text: 'How was it?' }
  const { id: prompt_id } = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, text)
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 2, send_now: true })
  await drain()
  await world.must('uri', 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id, value: 'Good' }] })
})
afterAll(() => world?.drop())
beforeEach(async () => {
  for (const table of ['monday_mails', 'sent_messages', 'mail_stops'])
    await admin.query(`delete from ${table}`)
  await admin.query(`update users set weekly_summary = false, timezone = $1, activation_status = 'active'`, [
    ZONE,
  ])
  await admin.query(`update tenants set timezone = $1, settings = '{}'`, [ZONE])
  carrier.taken.length = 0
})

const stopLink = (link: Parameters<typeof sealStopLink>[0]) => `${ORIGIN}/unsubscribe/${sealStopLink(link)}`
const drain = () => world.drain(carrier.carriers, { stopLink })
/** The Monday after today's launch. */
const monday = (weeks = 0) => nextMonday(ZONE, weeks)
async function summaries(at = monday()) {
  carrier.taken.length = 0
  await summarizeWeeks({ database: world.database.worker, log }, {}, at)
  await drain()
  return carrier.taken.filter(({ subject }) => subject.startsWith('Your journeys'))
}
const wants = (who: 'adam' | 'aya' | 'uri', weekly_summary = true) =>
  world.call(who, 'PUT', '/users/me/notification_preferences', { muted: [], weekly_summary })
/** Moves everything that was due into the week before that Monday. */
async function dueBefore(at: Date) {
  const due = new Date(at.getTime() - 3 * 86_400_000)
  await admin.query('update occurrences set due_at = $1', [due])
  await admin.query('update fact_occurrence set due_at = $1 where due_at is not null', [due])
}

/** As if no summary had been planned or sent. */
async function forget() {
  for (const table of ['monday_mails', 'sent_messages']) await admin.query(`delete from ${table}`)
}

describe('The weekly summary', () => {
  it('is not sent to people who did not ask for it, and learners cannot ask for it', async () => {
    await dueBefore(monday(-1))
    expect(await summaries(monday(-1))).toEqual([])
    const refused = await wants('uri')
    expect([refused.status, Object.keys(refused.json.detail)]).toEqual([422, ['weekly_summary']])
    expect((await wants('adam')).json).toMatchObject({ weekly_summary: true })
    // A field that is left out stays unchanged.
    await world.must('adam', 'PUT', '/users/me/notification_preferences', { muted: [] })
    expect((await world.must('adam', 'GET', '/users/me/notification_preferences')).weekly_summary).toBe(true)
  })

  it('has the figures of analytics for that week, and is sent once however often the job runs', async () => {
    const at = monday(-1)
    await dueBefore(at)
    await wants('adam')
    const [mail, ...more] = await summaries(at)
    expect(more).toEqual([])
    const [, from, to] = /from=([\d-]+)&to=([\d-]+)/.exec(mail?.text ?? '') ?? []
    expect(new Date(`${from}T12:00:00Z`).getUTCDay()).toBe(1)
    const { response, completion } = await world.must(
      'adam',
      'GET',
      `/analytics/overview?journey=${id}&from=${from}&to=${to}`,
    )
    expect(response).toEqual({ n: 1, d: 2 })
    expect(mail?.text).toContain(
      `- Better talks: ${response.n} of ${response.d} answered (50%); ${completion.n} of ${completion.d} completed`,
    )
    expect(mail?.text).not.toMatch(/Uri|Nora|Good\b/)
    expect(await summaries(at)).toEqual([])
    expect(await summaries(new Date(at.getTime() + 3 * 3_600_000))).toEqual([])
  })

  it('shows authors only their own journeys', async () => {
    const at = monday(-1)
    await dueBefore(at)
    await wants('aya')
    expect(await summaries(at)).toEqual([])
    await admin.query('update journeys set author_id = $1 where id = $2', [world.people.aya.user_id, id])
    await admin.query('delete from monday_mails')
    expect((await summaries(at)).map(({ to }) => to)).toEqual([world.people.aya.email])
  })

  it('is not sent on other days, at night, to a deactivated person, or about a week without lifts', async () => {
    const at = monday(-1)
    await dueBefore(at)
    await wants('adam')
    expect(await summaries(new Date(at.getTime() - 11 * 3_600_000))).toEqual([])
    expect(await summaries(monday(-30))).toEqual([])
    await admin.query('delete from monday_mails')
    await admin.query('update users set timezone = $1', [NIGHT])
    expect(await summaries(nextMonday(NIGHT, -1))).toEqual([])
    const { rows } = await admin.query(`select run_at > now() + interval '1 hour' as rests
      from graphile_worker.jobs where task_identifier = 'mail-summary'`)
    expect(rows).toEqual([{ rests: true }])
    // Now it is morning, but the recipients were deactivated.
    await admin.query(`update users set timezone = $1, activation_status = 'disabled'`, [ZONE])
    await admin.query('update graphile_worker._private_jobs set run_at = now()')
    await drain()
    expect(carrier.taken.filter(({ subject }) => subject.startsWith('Your journeys'))).toEqual([])
    await admin.query('delete from monday_mails')
    expect(await summaries(at)).toEqual([])
  })

  it('is stopped by its link, on the page or by one click in a mail program', async () => {
    const at = monday(-1)
    await dueBefore(at)
    await admin.query('update journeys set author_id = $1 where id = $2', [world.people.adam.user_id, id])
    await wants('adam')
    const [mail] = await summaries(at)
    const token = mail?.letter?.unsubscribe?.split('/').at(-1) ?? ''
    expect(mail?.text).toContain(`Stop these e-mails: ${ORIGIN}/unsubscribe/${token}`)
    const path = `/mail_stops/${token}`
    expect(await world.must('uri', 'GET', path)).toMatchObject({ about: 'summary', stopped: 'none' })
    await world.must('uri', 'POST', path, { stop: 'these', one_click: true })
    expect((await world.must('adam', 'GET', '/users/me/notification_preferences')).weekly_summary).toBe(false)
    await forget()
    expect(await summaries(at)).toEqual([])
    await world.must('uri', 'POST', path, { stop: 'all' })
    await wants('adam')
    await forget()
    expect(await summaries(at)).toEqual([])
    await admin.query('delete from mail_stops')
    await forget()
    expect(await summaries(at)).toHaveLength(1)
  })
})
