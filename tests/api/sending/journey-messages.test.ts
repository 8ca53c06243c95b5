/** Messages about a journey other than its lifts: they count toward the company's limits, and mail stops end them. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setSecret } from '#app/auth/seal.server.ts'
import { openStopLink, sealStopLink } from '#app/auth/stop-links.server.ts'
import { beginSent, keepSent } from '#app/domain/outbox/sent.server.ts'
import { beginMessage } from '#app/domain/sending/journey-messages.server.ts'
import type { Carrier } from '#app/integrations/carrier.ts'
import { briefSponsors } from '#app/jobs/brief-sponsors.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { sendOnce } from '#app/jobs/sending/send-once.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { nextMonday, zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
let admin: pg.Client
let id = 0
const carrier = createTestCarrier()
const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBe('nothing wrong') }

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await admin.query('update users set timezone = $1', [zoneAt(13)])
  ;({ id } = await world.draft(
    ['uri'],
    { channels: ['email'] },
    { schedule: { kind: 'manual', at_launch: true } },
  ))
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
    ...{ member_ids: [data[0].id], sponsor_user_id: world.people.aya.user_id },
  })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 1, send_now: true })
  await drain()
})
afterAll(() => world?.drop())
beforeEach(async () => {
  for (const table of ['mail_stops', 'address_events', 'encouragements', 'monday_mails', 'sent_messages'])
    await admin.query(`delete from ${table}`)
  await admin.query(`delete from graphile_worker._private_jobs`)
  await admin.query(`update tenants set settings = '{}'`)
  await admin.query(`update users set muted_notifications = '{}'`)
  carrier.taken.length = 0
})

const inAcme = inAcmeOf(() => world, 'worker')
const stopLink = (link: Parameters<typeof sealStopLink>[0]) => `${ORIGIN}/unsubscribe/${sealStopLink(link)}`
const drain = () => world.drain(carrier.carriers, { stopLink })
const cap = (daily_message_cap: number) =>
  admin.query('update tenants set settings = $1', [{ daily_message_cap }])
const today = async () =>
  (
    await admin.query(`select (select count(*) from dispatches where sent_at > now() - interval '1 day')
      + (select count(*) from sent_messages where user_id is not null) as n`)
  ).rows.map(({ n }) => Number(n))[0] ?? 0
const encourage = () =>
  world.must('aya', 'POST', `/lljs/${id}/encouragements`, {
    ...{ user_id: world.people.uri.user_id, text: 'Keep going' },
  })
const to = (who: 'uri' | 'aya') => carrier.taken.filter((one) => one.to === world.people[who].email)
const stop = (who: 'uri' | 'aya', journey_id: number | null) =>
  admin.query(`insert into mail_stops (tenant_id, user_id, journey_id, source) values ($1, $2, $3, 'link')`, [
    world.acme,
    world.people[who].user_id,
    journey_id,
  ])
const bounced = (who: 'uri' | 'aya') =>
  admin.query(`insert into address_events (tenant_id, address, kind) values ($1, $2, 'bounced')`, [
    ...[world.acme, world.people[who].email],
  ])
const brief = () => briefSponsors({ database: world.database.worker, log }, {}, nextMonday(zoneAt(13)))
const overdue = () =>
  admin.query(`update occurrences set due_at = now() - interval '9 days', state = 'opened'`)

describe('The sending limits', () => {
  it('count an encouragement as one of the day’s messages, and hold it until the limit has room', async () => {
    await cap(await today())
    await encourage()
    await drain()
    expect(to('uri')).toEqual([])
    const { rows } = await admin.query(`select run_at > now() + interval '10 minutes' as later
      from graphile_worker.jobs where task_identifier = 'send-encouragement'`)
    expect(rows).toEqual([{ later: true }])
    await cap((await today()) + 1)
    await admin.query('update graphile_worker._private_jobs set run_at = now()')
    await drain()
    expect(to('uri')).toHaveLength(1)
    // This message counts, too: no other is sent under the same limit.
    await overdue()
    await brief()
    await drain()
    expect(to('aya')).toEqual([])
  })

  it('allow one of three simultaneous messages if one is left for the day, and do not count codes', async () => {
    const about = { user_id: world.people.uri.user_id, journey_id: id }
    const message = { channel: 'email' as const, to: world.people.uri.email, about }
    await inAcme((scope) => keepSent(scope, 'a code', 'begun'))
    await cap((await today()) + 1)
    const begun = await Promise.all(
      ['one', 'two', 'three'].map((key) =>
        inAcme((scope) => beginMessage(scope, { ...message, key }, 'begun')),
      ),
    )
    expect(begun.filter((held) => held === null)).toHaveLength(1)
  })

  it('are sent by one of two runs of the same job', async () => {
    const { user_id, email } = world.people.uri
    const message = { tenant_id: world.acme, key: 'once', channel: 'email' as const, to: email }
    const about = { user_id, journey_id: id }
    const begin = () => inAcme((scope) => beginMessage(scope, { ...message, about }, 'begun'))
    expect((await Promise.all([begin(), begin()])).sort()).toEqual(['begun', null])

    const taken: string[] = []
    const asked = Promise.withResolvers<void>()
    let asking = 0
    const carrier: Carrier = {
      ...{ name: 'slow', sendsOncePerKey: false },
      // Both runs have asked before either begins.
      async find() {
        asking += 1
        if (asking === 2) asked.resolve()
        await asked.promise
        return null
      },
      async send({ key }) {
        taken.push(key)
        return { provider_id: key }
      },
    }
    const context = {
      ...{ database: world.database.app, log: { info() {}, warn() {}, error() {} } },
      carriers: { email: carrier, sms: carrier, in_app: carrier },
    } as unknown as JobContext
    const send = () => sendOnce(context, { ...message, key: 'notice', subject: 's', text: 't' })
    expect((await Promise.all([send(), send()])).sort()).toEqual(['sent', 'unclear'])
    expect(taken).toEqual(['notice'])
  })

  it('allow a phone three texts about a journey in an hour', async () => {
    const PHONE = '+436641234567'
    const { user_id } = world.people.uri
    await admin.query('update users set mobile_phone = $1 where id = $2', [PHONE, user_id])
    const text = { channel: 'sms' as const, to: PHONE, about: { user_id, journey_id: id } }
    const held = []
    for (const key of ['1', '2', '3', '4'])
      held.push(await inAcme((scope) => beginMessage(scope, { ...text, key }, 'begun')))
    expect(held.map((until) => until !== null)).toEqual([false, false, false, true])
  })
})

describe('A deactivated company', () => {
  it('holds a sponsor’s encouragement until it is active again', async () => {
    await encourage()
    await admin.query(`update tenants set status = 'inactive'`)
    await drain()
    await admin.query(`update tenants set status = 'active'`)
    expect(to('uri')).toEqual([])
    await admin.query('update graphile_worker._private_jobs set run_at = now()')
    await drain()
    expect(to('uri')).toHaveLength(1)
  })
})

describe('A mail stop or a bounce', () => {
  it('makes the database refuse e-mails about journeys, but not texts or account messages', async () => {
    const about = { user_id: world.people.uri.user_id, journey_id: id, channel: 'email' as const }
    const begin = (key: string, channel: 'email' | 'sms' = 'email') =>
      inAcme((scope) => beginSent(scope, key, 'begun', { ...about, channel }))
    const send = () =>
      inAcme(async ({ db }) => {
        await db.updateTable('dispatches').set({ state: 'planned', address: null }).execute()
        const address = world.people.uri.email
        await db.updateTable('dispatches').set({ state: 'sending', address }).execute()
      })
    await admin.query(`update dispatches set state = 'planned', sent_at = null`)
    await begin('before')
    await send()
    for (const make of [() => stop('uri', id), () => stop('uri', null), () => bounced('uri')]) {
      await make()
      await expect(begin(`refused ${make}`)).rejects.toThrow(/stopped/)
      await expect(send()).rejects.toThrow(/stopped/)
      await begin(`a text ${make}`, 'sms')
      await admin.query('delete from mail_stops')
      await admin.query('delete from address_events')
    }
    await stop('uri', null)
    // Messages about an account are still sent: a code, a notice.
    await inAcme((scope) => keepSent(scope, 'a code', 'begun'))
    await admin.query('delete from mail_stops')
    await bounced('uri')
    await admin.query(
      `insert into address_events (tenant_id, address, kind) values ($1, $2, 'tried_again')`,
      [...[world.acme, world.people.uri.email]],
    )
    await begin('again')
  })

  it('keeps a sponsor’s encouragement from a learner, and the Monday e-mail from a sponsor', async () => {
    for (const make of [() => stop('uri', id), () => stop('uri', null), () => bounced('uri')]) {
      await encourage()
      await make()
      await drain()
      expect(to('uri')).toEqual([])
      for (const table of ['mail_stops', 'address_events', 'encouragements'])
        await admin.query(`delete from ${table}`)
    }
    await overdue()
    for (const make of [() => stop('aya', null), () => bounced('aya')]) {
      await make()
      await brief()
      await drain()
      expect(to('aya')).toEqual([])
      for (const table of ['mail_stops', 'address_events', 'monday_mails', 'sent_messages'])
        await admin.query(`delete from ${table}`)
    }
    await brief()
    await drain()
    expect(to('aya')).toHaveLength(1)
  })
})

describe('A sponsor’s Monday e-mail', () => {
  it('has an unsubscribe link that stops it alone or all e-mails, and can resume them', async () => {
    await overdue()
    await brief()
    await drain()
    const [mail] = to('aya')
    const token = mail?.letter?.unsubscribe?.split('/').at(-1) ?? ''
    expect(mail?.text).toContain(`Stop these e-mails: ${ORIGIN}/unsubscribe/${token}`)
    expect(openStopLink(token)).toMatchObject({ user_id: world.people.aya.user_id, monday: 'brief' })
    const path = `/mail_stops/${token}`
    const shown = { company: 'Acme', about: 'brief', journey: null }
    expect(await world.must('uri', 'GET', path)).toEqual({ ...shown, stopped: 'none' })
    expect(await world.must('uri', 'POST', path, { stop: 'these', one_click: true })).toEqual({
      ...{ ...shown, stopped: 'these' },
    })
    expect(await world.must('aya', 'GET', '/users/me/notification_preferences')).toMatchObject({
      muted: ['brief'],
    })
    expect(await world.must('aya', 'GET', '/users/me/mail_stops')).toEqual({ all: false, journeys: [] })
    await admin.query('delete from monday_mails')
    await admin.query('delete from sent_messages')
    await brief()
    await drain()
    expect(to('aya')).toHaveLength(1)
    expect(await world.must('uri', 'POST', path, { stop: 'all' })).toMatchObject({ stopped: 'all' })
    expect(await world.must('uri', 'POST', path, { stop: 'none' })).toMatchObject({ stopped: 'none' })
    await admin.query('delete from sent_messages')
    carrier.taken.length = 0
    await brief()
    await drain()
    expect(to('aya')).toHaveLength(1)
  })
})
