/** Texts through Twilio, seen on its side of the connection; and its reports, signed as it signs. */
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#app/config.server.ts'
import { recordAccepted } from '#app/domain/sending/receipts.server.ts'
import { createTwilio, type TwilioSettings } from '#app/integrations/texts/twilio.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { ACCOUNT, type Behavior, refusal, startTwilio, TOKEN } from '#tests/fakes/twilio-server.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { freePort } from '#tests/support/process.ts'
import { createKept, giveNumber, NUMBER, PUBLIC, serveHooks, takesTexts, text } from './text-carriers.ts'

const SID = `SM${'fedcba9876543210'.repeat(2)}`

let world: JourneysWorld
let twilio: Awaited<ReturnType<typeof startTwilio>>
let site: Awaited<ReturnType<typeof serveHooks>>
let behavior: Behavior
const { kept, store } = createKept()
const inAcme = inAcmeOf(() => world)

beforeAll(async () => {
  world = await createJourneysWorld()
  twilio = await startTwilio(() => behavior)
  site = await serveHooks(world, {
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_AUTH_TOKEN_BEFORE: 'the-token-before-this-one',
    SECRETS_BEFORE_UNTIL: new Date(Date.now() + 60_000),
    SMS_CARRIER: 'twilio',
  })
})
afterAll(async () => {
  await site?.stop()
  await twilio?.stop()
  await world?.drop()
})
beforeEach(() => {
  behavior = 'take'
  twilio.asked.length = 0
  twilio.taken.length = 0
  kept.clear()
})

const carrier = (more: Partial<TwilioSettings> = {}) =>
  createTwilio(
    {
      account: ACCOUNT,
      token: TOKEN,
      from: '+15551234567',
      status_address: `${PUBLIC}/api/v1/hooks/sms/status`,
      api: twilio.url,
      ...more,
    },
    store,
  )

describe('A text sent by Twilio', () => {
  it('is handed over in the API’s format, and found by our key', async () => {
    expect(await carrier().find(text)).toBeNull()
    const { provider_id } = await carrier().send(text)
    expect(provider_id).toMatch(/^SM[0-9a-f]{32}$/)
    expect(twilio.taken).toMatchObject([{ sid: provider_id, to: NUMBER, body: text.text }])
    expect(twilio.asked).toEqual([
      {
        method: 'POST',
        path: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
        authorization: `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`,
        fields: {
          To: NUMBER,
          From: '+15551234567',
          Body: text.text,
          StatusCallback: `${PUBLIC}/api/v1/hooks/sms/status?${new URLSearchParams({ tenant: text.tenant_id, key: text.key })}`,
        },
      },
    ])
    expect(await carrier().find(text)).toEqual({ provider_id })
    const service = `MG${'0123456789abcdef'.repeat(2)}`
    await carrier({ from: service, status_address: null }).send(text)
    expect(twilio.asked[1]?.fields).toEqual({ To: NUMBER, MessagingServiceSid: service, Body: text.text })
  })

  it.each([
    [refusal(400, 21610, `Attempt to send to unsubscribed ${NUMBER}`), 'refused', 'opted_out'],
    [refusal(400, 21211), 'refused', 'invalid_number'],
    [refusal(400, 21614), 'refused', 'invalid_number'],
    [refusal(400, 21617), 'refused', 'sms:21617'],
    [refusal(401, 20003, 'Authenticate'), 'busy', 'sms:401'],
    [refusal(429, 20429, 'Too many', 7), 'busy', 'sms:429'],
    [{ status: 503, body: {} }, 'busy', 'sms:503'],
    [{ status: 500, body: {} }, 'unclear', 'sms:500'],
    [{ status: 201, body: { no: 'sid' } }, 'unclear', 'sms:answer'],
    ['drop', 'unclear', 'sms:UND_ERR_SOCKET'],
  ] as [Behavior, string, string][])('answered with %j counts as %s', async (answer, outcome, code) => {
    behavior = answer
    const error = await carrier()
      .send(text)
      .catch((one: Error) => one)
    expect(error).toMatchObject({ outcome, code })
    if (typeof answer === 'object' && answer.headers) expect(error).toMatchObject({ retryAfter: 7 })
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toMatch(/auth-token|436641234567/)
    expect(kept.size).toBe(0)
  })

  it('is tried again within two hours, even if Twilio asks for a longer wait', async () => {
    behavior = refusal(429, 20429, 'Too many', 999_999_999_999)
    await expect(carrier().send(text)).rejects.toMatchObject({ outcome: 'busy', retryAfter: 7200 })
  })

  it('counts as busy if Twilio cannot be reached', async () => {
    const api = `http://127.0.0.1:${await freePort()}`
    await expect(carrier({ api }).send(text)).rejects.toMatchObject({ outcome: 'busy' })
  })
})

