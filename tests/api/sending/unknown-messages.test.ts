/** Messages that may or may not have arrived: where they are listed, who sees them, and the decisions about them. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import { recordAccepted } from '#app/domain/sending/receipts.server.ts'
import type { Message } from '#app/integrations/carrier.ts'
import { registry } from '#app/integrations/metrics.server.ts'
import { gaugeUnknown } from '#app/jobs/sending/unknown-gauge.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  refused,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

const NUMBER = '+436641234567'
const LEARNERS = ['uri', 'aya', 'adam', 'both'] as const

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())
/** No messages of another test are waiting, and it is noon. */
beforeEach(() =>
  inAcme(async ({ db }) => {
    await db.deleteFrom('journeys').execute()
    await db.deleteFrom('notifications').execute()
    await sql`update users set timezone = ${zoneAt(13)}, mobile_phone = null`.execute(db)
  }),
)

/** Of four mails two are lost in transit, one is refused, and one arrives. */
async function chaos(more: object = {}, learners: readonly (typeof LEARNERS)[number][] = LEARNERS) {
  const journey = await world.draft(learners, { channels: ['email'], ...more })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  const lost = [world.people.uri.email, world.people.aya.email]
  await send((message) => {
    if (lost.includes(message.to)) throw new Error('socket hang up')
    if (message.to === world.people.adam.email) throw refused()
  })
  await lookedUp()
  return journey
}

describe('After a carrier lost and refused e-mails', () => {
  it('every figure adds up in the schedule and in analytics', async () => {
    const { id, lift } = await chaos()
    const { lifts } = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
    expect(lifts[0]).toMatchObject({
      unknown_messages: 2,
      counts: { assigned: 4, accepted: 1, unknown: 2, failed: 1 },
    })
    for (const path of ['overview', 'by_user', 'by_lift']) {
      const answer = await world.must('adam', 'GET', `/analytics/${path}?journey=${id}`)
      const rows = answer.data ?? [answer]
      const sum = (name: string) =>
        rows.reduce(
          (total: number, row: { counts: Record<string, number> }) => total + (row.counts[name] ?? 0),
          0,
        )
      expect([path, sum('unknown'), sum('failed'), sum('accepted'), sum('pending')]).toEqual([
        path,
        2,
        1,
        1,
        0,
      ])
      expect(sum('assigned')).toBe(
        ['accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending']
          .map(sum)
          .reduce((a, b) => a + b),
      )
    }
    await world.must('adam', 'POST', '/unknown_messages/decisions', {
      decision: 'arrived',
      message_ids: 'all',
      lift,
    })
    const after = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
    expect(after.lifts[0]).toMatchObject({
      unknown_messages: 0,
      counts: { accepted: 3, unknown: 0, failed: 1 },
    })
  })

  it('“Send now” reaches learners whose message failed, but not those whose message is unknown', async () => {
    const { lift } = await chaos()
    const still = await world.must('adam', 'GET', `/lifts/${lift}/send_now`)
    expect(still).toMatchObject({ people: 1, failed: 1, data: [{ has_failed: true }] })
    const ids = await memberIds(lift)
    const taken = await send(
      () => {},
      async () => {
        expect(await sendNow(lift, ids)).toEqual({ planned: 1, is_done: true })
        expect(await sendNow(lift, 'pending')).toEqual({ planned: 0, is_done: true })
      },
    )
    expect(taken).toEqual([world.people.adam.email])
    expect(await sendNow(lift, 'pending')).toEqual({ planned: 0, is_done: true })
  })

  it('“Send now” also reaches learners whose message was marked as not arrived', async () => {
    const { lift } = await chaos()
    const settled = await decide({ decision: 'not_arrived', message_ids: 'all' })
    expect(settled).toEqual({ decided: 2, not: 0, left: 0 })
    const taken = await send(
      () => {},
      async () => {
        expect(await sendNow(lift, 'pending')).toEqual({ planned: 3, is_done: true })
      },
    )
    expect(taken.sort()).toEqual(
      [world.people.uri, world.people.aya, world.people.adam].map((one) => one.email).sort(),
    )
  })

  it('“Send now” sends a failed lift again after its closing time, and lets it close as late as before', async () => {
    const { lift } = await chaos()
    await inAcme(async ({ db }) => {
      await sql`update lifts set closes_after_hours = 24`.execute(db)
      await sql`update occurrences set closes_at = now() - interval '1 hour'`.execute(db)
    })
    const taken = await send(
      () => {},
      async () => {
        expect(await sendNow(lift, 'pending')).toEqual({ planned: 1, is_done: true })
      },
    )
    expect(taken).toEqual([world.people.adam.email])
    const { rows } = await inAcme(({ db }) =>
      sql`select round(extract(epoch from closes_at - now()) / 3600)::int as hours from occurrences o
        join members m on m.id = o.member_id where m.user_id = ${world.people.adam.user_id}`.execute(db),
    )
    expect(rows).toEqual([{ hours: 24 }])
  })
})

