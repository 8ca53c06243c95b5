/** E-mails that people stop by link, and bounces in signed reports of the mail carrier. */
import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setSecret } from '#app/auth/seal.server.ts'
import { sealStopLink } from '#app/auth/stop-links.server.ts'
import { createHooks } from '#app/process/carrier-hooks.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

const SECRET = `whsec_${Buffer.from('a-secret-of-the-mail-carrier-1').toString('base64')}`
const BEFORE = `whsec_${Buffer.from('a-secret-of-the-mail-carrier-0').toString('base64')}`
let world: JourneysWorld
let site: Server
let until = Date.now() + 60_000
let began = new Date()

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  world = await createJourneysWorld()
  const app = express()
  const config = {
    PUBLIC_ORIGIN: ORIGIN,
    SMS_CARRIER: 'twilio' as const,
    MAIL_HOOK_SECRET: SECRET,
    MAIL_HOOK_SECRET_BEFORE: BEFORE,
    SECRETS_BEFORE_UNTIL: { getTime: () => until } as Date,
  }
  app.use('/api/v1/hooks', createHooks({ config, databases: { app: world.database.app } }))
  site = createServer(app)
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  await new Promise((done) => site?.close(done))
  await world?.drop()
})
beforeEach(() =>
  inAcme(async ({ db }) => {
    began = new Date()
    await db.deleteFrom('journeys').execute()
    await sql`delete from mail_stops`.execute(db)
    await sql`delete from address_events`.execute(db)
    await sql`delete from notifications`.execute(db)
  }),
)

const inAcme = inAcmeOf(() => world)
const stopLink = (who: Parameters<typeof sealStopLink>[0]) => `${ORIGIN}/unsubscribe/${sealStopLink(who)}`

async function launch(name: string) {
  const { id } = await world.draft(['uri'], { name, channels: ['email'] })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  const { taken, carriers } = createTestCarrier()
  await world.drain(carriers, { stopLink })
  const mail = taken.find((one) => one.to === world.people.uri.email)
  const token = mail?.letter?.unsubscribe?.split('/').at(-1) ?? ''
  return { id, mail, token }
}
const lines = (action: string) =>
  inAcme(async ({ db }) => {
    const rows = await db
      .selectFrom('audit_events')
      .select('changes')
      .where('action', '=', action)
      .where('at', '>=', began)
      .orderBy('id')
      .execute()
    return rows.map(({ changes }) => (changes as { stopped?: string } | null)?.stopped)
  })
const reasons = () =>
  inAcme(({ db }) => db.selectFrom('dispatches').select(['state', 'error_code']).execute())

describe('The unsubscribe link of an e-mail', () => {
  const ask = (token: string) => world.call('uri', 'GET', `/mail_stops/${token}`)
  const stop = (token: string, body: object) => world.call('uri', 'POST', `/mail_stops/${token}`, body)

  it('shows what it would stop each time it is opened, and stops e-mails only when submitted', async () => {
    const { mail, token } = await launch('Calls')
    expect(mail?.text).toContain(`Stop these e-mails: ${ORIGIN}/unsubscribe/${token}`)
    for (let i = 0; i < 3; i += 1)
      expect((await ask(token)).json).toEqual({
        ...{ company: 'Acme', about: 'journey', journey: 'Calls', stopped: 'none' },
      })
    expect((await stop(token, { stop: 'these', one_click: true })).status).toBe(200)
    expect((await ask(token)).json).toMatchObject({ stopped: 'these' })
    expect(await world.must('uri', 'GET', '/users/me/mail_stops')).toMatchObject({
      all: false,
      journeys: [{ name: 'Calls' }],
    })
  })

  it('stops e-mails of one journey or of all, and can resume them', async () => {
    const one = await launch('First')
    await stop(one.token, { stop: 'these' })
    const two = await launch('Second')
    expect(two.mail).toBeDefined()
    await stop(two.token, { stop: 'all' })
    expect((await launch('Third')).mail).toBeUndefined()
    expect((await reasons()).at(-1)).toEqual({ state: 'suppressed', error_code: 'mail_stopped' })
    // Only the page can stop fewer mails; the one click of a mail program stops all.
    await stop(two.token, { stop: 'these', one_click: true })
    expect((await ask(two.token)).json).toMatchObject({ stopped: 'all' })
    await stop(two.token, { stop: 'none' })
    expect((await launch('Fourth')).mail).toBeDefined()
    await world.must('uri', 'PUT', '/users/me/mail_stops', { all: true, journey_ids: [] })
    expect((await launch('Fifth')).mail).toBeUndefined()
    await world.must('uri', 'PUT', '/users/me/mail_stops', { all: false, journey_ids: [] })
    expect(await lines('mails.stopped')).toEqual(['these', 'all', 'none', 'all', 'none'])
  })

  it('is not found if it is altered, invented, or names another tenant or a missing journey', async () => {
    const { token } = await launch('Sealed')
    const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    for (const wrong of [changed, 'x', `v1.${token.slice(5)}`, encodeURIComponent('../../users')]) {
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 404])
      expect([wrong, (await stop(wrong, { stop: 'all' })).status]).toEqual([wrong, 404])
    }
    const { user_id } = world.people.uri
    const foreign = sealStopLink({ tenant_id: world.globex, user_id, journey_id: 1 })
    expect((await ask(foreign)).status).toBe(404)
    const gone = sealStopLink({ tenant_id: world.acme, user_id, journey_id: 2_000_000_000 })
    expect((await ask(gone)).status).toBe(404)
  })
})

