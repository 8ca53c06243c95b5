/** Texts through Vonage, seen on its side of the connection; and its reports, signed as it signs. */
import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#app/config.server.ts'
import { createVonage, type VonageSettings } from '#app/integrations/texts/vonage.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import {
  APPLICATION,
  KEY,
  KEY_SECRET,
  PRIVATE_KEY,
  problem,
  SECRET,
  startVonage,
  type VonageBehavior,
} from '#tests/fakes/vonage-server.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { freePort } from '#tests/support/process.ts'
import { createKept, giveNumber, NUMBER, serveHooks, takesTexts, text } from './text-carriers.ts'

const BEFORE = 'the-secret-before-this-one'
const UUID = '0a1b2c3d-0000-4000-8000-00000000000a'

let world: JourneysWorld
let vonage: Awaited<ReturnType<typeof startVonage>>
let site: Awaited<ReturnType<typeof serveHooks>>
let behavior: VonageBehavior
let reports: VonageBehavior
let until = new Date(Date.now() + 60_000)
const { kept, store } = createKept()
const inAcme = inAcmeOf(() => world)

beforeAll(async () => {
  world = await createJourneysWorld()
  vonage = await startVonage(() => behavior, { report: () => reports })
  site = await serveHooks(world, {
    SMS_CARRIER: 'vonage',
    VONAGE_SIGNATURE_SECRET: SECRET,
    VONAGE_SIGNATURE_SECRET_BEFORE: BEFORE,
    SECRETS_BEFORE_UNTIL: { getTime: () => until.getTime() } as Date,
  })
  await inAcme((scope) => giveNumber(scope, world.people.uri.user_id))
})
afterAll(async () => {
  await site?.stop()
  await vonage?.stop()
  await world?.drop()
})
beforeEach(() => {
  ;[behavior, reports] = ['take', 'take']
  vonage.taken.length = 0
  kept.clear()
})

const carrier = (more: Partial<VonageSettings> = {}) =>
  createVonage(
    { application: APPLICATION, private_key: PRIVATE_KEY, from: '+15551234567', api: vonage.url, ...more },
    store,
  )

describe('A text sent by Vonage', () => {
  it('is handed over in the API’s format, and found by our key', async () => {
    expect(await carrier().find(text)).toBeNull()
    const { provider_id } = await carrier().send(text)
    expect(vonage.taken).toEqual([
      {
        ...{ message_type: 'text', channel: 'sms', to: '436641234567', from: '15551234567' },
        ...{ text: text.text, client_ref: text.key, message_uuid: provider_id },
        ...{ status: 'submitted', received: expect.any(String) },
      },
    ])
    expect(await carrier().find(text)).toEqual({ provider_id })
    expect(await carrier().check()).toBeNull()
    expect(vonage.taken).toHaveLength(1)
  })

  it.each([
    [problem(422, 1170), 'refused', 'invalid_number'],
    [problem(422, 1240), 'refused', 'invalid_number'],
    [problem(422, 1010), 'refused', 'sms:1010'],
    [problem(401, 1000), 'busy', 'sms:401'],
    [problem(402, 1000), 'busy', 'sms:402'],
    [problem(429, 1000), 'busy', 'sms:429'],
    [{ status: 500, body: {} }, 'unclear', 'sms:500'],
    [{ status: 202, body: { no: 'uuid' } }, 'unclear', 'sms:answer'],
    ['drop', 'unclear', 'sms:UND_ERR_SOCKET'],
    ['take and drop', 'unclear', 'sms:UND_ERR_SOCKET'],
  ] as [VonageBehavior, string, string][])('answered with %j counts as %s', async (answer, outcome, code) => {
    behavior = answer
    const error = await carrier()
      .send(text)
      .catch((one: Error) => one)
    expect(error).toMatchObject({ outcome, code })
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toMatch(/PRIVATE|436641234567/)
    expect(kept.size).toBe(0)
  })

  it('counts as busy, and as an outage, if Vonage cannot be reached', async () => {
    const nowhere = carrier({ api: `http://127.0.0.1:${await freePort()}` })
    await expect(nowhere.send(text)).rejects.toMatchObject({ outcome: 'busy', isOutage: true })
    expect(await nowhere.check()).toBe('sms:ECONNREFUSED')
  })
})