describe('The list of unknown messages', () => {
  it('has the newest first, is paged and filtered, and shows each message’s journey, lift, learner, channel and cause', async () => {
    const { id, lift } = await chaos({ name: 'Through the night' })
    const newest = async () =>
      (await list()).data.map((one: { learner: { name: string } }) => one.learner.name)[0]
    for (const first of ['Aya Test', 'Uri Test']) {
      await inAcme(({ db }) =>
        sql`update dispatches set unknown_since = now() where state = 'unknown' and occurrence_id in (
          select o.id from occurrences o join members m on m.id = o.member_id join users u on u.id = m.user_id
          where u.first_name || ' Test' = ${first})`.execute(db),
      )
      expect(await newest()).toBe(first)
    }
    const { data, pagination } = await list('per_page=1')
    expect([data.length, pagination.total, pagination.total_pages]).toEqual([1, 2, 2])
    const all = (await list()).data
    expect(all).toHaveLength(2)
    expect(all[0]).toMatchObject({
      kind: 'lift',
      channel: 'email',
      cause: 'no_answer',
      asked_until: null,
      journey: { id, name: 'Through the night' },
      lift: { id: lift, title: 'Listen first' },
      opened: false,
      why_not: null,
    })
    expect(all.map((one: { learner: { name: string } }) => one.learner.name).sort()).toEqual([
      'Aya Test',
      'Uri Test',
    ])
    expect((await list(`lift=${lift}&channel=email`)).pagination.total).toBe(2)
    for (const nothing of ['lift=999999', 'channel=sms', `journey=${id + 1}`])
      expect((await list(nothing)).pagination.total).toBe(0)
    for (const wrong of ['channel=fax', 'page=0', 'per_page=101', 'lift=x'])
      expect([wrong, (await world.call('adam', 'GET', `/unknown_messages?${wrong}`)).status]).toEqual([
        wrong,
        422,
      ])
  })

  it('accepts any valid time up to which messages are to be sent again', async () => {
    for (const until of ['0000-01-01T00:00:00Z', '2026-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'])
      expect([
        until,
        (await world.call('adam', 'GET', `/unknown_messages/send_again?until=${encodeURIComponent(until)}`))
          .status,
      ]).toEqual([until, 200])
  })

  it('never contains a phone number or an e-mail address', async () => {
    await chaos()
    const { text } = await world.call('adam', 'GET', '/unknown_messages')
    for (const secret of [world.people.uri.email, '@', '+43']) expect(text).not.toContain(secret)
  })

  it('shows people only messages of journeys they manage, and is closed to learners', async () => {
    await chaos({ name: 'Of the middle' })
    const inNorth = await inSubTenant('both')
    const seen = async (who: 'adam' | 'aya' | 'nora' | 'greta', sub: string | null = null) =>
      (await world.must(who, 'GET', '/unknown_messages', undefined, { sub })).data.map(
        (one: { journey: { id: number } }) => one.journey.id,
      )
    expect(await seen('adam')).toHaveLength(3)
    expect(await seen('adam', world.north)).toEqual([inNorth])
    expect(await seen('adam', world.south)).toEqual([])
    expect(await seen('nora')).toEqual([inNorth])
    expect(await seen('greta')).toEqual([])
    expect(await seen('aya')).toEqual([])
    await inAcme(({ db }) =>
      sql`update journeys set author_id = ${world.people.aya.user_id} where id = ${inNorth}`.execute(db),
    )
    expect(await seen('aya')).toEqual([inNorth])
    for (const [method, path, body] of [
      ['GET', '/unknown_messages'],
      ['GET', '/unknown_messages/send_again'],
      ['POST', '/unknown_messages/decisions', { decision: 'arrived', message_ids: 'all' }],
    ] as const)
      expect([path, (await world.call('uri', method, path, body)).status]).toEqual([path, 403])
  })

  it('accepts decisions only from people who see the message', async () => {
    await chaos()
    const [{ id }] = (await list()).data
    for (const who of ['aya', 'nora', 'greta'] as const)
      expect(await decide({ decision: 'arrived', message_ids: [id] }, who)).toEqual({
        decided: 0,
        not: 0,
        left: 0,
      })
    expect((await list()).pagination.total).toBe(2)
  })

  it('hides journeys in which a sub-tenant administrator is only a participant', async () => {
    await chaos({}, ['uri', 'aya', 'nora'] as never)
    expect((await world.must('nora', 'GET', '/unknown_messages')).data).toEqual([])
    expect(await decide({ decision: 'send_again', message_ids: 'all' }, 'nora')).toMatchObject({ decided: 0 })
  })
})