type Signing = { secret?: string; at?: number; id?: string; body?: string }

async function tell(event: object, { secret = SECRET, at = Date.now(), id = 'msg_1', body }: Signing = {}) {
  const said = JSON.stringify(event)
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${said}`).digest('base64')
  const { status } = await fetch(
    `http://127.0.0.1:${(site.address() as AddressInfo).port}/api/v1/hooks/email/events`,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...{ 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,AAAA v1,${signature}` },
      },
      body: body ?? said,
    },
  )
  return status
}

const about = (type: string, more: object = {}) => ({
  type,
  created_at: new Date().toISOString(),
  data: { email_id: 'e-1', from: 'lifts@learn.example', to: [world.people.uri.email], ...more },
})
const bounce = (type = 'Permanent') =>
  about('email.bounced', { bounce: { message: 'No such user', subType: 'General', type } })

describe('An e-mail address in a report of the mail carrier', () => {
  const path = () => `/users/${world.people.uri.user_id}/address`
  const state = () => world.must('adam', 'GET', path())
  const told = () =>
    inAcme(({ db }) =>
      db
        .selectFrom('notifications')
        .select('content')
        .where('user_id', '=', world.people.adam.user_id)
        .execute(),
    )

  it('is not stopped by a report that is forged, altered, outdated or about a temporary problem', async () => {
    expect(await tell(bounce(), { secret: `whsec_${Buffer.from('x'.repeat(30)).toString('base64')}` })).toBe(
      403,
    )
    expect(await tell(bounce(), { body: JSON.stringify(about('email.complained')) })).toBe(403)
    expect(await tell(bounce(), { at: Date.now() - 6 * 60_000 })).toBe(403)
    expect(await tell(bounce(), { at: Date.now() + 6 * 60_000 })).toBe(403)
    until = Date.now() - 1000
    expect(await tell(bounce(), { secret: BEFORE })).toBe(403)
    until = Date.now() + 60_000
    expect(await tell(bounce('Transient'))).toBe(200)
    expect(await tell(about('email.delivered'))).toBe(200)
    expect(await tell({ ...bounce(), data: { to: ['nobody@elsewhere.example'] } })).toBe(200)
    expect(await state()).toMatchObject({ stopped: null })
  })

  it('gets no lifts after a bounce; administrators are notified once and can try it again', async () => {
    expect(await tell(bounce(), { secret: BEFORE })).toBe(200)
    expect(await tell(bounce())).toBe(200)
    expect(await tell(about('email.complained'), { id: 'msg_2' })).toBe(200)
    expect(await state()).toMatchObject({ email: world.people.uri.email, stopped: { why: 'complained' } })
    expect(await told()).toMatchObject([
      { content: { title: 'An e-mail address is stopped', path: `/users/edit/${world.people.uri.user_id}` } },
    ])
    expect((await launch('Stopped')).mail).toBeUndefined()
    expect(await reasons()).toEqual([{ state: 'suppressed', error_code: 'address_complained' }])
    await world.must('adam', 'POST', `${path()}/try_again`, {})
    expect((await world.call('adam', 'POST', `${path()}/try_again`, {})).status).toBe(409)
    expect((await world.call('uri', 'POST', `${path()}/try_again`, {})).status).toBe(403)
    expect(await lines('address.tried_again')).toHaveLength(1)
    // The same report again.
    expect(await tell(bounce())).toBe(200)
    expect(await state()).toMatchObject({ stopped: null })
    expect((await launch('Again')).mail).toBeDefined()
  })
})