describe('An unknown text sent by Vonage', () => {
  const account = { key: KEY, secret: KEY_SECRET }
  const lost = { ...text, link: text.text, since: new Date() }
  const lookUp = (more: Partial<VonageSettings> = {}) => carrier({ account, ...more }).lookUp?.(lost)

  it('takes the state of its report, which is found by our key', async () => {
    behavior = 'take and drop'
    await expect(carrier().send(text)).rejects.toMatchObject({ outcome: 'unclear' })
    await expect(carrier().send({ ...text, key: `${text.key}0` })).rejects.toMatchObject({
      outcome: 'unclear',
    })
    const provider_id = vonage.taken[0]?.message_uuid
    for (const [status, outcome] of [
      ['submitted', { outcome: 'taken', receipt: { provider_id, delivered: false } }],
      ['delivered', { outcome: 'taken', receipt: { provider_id, delivered: true } }],
      ['read', { outcome: 'taken', receipt: { provider_id, delivered: true } }],
      ['undeliverable', { outcome: 'undelivered', provider_id, code: 'sms:1260' }],
      ['rejected', { outcome: 'undelivered', provider_id, code: 'sms:1260' }],
    ] as const) {
      Object.assign(vonage.taken[0] ?? {}, { status, error_code: '1260' })
      expect([status, await lookUp()]).toEqual([status, outcome])
    }
  })

  it('stays unclear if Vonage’s report lacks it, even after five hours', async () => {
    const since = new Date(Date.now() - 5 * 3_600_000)
    expect(await carrier({ account }).lookUp?.({ ...lost, since })).toEqual({ outcome: 'unclear' })
  })

  it('cannot be looked up if Vonage refuses the report or no account is configured', async () => {
    reports = { status: 500, body: {} }
    await expect(lookUp()).rejects.toThrow('Vonage answers 500.')
    reports = 'take'
    await expect(lookUp({ account: { key: KEY, secret: 'another' } })).rejects.toThrow('Vonage answers 401.')
    expect(carrier().lookUp).toBeUndefined()
  })
})

type Signing = { secret?: string; at?: number; of?: string }