describe('“It arrived”', () => {
  it('marks messages as sent once, records each in the audit log, and lets reminders follow', async () => {
    const { id } = await chaos({ reminder_policy: [{ after_hours: 24, channel: 'email' }] })
    const { data } = await list()
    const ids = data.map((one: { id: number }) => one.id)
    expect(await decide({ decision: 'arrived', message_ids: ids })).toEqual({ decided: 2, not: 0, left: 0 })
    expect(await decide({ decision: 'arrived', message_ids: ids })).toEqual({ decided: 0, not: 0, left: 0 })
    expect(await decide({ decision: 'send_again', message_ids: ids })).toEqual({
      decided: 0,
      not: 0,
      left: 0,
    })
    expect((await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)).counts).toMatchObject({
      accepted: 3,
      unknown: 0,
    })
    const events = await inAcme(({ db }) =>
      db
        .selectFrom('audit_events')
        .select(['subject_type', 'changes'])
        .where('action', '=', 'message.arrived')
        .orderBy('id')
        .execute(),
    )
    expect(
      events
        .slice(-2)
        .map(({ changes }) => (changes as { message: number }).message)
        .sort(),
    ).toEqual(ids.sort())
    expect((await states('reminder')).planned).toBe(3)
  })

  it('is overruled by the carrier’s report of a failure, and then the lift can be sent again', async () => {
    const { lift } = await chaos({}, ['uri'])
    const [{ id }] = (await list()).data
    await decide({ decision: 'arrived', message_ids: [id] })
    await told(id, false)
    expect(await states()).toEqual({ undelivered: 1 })
    const taken = await send(
      () => {},
      async () => {
        expect(await sendNow(lift, 'pending')).toEqual({ planned: 1, is_done: true })
      },
    )
    expect(taken).toEqual([world.people.uri.email])
  })
})