/** As Twilio signs: the address, followed by every field in the order of names. */
async function tell(
  path: string,
  fields: Record<string, string>,
  { token = TOKEN, origin = PUBLIC, and = {} } = {},
) {
  const all = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const signed = `${origin}${path}${all.map(([name, value]) => name + value).join('')}`
  return fetch(`${site.address}${path}`, {
    method: 'POST',
    headers: { 'x-twilio-signature': createHmac('sha1', token).update(signed).digest('base64') },
    body: new URLSearchParams({ ...fields, ...and }),
  })
}

describe('An incoming text', () => {
  const heard = () =>
    inAcme(({ db }) => db.selectFrom('inbound_texts').select(['body', 'reading', 'key']).execute())
  const inbound = { From: NUMBER, To: '+15551234567', Body: 'Stop. Thank you', MessageSid: 'SM-in-1' }

  beforeAll(() => inAcme((scope) => giveNumber(scope, world.people.uri.user_id)))

  it('is refused unless Twilio signed exactly this text for this address', async () => {
    expect(
      (await tell('/api/v1/hooks/sms/inbound', inbound, { token: 'another-token-of-the-account' })).status,
    ).toBe(403)
    expect(
      (await tell('/api/v1/hooks/sms/inbound', inbound, { origin: 'https://evil.example' })).status,
    ).toBe(403)
    expect((await tell('/api/v1/hooks/sms/inbound', inbound, { and: { Body: 'START' } })).status).toBe(403)
    const bare = await fetch(`${site.address}/api/v1/hooks/sms/inbound`, {
      method: 'POST',
      body: new URLSearchParams(inbound),
    })
    expect(bare.status).toBe(403)
    expect(await heard()).toEqual([])
  })

  it('with STOP ends texts to the number, and is recorded once however often Twilio delivers it', async () => {
    for (let i = 0; i < 3; i += 1) {
      const token = i === 0 ? 'the-token-before-this-one' : TOKEN
      const answer = await tell('/api/v1/hooks/sms/inbound', inbound, { token })
      expect([answer.status, await answer.text()]).toEqual([200, '<Response/>'])
    }
    expect(await heard()).toEqual([{ body: 'Stop. Thank you', reading: 'stop', key: 'SM-in-1' }])
    expect(await inAcme((scope) => takesTexts(scope, world.people.uri.user_id))).toBe(false)
  })

  it('from an unknown number changes nothing; wrong paths, methods and sizes are refused', async () => {
    const stranger = { ...inbound, From: '+436649999999', MessageSid: 'SM-in-2' }
    expect((await tell('/api/v1/hooks/sms/inbound', stranger)).status).toBe(200)
    expect(
      (await tell('/api/v1/hooks/sms/inbound', { ...inbound, From: 'nobody', MessageSid: 'SM-3' })).status,
    ).toBe(200)
    expect(await heard()).toHaveLength(1)
    expect((await tell('/api/v1/hooks/sms/other', inbound)).status).toBe(404)
    expect((await fetch(`${site.address}/api/v1/hooks/sms/inbound`)).status).toBe(405)
    expect((await tell('/api/v1/hooks/sms/inbound', { ...inbound, Body: 'x'.repeat(70_000) })).status).toBe(
      413,
    )
  })
})