async function tell(path: string, said: object, { secret = SECRET, at = Date.now(), of }: Signing = {}) {
  const body = JSON.stringify(said)
  const payload_hash = createHash('sha256')
    .update(of ?? body)
    .digest('hex')
  const token = await new SignJWT({ payload_hash, api_key: 'abcd1234', application_id: APPLICATION })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('Vonage')
    .setIssuedAt(Math.floor(at / 1000))
    .sign(new TextEncoder().encode(secret))
  const { status } = await fetch(`${site.address}/api/v1/hooks${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  return status
}

describe('A report from Vonage', () => {
  const inbound = {
    ...{ channel: 'sms', message_uuid: UUID, to: '15551234567', from: '436641234567' },
    ...{ timestamp: new Date().toISOString(), text: 'STOP', message_type: 'text' },
  }
  const heard = () => inAcme(({ db }) => db.selectFrom('inbound_texts').select(['reading', 'key']).execute())

  it('is accepted only if signed recently for this body, with the current or previous secret', async () => {
    const late = Date.now() - 6 * 60_000
    expect(await tell('/sms/inbound', inbound, { secret: 'another-secret-altogether' })).toBe(403)
    expect(await tell('/sms/inbound', inbound, { of: JSON.stringify({ ...inbound, text: 'Hi' }) })).toBe(403)
    expect(await tell('/sms/inbound', inbound, { at: late })).toBe(403)
    until = new Date(Date.now() - 1000)
    expect(await tell('/sms/inbound', inbound, { secret: BEFORE })).toBe(403)
    expect(await heard()).toEqual([])
    until = new Date(Date.now() + 60_000)
    expect(await tell('/sms/inbound', inbound, { secret: BEFORE })).toBe(200)
    expect(await tell('/sms/inbound', inbound)).toBe(200)
    expect(await heard()).toEqual([{ reading: 'stop', key: UUID }])
  })

  it('of a landline number ends texts to it, and the lift goes by e-mail', async () => {
    await inAcme((scope) => giveNumber(scope, world.people.uri.user_id))
    const journey = await world.draft(['uri'])
    await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
    const { id } = await inAcme(({ db }) =>
      db.selectFrom('dispatches').select('id').executeTakeFirstOrThrow(),
    )
    await inAcme(({ db }) =>
      sql`update dispatches set channel = 'sms', state = 'accepted', provider_id = ${UUID}, address = ${NUMBER},
        accepted_at = now() where id = ${id}`.execute(db),
    )
    const status = {
      ...{ message_uuid: UUID, channel: 'sms', to: '436641234567', from: '15551234567' },
      ...{ client_ref: `${world.acme}:${id}`, status: 'rejected', timestamp: new Date().toISOString() },
      error: { type: 'https://developer.vonage.com/api-errors/messages#1240', title: '1240' },
    }
    expect(await tell('/sms/status', { ...status, status: 'submitted' })).toBe(200)
    expect(await tell('/sms/status', { ...status, client_ref: `${world.globex}:${id}` })).toBe(200)
    expect(await tell('/sms/status', status)).toBe(200)
    expect(await tell('/sms/status', status)).toBe(200)
    const rows = await inAcme(({ db }) =>
      db.selectFrom('dispatches').select(['channel', 'state', 'error_code']).orderBy('id').execute(),
    )
    expect(rows).toMatchObject([
      { channel: 'sms', state: 'undelivered', error_code: 'sms:1240' },
      { channel: 'email', state: 'planned' },
    ])
    expect(await inAcme((scope) => takesTexts(scope, world.people.uri.user_id))).toBe(false)
  })
})

it('The Vonage configuration is rejected if a setting is missing or unknown', () => {
  const all = {
    ...{ SMS_CARRIER: 'vonage', VONAGE_APPLICATION_ID: APPLICATION, VONAGE_PRIVATE_KEY: PRIVATE_KEY },
    ...{ VONAGE_FROM: '+15551234567', VONAGE_SIGNATURE_SECRET: SECRET },
  }
  expect(readConfig({ NODE_ENV: 'test', ...all })).toMatchObject(all)
  const asOneLine = { ...all, VONAGE_PRIVATE_KEY: PRIVATE_KEY.replaceAll('\n', '\\n') }
  expect(readConfig({ NODE_ENV: 'test', ...asOneLine }).VONAGE_PRIVATE_KEY).toBe(PRIVATE_KEY)
  for (const name of [
    'VONAGE_APPLICATION_ID',
    'VONAGE_PRIVATE_KEY',
    'VONAGE_FROM',
    'VONAGE_SIGNATURE_SECRET',
  ])
    expect(() => readConfig({ NODE_ENV: 'test', ...all, [name]: '' })).toThrow(`${name}: is needed`)
  const account = { VONAGE_API_KEY: KEY, VONAGE_API_SECRET: KEY_SECRET }
  expect(readConfig({ NODE_ENV: 'test', ...all, ...account })).toMatchObject(account)
  for (const name of ['VONAGE_API_KEY', 'VONAGE_API_SECRET'])
    expect(() => readConfig({ NODE_ENV: 'test', ...all, ...account, [name]: '' })).toThrow(
      `${name}: is needed`,
    )
  const before = { ...all, VONAGE_SIGNATURE_SECRET_BEFORE: BEFORE }
  expect(() => readConfig({ NODE_ENV: 'test', ...before })).toThrow('SECRETS_BEFORE_UNTIL: is needed')
  expect(() => readConfig({ NODE_ENV: 'test', SMS_CARRIER: 'pigeon' })).toThrow('SMS_CARRIER')
})
