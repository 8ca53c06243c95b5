/** Unknown messages are looked up in our own records, then in Twilio's, for six hours. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextLookUp } from '#app/domain/occurrences/occurrence.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import type { Carrier } from '#app/integrations/carrier.ts'
import { createTwilio } from '#app/integrations/texts/twilio.server.ts'
import { sentStore } from '#app/jobs/sending/sent-store.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { ACCOUNT, type Behavior, startTwilio, TOKEN } from '#tests/fakes/twilio-server.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

const NUMBER = '+436641234567'
const silent = { info() {}, warn() {}, error() {} }

let world: JourneysWorld
let twilio: Awaited<ReturnType<typeof startTwilio>>
/** How the API answers texts; `lists` is how it answers lists. */
let behavior: Behavior
let lists: Behavior

beforeAll(async () => {
  world = await createJourneysWorld()
  twilio = await startTwilio(({ method }) => (method === 'POST' ? behavior : lists))
})
afterAll(async () => {
  await twilio?.stop()
  await world?.drop()
})
/** No messages are waiting, it is noon, and Uri gets texts. */
beforeEach(async () => {
  ;[behavior, lists] = ['take', 'take']
  twilio.taken.length = 0
  await inAcme(async (scope) => {
    const { user_id } = world.people.uri
    await scope.db.deleteFrom('journeys').execute()
    await scope.db.deleteFrom('sent_messages').execute()
    await sql`update users set timezone = ${zoneAt(13)}, mobile_phone = case when id = ${user_id} then ${NUMBER} end`.execute(
      scope.db,
    )
    await settleConsent(scope, { number: NUMBER, user_id, action: 'opt_in', source: 'profile' })
  })
})

describe('An unknown text', () => {
  it('becomes accepted when Twilio’s list has a text with its link', async () => {
    await lose('take and drop')
    await drain()
    expect(twilio.taken).toHaveLength(1)
    const { sid, body } = twilio.taken[0] ?? { sid: '', body: '' }
    const [{ id }] = await dispatches()
    expect(body).toMatch(new RegExp(`${ORIGIN}/lift/\\d+\\?m=${id.toString(36)}$`))
    expect(await dispatches()).toMatchObject([{ state: 'accepted', provider_id: sid, attempts: 1 }])
  })

  it('takes the state that Twilio’s list shows', async () => {
    for (const [status, error_code, state] of [
      ['delivered', null, 'delivered'],
      ['queued', null, 'accepted'],
      ['undelivered', 30003, 'undelivered'],
      ['failed', 30008, 'undelivered'],
      ['canceled', null, 'undelivered'],
    ] as const) {
      await inAcme(({ db }) => db.deleteFrom('journeys').execute())
      twilio.taken.length = 0
      await lose('take and drop')
      for (const text of twilio.taken) Object.assign(text, { status, error_code })
      await drain()
      const code = error_code && `sms:${error_code}`
      expect([status, await dispatches()]).toMatchObject([status, [{ state, error_code: code }]])
    }
  })

  it('is sent again if Twilio’s list still lacks it after 29 minutes, but not after 14', async () => {
    await lose('drop')
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
    await passes('14 minutes')
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
    await passes('15 minutes')
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'accepted', attempts: 2 }])
    expect(twilio.taken).toHaveLength(1)
  })

  it('is not confused with texts of the same lift, with a similar link, or to another phone', async () => {
    const lift = await lose('drop')
    const [{ id }] = await dispatches()
    const like = { from: null, status: 'delivered', direction: 'outbound-api' as const }
    const link = `${ORIGIN}/lift/${lift}?m=${id.toString(36)}`
    for (const [to, body] of [
      [NUMBER, `Hi Uri, "Listen first" waits: ${ORIGIN}/lift/${lift}`],
      [NUMBER, `${link}0`],
      ['+436649999999', link],
    ] as const)
      twilio.taken.push(textLike({ ...like, to, body }))
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'unknown' }])
  })

  it('stays unknown while Twilio’s list has no bodies, is cut off, or cannot be read', async () => {
    await lose('drop')
    await passes('30 minutes')
    twilio.taken.push(textLike({ to: NUMBER, body: '' }))
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
    twilio.taken.length = 0
    for (let nth = 0; nth < 1001; nth++) twilio.taken.push(textLike({ to: NUMBER, body: `Text ${nth}` }))
    await passes('1 minute')
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
    twilio.taken.length = 0
    lists = { status: 503, body: {} }
    await passes('1 hour')
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
  })

  it('is looked up fewer than 20 times in six hours, and never after that', async () => {
    const since = new Date('2026-11-22T10:00:00Z')
    const pauses: number[] = []
    let now: Date | null = new Date(since.getTime() + 5000)
    while (now) {
      const next = nextLookUp(since, now)
      if (next) pauses.push(next.getTime() - now.getTime())
      now = next
    }
    expect(pauses.length).toBeLessThan(20)
    expect(pauses[0]).toBe(30_000)
    expect(pauses.reduce((sum, pause) => sum + pause, 5000)).toBe(6 * 3_600_000)

    await lose('drop')
    lists = { status: 503, body: {} }
    for (let hour = 0; hour < 8; hour++) {
      await drain()
      await passes('1 hour')
    }
    const asked = twilio.asked.length
    await passes('30 days')
    await drain()
    expect([await dispatches(), twilio.asked.length]).toMatchObject([
      [{ state: 'unknown', attempts: 1, is_over: true }],
      asked,
    ])
  })

  it('fails instead of being sent again if twelve hours have passed', async () => {
    await lose('drop')
    await passes('12 hours')
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'failed', error_code: 'lost', attempts: 1 }])
    expect(twilio.taken).toEqual([])
  })
})