describe('“Send again”', () => {
  it('sends the message once, however often it is requested', async () => {
    await chaos({}, ['uri'])
    const [{ id }] = (await list()).data
    const taken = await send(
      () => {},
      async () => {
        const press = () => decide({ decision: 'send_again', message_ids: [id] })
        const answers = await Promise.all([press(), press(), press(), press()])
        expect(answers.map(({ decided }) => decided).sort()).toEqual([0, 0, 0, 1])
        expect(await decide({ decision: 'send_again', message_ids: 'all' })).toEqual({
          decided: 0,
          not: 0,
          left: 0,
        })
      },
    )
    expect(taken).toEqual([world.people.uri.email])
    expect(await states()).toEqual({ failed: 1, accepted: 1 })
    expect((await list()).pagination.total).toBe(0)
  })

  it('is refused by the database if the first message is unknown again', async () => {
    await chaos({}, ['uri'])
    const [{ id }] = (await list()).data
    await decide({ decision: 'send_again', message_ids: [id] })
    await inAcme(({ db }) => sql`update dispatches set state = 'unknown' where id = ${id}`.execute(db))
    const leave = inAcme(({ db }) =>
      sql`update dispatches set state = 'sending', address = 'x' where resend_of = ${id}`.execute(db),
    )
    await expect(leave).rejects.toThrow('may have arrived')
  })

  it('can be repeated if the new message is lost, too', async () => {
    await chaos({}, ['uri'])
    for (let nth = 0; nth < 3; nth++) {
      const [{ id }] = (await list()).data
      await send(
        () => {
          throw new Error('socket hang up')
        },
        () => decide({ decision: 'send_again', message_ids: [id] }),
      )
      await lookedUp()
    }
    expect(await states()).toEqual({ failed: 3, unknown: 1 })
    const { counts } = await world.must('adam', 'GET', '/analytics/overview')
    expect(counts).toMatchObject({ assigned: 1, unknown: 1 })
  })

  it('is suppressed when the carrier reports that the first message arrived', async () => {
    await chaos({}, ['uri'])
    const [{ id }] = (await list()).data
    await decide({ decision: 'send_again', message_ids: [id] })
    await told(id, true)
    expect(await send(() => {})).toEqual([])
    expect(await states()).toEqual({ delivered: 1, suppressed: 1 })
    const { counts } = await world.must('adam', 'GET', '/analytics/overview')
    expect(counts).toMatchObject({ assigned: 1, accepted: 1, delivered: 1 })
  })

  it('is suppressed when a frozen sender records the first message as accepted after all', async () => {
    await chaos({}, ['uri'])
    const [{ id }] = (await list()).data
    await decide({ decision: 'send_again', message_ids: [id] })
    await inAcme((scope) => recordAccepted(scope, { id, provider_id: 'late' }))
    expect(await send(() => {})).toEqual([])
    expect(await states()).toEqual({ accepted: 1, suppressed: 1 })
    const { counts } = await world.must('adam', 'GET', '/analytics/overview')
    expect(counts).toMatchObject({ assigned: 1, accepted: 1, pending: 0 })
  })

  it('still sends when the carrier reports that the first message did not arrive', async () => {
    await chaos({}, ['uri'])
    const [{ id }] = (await list()).data
    await decide({ decision: 'send_again', message_ids: [id] })
    await told(id, false)
    expect(await send(() => {})).toEqual([world.people.uri.email])
    expect(await states()).toEqual({ failed: 1, accepted: 1 })
  })

  it('checks consent again, and e-mails a learner who opted out meanwhile', async () => {
    await textsTo('uri')
    await chaosOfTexts()
    const [{ id }] = (await list()).data
    await inAcme((scope) =>
      settleConsent(scope, { number: NUMBER, user_id: null, action: 'opt_out', source: 'sms' }),
    )
    expect(await foresee(`message_ids=${id}`)).toMatchObject({ messages: 1, sms: 0, email: 1, fell_back: 1 })
    const taken = await send(
      () => {},
      () => decide({ decision: 'send_again', message_ids: [id] }),
    )
    expect(taken).toEqual([world.people.uri.email])
  })

  it('lets a text wait for the end of quiet hours, and says so beforehand', async () => {
    await textsTo('uri')
    await chaosOfTexts()
    const [{ id }] = (await list()).data
    expect(await foresee()).toMatchObject({ messages: 1, sms: 1, resting: 0 })
    await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(23)}`.execute(db))
    expect(await foresee()).toMatchObject({ messages: 1, sms: 1, resting: 1 })
    const taken = await send(
      () => {},
      () => decide({ decision: 'send_again', message_ids: [id] }),
    )
    expect([taken, await states()]).toEqual([[], { failed: 1, planned: 1 }])
  })

  it('skips learners who left and what is paused, over, retired, done or closed, and counts them', async () => {
    const { id, lift } = await chaos()
    const reset = (change: ReturnType<typeof sql>) => inAcme(({ db }) => change.execute(db))
    for (const [why, change, back] of [
      ['paused', sql`update journeys set status = 'paused'`, sql`update journeys set status = 'active'`],
      ['over', sql`update journeys set status = 'archived'`, sql`update journeys set status = 'active'`],
      ['retired', sql`update lifts set status = 'retired'`, sql`update lifts set status = 'ready'`],
      ['not_active', sql`update members set state = 'withdrawn'`, sql`update members set state = 'active'`],
      ['done', sql`update occurrences set state = 'completed'`, sql`update occurrences set state = 'due'`],
      ['closed', sql`update occurrences set closes_at = now()`, sql`update occurrences set closes_at = null`],
    ] as const) {
      await reset(change)
      expect([why, await foresee(`journey=${id}`)]).toMatchObject([why, { messages: 0, not: { [why]: 2 } }])
      const { data } = await list(`lift=${lift}`)
      expect(data.map((one: { why_not: string }) => one.why_not)).toEqual([why, why])
      const decided = await decide({ decision: 'send_again', message_ids: 'all', journey: id })
      expect([why, decided]).toEqual([why, { decided: 0, not: 2, left: 0 }])
      await reset(back)
    }
    expect(await decide({ decision: 'not_arrived', message_ids: 'all', lift })).toMatchObject({ decided: 2 })
  })

  it('still sends after a pause of its journey', async () => {
    const { id } = await chaos({}, ['uri'])
    await decide({ decision: 'send_again', message_ids: 'all' })
    await world.must('adam', 'POST', `/lljs/${id}/pause`)
    expect(await send(() => {})).toEqual([])
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'skip' })
    expect(await send(() => {})).toEqual([world.people.uri.email])
  })

  it('applies only to messages that were unknown by the given time', async () => {
    await chaos()
    const { data } = await list()
    const until = data.at(-1).unknown_since
    await inAcme(({ db }) =>
      sql`update dispatches set unknown_since = now() + interval '1 minute' where id = ${data[0].id}`.execute(
        db,
      ),
    )
    expect(await decide({ decision: 'send_again', message_ids: 'all', until })).toMatchObject({ decided: 1 })
  })

  it('is rejected if the decision is malformed', async () => {
    for (const wrong of [
      {},
      { decision: 'maybe', message_ids: 'all' },
      { decision: 'arrived', message_ids: [] },
      { decision: 'arrived', message_ids: ['1'] },
      { decision: 'arrived', message_ids: 'all', until: 'yesterday' },
      { decision: 'arrived', message_ids: 'all', tenant_id: world.globex },
    ])
      expect((await world.call('adam', 'POST', '/unknown_messages/decisions', wrong)).status).toBe(422)
  })
})

describe('The administrators of a journey', () => {
  const told = () =>
    inAcme(async ({ db }) => {
      const rows = await db
        .selectFrom('notifications')
        .select(['user_id', 'has_read', 'content', 'notification_type'])
        .where(sql<boolean>`content ->> 'path' = '/messages/unconfirmed'`)
        .orderBy('user_id')
        .execute()
      return rows.map(({ content, ...row }) => ({
        ...row,
        ...(content as { message: string; path: string }),
      }))
    })
  const tell = async () => {
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(world.database.worker)
    await send(() => {})
  }

  it('get one notification for many messages, and a new one only after they have read it', async () => {
    const { adam, nora, both } = world.people
    await chaos()
    await tell()
    const two = { notification_type: 'warning', path: '/messages/unconfirmed' }
    expect(await told()).toMatchObject([
      { ...two, user_id: adam.user_id, message: expect.stringMatching(/^2 messages may not have arrived/) },
    ])
    await inSubTenant('both')
    await tell()
    const count = (user_id: number, message: string) => ({
      user_id,
      message: expect.stringContaining(message),
    })
    expect(await told()).toMatchObject([
      count(adam.user_id, '3 messages'),
      count(nora.user_id, '1 message may'),
      count(both.user_id, '1 message may'),
    ])
    await tell()
    expect(await told()).toHaveLength(3)
    await inAcme(({ db }) => db.updateTable('notifications').set({ has_read: true }).execute())
    await inSubTenant('both')
    await tell()
    expect((await told()).filter(({ has_read }) => !has_read)).toMatchObject([
      count(adam.user_id, '4 messages'),
      count(nora.user_id, '2 messages'),
      count(both.user_id, '2 messages'),
    ])
  })
})

it('The messages_unknown gauge counts unknown messages of all companies by channel', async () => {
  const end = gaugeUnknown(world.database.worker)
  await chaos()
  const line = async () =>
    (await registry.metrics()).split('\n').filter((one) => one.startsWith('messages_unknown'))
  expect(await line()).toEqual(['messages_unknown{channel="sms"} 0', 'messages_unknown{channel="email"} 2'])
  const add = (path: string, body: object) => world.must('greta', 'POST', path, body)
  await inScope(world.database.app, systemActor(world.globex), ({ db }) =>
    sql`update tenants set llj_categories = '{Sales}' where id = ${world.globex}`.execute(db),
  )
  const { id } = await add('/lljs', { name: 'Of Globex', category: 'Sales', channels: ['email'] })
  await add(`/lljs/${id}/lifts`, {
    title: 'One',
    blocks: [{ kind: 'text', markdown: 'Text.' }],
    status: 'ready',
  })
  await add(`/lljs/${id}/members`, { user_ids: [world.people.greta.user_id] })
  await add(`/lljs/${id}/launch`, { send_now: true })
  await send(() => {
    throw new Error('socket hang up')
  })
  expect(await line()).toContain('messages_unknown{channel="email"} 3')
  end()
  expect(await line()).toEqual([])
})

it('An erased learner’s name is not in the list, and no message can be sent to them again', async () => {
  await chaos({}, ['uri'])
  await world.must('adam', 'POST', `/users/${world.people.uri.user_id}/erasure`, {})
  const { data } = await list()
  expect(data).toMatchObject([{ why_not: 'not_active' }])
  expect(JSON.stringify(data)).not.toMatch(/Uri|uri@/)
  expect(await decide({ decision: 'send_again', message_ids: 'all' })).toMatchObject({ decided: 0, not: 1 })
})

const inAcme = inAcmeOf(() => world)

const list = (query = '') => world.must('adam', 'GET', `/unknown_messages?${query}`)
const foresee = (query = '') => world.must('adam', 'GET', `/unknown_messages/send_again?${query}`)
const decide = (body: object, who: 'adam' | 'aya' | 'nora' | 'greta' = 'adam') =>
  world.must(who, 'POST', '/unknown_messages/decisions', body)
const sendNow = (lift: number, member_ids: unknown) =>
  world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids })

/** Runs `first`, then the sender; returns the recipients whose messages the carrier took. */
async function send(behave: (message: Message) => void, first?: () => Promise<unknown>): Promise<string[]> {
  await first?.()
  const { carriers, taken } = createTestCarrier(behave)
  const worker = await world.workers(carriers)
  await worker.drain()
  await worker.stop()
  return taken.map(({ to }) => to)
}

/** Ends the look-ups, which find nothing here, so that people have to decide. */
async function lookedUp(): Promise<void> {
  await inAcme(({ db }) =>
    sql`update dispatches set next_attempt_at = now() where state = 'unknown' and next_attempt_at < 'infinity'`.execute(
      db,
    ),
  )
  await send(() => {})
}

async function textsTo(name: 'uri'): Promise<void> {
  const { user_id } = world.people[name]
  await inAcme(async (scope) => {
    await sql`update users set mobile_phone = ${NUMBER} where id = ${user_id}`.execute(scope.db)
    await settleConsent(scope, { number: NUMBER, user_id, action: 'opt_in', source: 'profile' })
  })
}

async function chaosOfTexts() {
  const journey = await world.draft(['uri'], { channels: ['sms'] })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  await send(() => {
    throw new Error('socket hang up')
  })
  await lookedUp()
}

async function inSubTenant(name: 'both'): Promise<number> {
  const journey = await world.draft([name], { channels: ['email'], name: 'Of North' }, {}, world.north)
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true }, { sub: world.north })
  await send(() => {
    throw new Error('socket hang up')
  })
  await lookedUp()
  return journey.id
}

const memberIds = async (lift: number) => {
  const rows = await inAcme(({ db }) =>
    db.selectFrom('occurrences').select('member_id').where('lift_id', '=', lift).execute(),
  )
  return rows.map((row) => row.member_id)
}

const told = (id: number, delivered: boolean) =>
  inAcme((scope) =>
    recordDelivery(scope, `${world.acme}:${id}`, { provider_id: `SM${id}`, delivered, code: null }),
  )

async function states(kind = 'lift'): Promise<Record<string, number>> {
  const rows = await inAcme(({ db }) =>
    db
      .selectFrom('dispatches')
      .select(['state', sql<number>`count(*)`.as('count')])
      .where('kind', '=', kind)
      .groupBy('state')
      .execute(),
  )
  return Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]))
}
