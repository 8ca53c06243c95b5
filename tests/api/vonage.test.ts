/** Texts by Vonage, seen on its side of the wire; and what it tells us, signed as it signs. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#app/config.server.ts'
import { recordConsent } from '#app/domain/consent/consents.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope.server.ts'
import type { Message } from '#app/integrations/carrier.ts'
import { createVonage } from '#app/integrations/vonage.server.ts'
import { createHooks } from '#app/process/carrier-hooks.server.ts'
import { freePort } from '#tests/support/process.ts'
import {
  APPLICATION,
  PRIVATE_KEY,
  problem,
  SECRET,
  startVonage,
  type VonageBehavior,
} from '#tests/support/vonage-server.ts'
import { createJourneysWorld, type JourneysWorld } from './journeys-world.ts'

const NUMBER = '+436641234567'
const BEFORE = 'the-secret-before-this-one'
const UUID = '0a1b2c3d-0000-4000-8000-00000000000a'
const text: Message = {
  tenant_id: '6f1f3b0e-0000-4000-8000-000000000001',
  key: '6f1f3b0e-0000-4000-8000-000000000001:7',
  channel: 'sms',
  to: NUMBER,
  subject: '',
  text: 'Hi Léna & co: https://learn.example/lift/7',
}

let world: JourneysWorld
let vonage: Awaited<ReturnType<typeof startVonage>>
let site: Server
let behavior: VonageBehavior
let until = new Date(Date.now() + 60_000)
const kept = new Map<string, string>()

beforeAll(async () => {
  world = await createJourneysWorld()
  vonage = await startVonage(() => behavior)
  const app = express()
  const config = {
    PUBLIC_ORIGIN: 'https://learn.example',
    SMS_CARRIER: 'vonage' as const,
    VONAGE_SIGNATURE_SECRET: SECRET,
    VONAGE_SIGNATURE_SECRET_BEFORE: BEFORE,
    SECRETS_BEFORE_UNTIL: { getTime: () => until.getTime() } as Date,
  }
  app.use('/api/v1/hooks', createHooks({ config, databases: { app: world.database.app } }))
  site = createServer(app)
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  await inAcme(async (scope) => {
    await sql`update users set mobile_phone = ${NUMBER} where id = ${world.people.uri.user_id}`.execute(
      scope.db,
    )
    const said = { number: NUMBER, user_id: world.people.uri.user_id, action: 'opt_in', source: 'profile' }
    await recordConsent(scope, said as Parameters<typeof recordConsent>[1])
  })
})
afterAll(async () => {
  await new Promise((done) => site?.close(done))
  await vonage?.stop()
  await world?.drop()
})
beforeEach(() => {
  behavior = 'take'
  vonage.taken.length = 0
  kept.clear()
})

const inAcme = <Result>(work: (scope: Scope) => Promise<Result>) =>
  inScope(world.database.app, systemActor(world.acme), work)
const carrier = (api = vonage.url) =>
  createVonage(
    { application: APPLICATION, private_key: PRIVATE_KEY, from: '+15551234567', api },
    {
      keep: async ({ key }, id) => void kept.set(key, id),
      find: async ({ key }) => kept.get(key) ?? null,
    },
  )

describe('A text by Vonage', () => {
  it('is handed over as the API wants it, and found by our key', async () => {
    expect(await carrier().find(text)).toBeNull()
    const { provider_id } = await carrier().send(text)
    expect(vonage.taken).toEqual([
      {
        ...{ message_type: 'text', channel: 'sms', to: '436641234567', from: '15551234567' },
        ...{ text: text.text, client_ref: text.key, message_uuid: provider_id },
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
  ] as [VonageBehavior, string, string][])('after %j is %s', async (answer, outcome, code) => {
    behavior = answer
    const error = await carrier()
      .send(text)
      .catch((one: Error) => one)
    expect(error).toMatchObject({ outcome, code })
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toMatch(/PRIVATE|436641234567/)
    expect(kept.size).toBe(0)
  })

  it('that never reached the carrier is tried again, and the carrier is away', async () => {
    const nowhere = carrier(`http://127.0.0.1:${await freePort()}`)
    await expect(nowhere.send(text)).rejects.toMatchObject({ outcome: 'busy', isOutage: true })
    expect(await nowhere.check()).toBe('sms:ECONNREFUSED')
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
  const { status } = await fetch(
    `http://127.0.0.1:${(site.address() as AddressInfo).port}/api/v1/hooks${path}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    },
  )
  return status
}

describe('What Vonage tells', () => {
  const inbound = {
    ...{ channel: 'sms', message_uuid: UUID, to: '15551234567', from: '436641234567' },
    ...{ timestamp: new Date().toISOString(), text: 'STOP', message_type: 'text' },
  }
  const heard = () => inAcme(({ db }) => db.selectFrom('inbound_texts').select(['reading', 'key']).execute())

  it('is heard when it signed just this a moment ago, with the secret of now or that of before', async () => {
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

  it('may be that a number is a landline: it gets no more texts, and this lift comes by e-mail', async () => {
    const said = { number: NUMBER, user_id: world.people.uri.user_id, action: 'opt_in', source: 'profile' }
    await inAcme((scope) => recordConsent(scope, said as Parameters<typeof recordConsent>[1]))
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
    const person = await inAcme(({ db }) =>
      db
        .selectFrom('users')
        .select('sms_opt_in')
        .where('id', '=', world.people.uri.user_id)
        .executeTakeFirstOrThrow(),
    )
    expect(person.sms_opt_in).toBe(false)
  })
})

it('The configuration of Vonage is whole, or refused at the start', () => {
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
  const before = { ...all, VONAGE_SIGNATURE_SECRET_BEFORE: BEFORE }
  expect(() => readConfig({ NODE_ENV: 'test', ...before })).toThrow('SECRETS_BEFORE_UNTIL: is needed')
  expect(() => readConfig({ NODE_ENV: 'test', SMS_CARRIER: 'pigeon' })).toThrow('SMS_CARRIER')
})