it('A text found after 30 hours gets reminders counted from when it was sent, and none that are past', async () => {
  const [missed, next] = [24, 72].map((after_hours) => ({ after_hours, channel: 'email' }))
  await lose('take and drop', { reminder_policy: [missed, next] })
  await passes('30 hours')
  await inAcme(({ db }) => sql`update dispatches set sent_at = sent_at - interval '30 hours'`.execute(db))
  await drain()
  const { rows } = await inAcme(({ db }) =>
    sql<{ seq: number; hours: number }>`
      select seq, extract(epoch from due_at - now()) / 3600 as hours from dispatches where kind = 'reminder'`.execute(
      db,
    ),
  )
  expect(rows.map(({ seq }) => seq)).toEqual([2])
  // 30 of the 72 hours have passed; quiet hours shift it by less than a day.
  const [{ hours } = { hours: 0 }] = rows
  expect(Number(hours)).toBeGreaterThan(41)
  expect(Number(hours)).toBeLessThan(66)
})

describe('A newly configured carrier', () => {
  const another = { ...createTestCarrier().carrier, name: 'another', lookUp: async () => absent }
  const absent = { outcome: 'absent' as const }

  it('is not asked about the previous carrier’s unknown text, which stays unknown', async () => {
    await lose('take and drop')
    await passes('1 hour')
    await drain(another)
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1, is_over: true }])
  })

  it('leaves the look-up to the previous carrier while that one is still configured', async () => {
    await lose('take and drop')
    await drain({ ...another, others: [twilioCarrier()] })
    expect(await dispatches()).toMatchObject([{ state: 'accepted', provider_id: twilio.taken[0]?.sid }])
  })

  it('leaves the text unknown even if it is the outbox, which sends once per key', async () => {
    await lose('take and drop')
    await drain({ ...createTestCarrier().carrier, sendsOncePerKey: true })
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1, is_over: true }])
  })
})

it('An unknown e-mail is looked up only in our own records, and is logged once', async () => {
  await inAcme(({ db }) => sql`update users set mobile_phone = null`.execute(db))
  const journey = await world.draft(['uri'], { channels: ['email'] })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  const deaf = createTestCarrier(() => {
    throw new Error('socket hang up')
  })
  const lines: Record<string, unknown>[] = []
  const worker = await world.workers(deaf.carriers, {
    log: { ...silent, warn: (line) => void lines.push(line) },
  })
  await worker.drain()
  await passes('10 seconds')
  await worker.drain()
  await worker.stop()
  expect(await dispatches()).toMatchObject([{ state: 'unknown', is_over: true }])
  expect(lines.filter(({ event }) => event === 'lift.unknown')).toMatchObject([{ channel: 'email' }])
})

const inAcme = inAcmeOf(() => world)

/** Hands over one text to Uri, which is unknown afterward. */
async function lose(how: Behavior, more: object = {}): Promise<number> {
  behavior = how
  const journey = await world.draft(['uri'], { channels: ['sms'], ...more })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  await drain()
  expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
  await passes('10 seconds')
  behavior = 'take'
  return journey.lift
}

function twilioCarrier() {
  const settings = { account: ACCOUNT, token: TOKEN, from: '+15551234567', status_address: null }
  return createTwilio({ ...settings, api: twilio.url }, sentStore(world.database.worker, silent))
}

async function drain(sms: Carrier = twilioCarrier()): Promise<void> {
  const worker = await world.workers({ sms, email: createTestCarrier().carrier })
  await worker.drain()
  await worker.stop()
}

/** Lets time pass for waiting messages. */
const passes = (interval: string) =>
  inAcme(({ db }) =>
    sql`update dispatches set unknown_since = unknown_since - ${interval}::interval,
      next_attempt_at = next_attempt_at - ${interval}::interval`.execute(db),
  )

async function dispatches() {
  const rows = await inAcme(({ db }) =>
    sql<{ id: number; state: string; provider_id: string | null; attempts: number; is_over: boolean }>`
      select id, state, provider_id, attempts, error_code, next_attempt_at > now() + interval '100 years' as is_over
      from dispatches order by id`.execute(db),
  )
  return rows.rows as [(typeof rows.rows)[number], ...typeof rows.rows]
}

let texts = 0
const textLike = (more: object) => {
  const now = new Date().toUTCString().replace('GMT', '+0000')
  texts += 1
  return {
    sid: `SM${String(texts).padStart(32, '0')}`,
    account_sid: ACCOUNT,
    api_version: '2010-04-01' as const,
    to: NUMBER,
    from: null,
    messaging_service_sid: null,
    body: '',
    status: 'sent',
    direction: 'outbound-api' as const,
    num_segments: '1',
    num_media: '0' as const,
    error_code: null,
    error_message: null,
    price: null,
    price_unit: 'USD' as const,
    date_created: now,
    date_updated: now,
    date_sent: now,
    uri: '',
    subresource_uris: { media: '' },
    ...more,
  }
}