describe('A delivery report', () => {
  async function sentDispatch(state: string, provider_id: string | null): Promise<number> {
    await inAcme(({ db }) => db.deleteFrom('journeys').execute())
    const journey = await world.draft(['uri'], { name: `Told ${Math.random()}` })
    await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
    const { id } = await inAcme(({ db }) =>
      db.selectFrom('dispatches').select('id').executeTakeFirstOrThrow(),
    )
    await inAcme(({ db }) =>
      sql`update dispatches set channel = 'sms', state = ${state}, provider_id = ${provider_id},
        accepted_at = case when ${state} = 'accepted' then now() end where id = ${id}`.execute(db),
    )
    return id
  }
  const stateOf = (id: number) =>
    inAcme(({ db }) =>
      db
        .selectFrom('dispatches')
        .select(['state', 'provider_id', 'error_code'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    )
  const report = (id: number, fields: Record<string, string>, tenant = world.acme) =>
    tell(`/api/v1/hooks/sms/status?${new URLSearchParams({ tenant, key: `${tenant}:${id}` })}`, {
      MessageSid: SID,
      ...fields,
    })

  it('marks a text as delivered, and later reports do not change that', async () => {
    const id = await sentDispatch('accepted', SID)
    await report(id, { MessageStatus: 'sent' })
    expect(await stateOf(id)).toMatchObject({ state: 'accepted' })
    await report(id, { MessageStatus: 'delivered' })
    await report(id, { MessageStatus: 'delivered' })
    await report(id, { MessageStatus: 'undelivered', ErrorCode: '30003' })
    expect(await stateOf(id)).toEqual({ state: 'delivered', provider_id: SID, error_code: null })
  })

  it('marks a text as undelivered, with the error code', async () => {
    const id = await sentDispatch('accepted', SID)
    await report(id, { MessageStatus: 'undelivered', ErrorCode: '30003' })
    expect(await stateOf(id)).toMatchObject({ state: 'undelivered', error_code: 'sms:30003' })
  })

  it('of failure counts even before our request is answered, and the lift goes by e-mail', async () => {
    await inAcme((scope) => giveNumber(scope, world.people.uri.user_id))
    await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}`.execute(db))
    const id = await sentDispatch('unknown', null)
    await inAcme(({ db }) =>
      db.updateTable('dispatches').set({ address: NUMBER, state: 'sending' }).execute(),
    )
    await report(id, { MessageStatus: 'undelivered', ErrorCode: '30006' })
    await inAcme((scope) => recordAccepted(scope, { id, provider_id: SID }))
    const worker = await world.workers(createTestCarrier().carriers)
    await worker.drain()
    await worker.stop()
    const rows = await inAcme(({ db }) =>
      db.selectFrom('dispatches').select(['channel', 'state', 'error_code']).orderBy('id').execute(),
    )
    expect(rows).toEqual([
      { channel: 'sms', state: 'undelivered', error_code: 'sms:30006' },
      { channel: 'email', state: 'accepted', error_code: null },
    ])
  })

  it.each(['before', 'during', 'late'])(
    'of failure sends the lift by e-mail after a pause (report: %s)',
    async (when) => {
      await inAcme((scope) => giveNumber(scope, world.people.uri.user_id))
      await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}`.execute(db))
      const id = await sentDispatch('accepted', SID)
      await inAcme(({ db }) =>
        db.updateTable('dispatches').set({ address: NUMBER, sent_at: new Date() }).execute(),
      )
      await inAcme(({ db }) => sql`update occurrences set state = 'sent'`.execute(db))
      const { journey_id } = await inAcme(({ db }) =>
        db.selectFrom('occurrences').select('journey_id').executeTakeFirstOrThrow(),
      )
      const tellNow = () => report(id, { MessageStatus: 'undelivered', ErrorCode: '30006' })
      if (when === 'before') await tellNow()
      await world.must('adam', 'POST', `/lljs/${journey_id}/pause`, {})
      if (when === 'during') await tellNow()
      await inAcme(async ({ db }) => {
        await sql`update journeys set paused_at = paused_at - interval '3 days'`.execute(db)
        await sql`update dispatches set due_at = due_at - interval '3 days', created_on = created_on - interval '3 days'
        where channel = 'email'`.execute(db)
      })
      if (when === 'late') await tellNow()
      await world.must('adam', 'POST', `/lljs/${journey_id}/resume`, { mode: 'shift' })
      const { taken, carriers } = createTestCarrier()
      const worker = await world.workers(carriers)
      await worker.drain()
      await worker.stop()
      expect(taken.map(({ channel }) => channel)).toEqual(['email'])
    },
  )

  it('resolves an unknown text, and is ignored with another tenant, provider ID or key', async () => {
    const id = await sentDispatch('unknown', null)
    await report(id, { MessageStatus: 'delivered' }, world.globex)
    expect(await stateOf(id)).toMatchObject({ state: 'unknown' })
    await report(id, { MessageStatus: 'delivered' })
    expect(await stateOf(id)).toMatchObject({ state: 'delivered', provider_id: SID })
    const other = await sentDispatch('accepted', `SM${'0'.repeat(32)}`)
    await report(other, { MessageStatus: 'delivered' })
    expect(await stateOf(other)).toMatchObject({ state: 'accepted' })
    for (const key of ['', 'identity:1', `${world.acme}:1e9`, `${world.acme}:-1`, `${world.acme}:999999999`])
      expect(
        (
          await tell(`/api/v1/hooks/sms/status?${new URLSearchParams({ tenant: world.acme, key })}`, {
            MessageSid: SID,
            MessageStatus: 'delivered',
          })
        ).status,
      ).toBe(200)
  })
})

it('The Twilio configuration is rejected if a setting is missing or malformed', () => {
  const all = { TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_FROM: '+15551234567' }
  expect(readConfig({ NODE_ENV: 'test', ...all })).toMatchObject(all)
  for (const [name, wrong] of Object.entries({
    TWILIO_ACCOUNT_SID: 'AC12',
    TWILIO_AUTH_TOKEN: 'short',
    TWILIO_FROM: '555',
  })) {
    expect(() => readConfig({ NODE_ENV: 'test', ...all, [name]: wrong })).toThrow(`${name}: must`)
    expect(() => readConfig({ NODE_ENV: 'test', ...all, [name]: '' })).toThrow(`${name}: is needed`)
  }
  for (const api of ['https://api.dublin.ie1.twilio.com', 'http://127.0.0.1:4010', 'http://localhost:4010/'])
    expect(readConfig({ NODE_ENV: 'test', ...all, TWILIO_API_URL: api }).TWILIO_API_URL).toBe(api)
  for (const api of [
    'http://api.twilio.com',
    'ftp://localhost',
    'twilio',
    'https://me:secret@api.twilio.com',
    'https://api.twilio.com?region=ie1',
  ])
    expect(() => readConfig({ NODE_ENV: 'test', ...all, TWILIO_API_URL: api })).toThrow(
      'TWILIO_API_URL: must be',
    )
})
