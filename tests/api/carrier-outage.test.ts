/** What a carrier that is away, or hangs, does to the messages of others: nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setSecret, unseal } from '#app/auth/seal.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import { createCarriers } from '#app/process/carriers.server.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { ACCOUNT, type Behavior, startTwilio, TOKEN } from '#tests/support/twilio-server.ts'
import { createJourneysWorld, type JourneysWorld, ORIGIN } from './journeys-world.ts'
import { zoneAt } from './zones.ts'

const TEXTS = 20
const MAILS = 40
const PATIENCE = { timeout: 60_000, interval: 50 }

let world: JourneysWorld
let mails: Awaited<ReturnType<typeof startMailServer>>
let twilio: Awaited<ReturnType<typeof startTwilio>>
let behavior: Behavior
let running: Workers | undefined
const logged: string[] = []
const DATA_DIR = mkdtempSync(join(tmpdir(), 'liftwell-outage-'))

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  world = await createJourneysWorld()
  mails = await startMailServer()
  await inAcme(({ db }) =>
    sql`insert into users (tenant_id, email, first_name, last_name, activation_status, timezone, mobile_phone)
      select ${world.acme}, 'person-' || n || '@mail.internal', 'Person', 'Test', 'active', ${zoneAt(13)},
        case when n <= ${TEXTS} then '+43664' || (1000000 + n) end from generate_series(1, ${TEXTS + MAILS}) n`.execute(
      db,
    ),
  )
  await inAcme(({ db }) =>
    sql`insert into consent_events (tenant_id, number, user_id, action, source)
      select tenant_id, mobile_phone, id, 'opt_in', 'profile' from users where mobile_phone is not null`.execute(
      db,
    ),
  )
})
afterAll(async () => {
  await mails?.stop()
  await world?.drop()
  rmSync(DATA_DIR, { recursive: true, force: true })
})
beforeEach(async () => {
  behavior = 'take'
  twilio = await startTwilio(() => behavior)
  mails.taken.length = 0
  logged.length = 0
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await twilio.stop()
  await inAcme(({ db }) => db.deleteFrom('journeys').execute())
  await sql`delete from graphile_worker._private_jobs`.execute(world.database.worker)
})

const write = (fields: Record<string, unknown>) =>
  void logged.push(`${fields.event} ${fields.carrier ?? ''}`.trim())

async function start(TWILIO_API_URL = twilio.url): Promise<Workers> {
  const log = { info: write, warn: write, error: write }
  const config = {
    DATA_DIR,
    PUBLIC_ORIGIN: ORIGIN,
    DEMO: false,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'Liftwell <lifts@learn.internal>',
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: '+15551234567',
    TWILIO_API_URL,
  }
  running = await world.workers(createCarriers({ config, databases: world.database, log }), {
    isIdle: false,
    unseal,
    log,
  })
  return running
}

/** A journey that those who have a number, or those who have none, get a message of now. */
async function launch(channel: 'sms' | 'email'): Promise<void> {
  const has = channel === 'sms'
  const { id } = await world.draft([], { name: `By ${channel}`, channels: [channel] })
  const people = await inAcme(({ db }) =>
    db
      .selectFrom('users')
      .select('id')
      .where('first_name', '=', 'Person')
      .where('mobile_phone', has ? 'is not' : 'is', null)
      .execute(),
  )
  await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: people.map((one) => one.id) })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
}

async function states(channel: 'sms' | 'email'): Promise<Record<string, number>> {
  const rows = await inAcme(({ db }) =>
    db
      .selectFrom('dispatches')
      .select(['state', sql<number>`count(*)::int`.as('count')])
      .where('channel', '=', channel)
      .where('kind', '=', 'lift')
      .groupBy('state')
      .execute(),
  )
  return Object.fromEntries(rows.map((row) => [row.state, row.count]))
}

const inAcme = <Result>(work: (scope: Scope) => Promise<Result>): Promise<Result> =>
  inScope(world.database.worker, systemActor(world.acme), work)

describe('A carrier of texts that takes connections and never answers', () => {
  beforeEach(() => {
    behavior = 'hang'
  })

  it('delays no mail, catches a handful of texts, and gets the others once it is back', async () => {
    await start()
    await launch('sms')
    await expect.poll(() => twilio.hanging(), PATIENCE).toBeGreaterThan(0)
    await launch('email')
    await expect.poll(() => mails.taken.length, PATIENCE).toBe(MAILS)
    const texts = twilio.asked.filter((one) => one.method === 'POST')
    expect([texts.length, twilio.taken.length]).toEqual([4, 0])

    await expect.poll(() => logged, PATIENCE).toContain('carrier.away sms')
    expect(await states('sms')).toEqual({ planned: TEXTS - 4, sending: 4 })
    behavior = 'take'
    await expect.poll(() => twilio.taken.length, PATIENCE).toBe(TEXTS - 4)
    expect(logged).toContain('carrier.back sms')
    // Those that hung are looked up, and not sent again while nobody knows.
    await expect.poll(() => states('sms'), PATIENCE).toEqual({ accepted: TEXTS - 4, unknown: 4 })
    expect(new Set(twilio.taken.map((one) => one.to)).size).toBe(TEXTS - 4)
  }, 90_000)

  it('holds up no job of another carrier, and its own wait', async () => {
    const { lift } = await world.draft(['uri'])
    await start()
    await inAcme(async ({ db }) => {
      for (let nth = 1; nth <= 12; nth++)
        await addJob(
          db,
          'send-test',
          { lift_id: lift, phone: `+4366400000${10 + nth}`, key: `t:${nth}` },
          { carrier: 'sms' },
        )
    })
    await expect.poll(() => twilio.hanging(), PATIENCE).toBe(2)
    await inAcme(({ db }) =>
      sql`update users set email = 'uri@mail.internal' where id = ${world.people.uri.user_id}`.execute(db),
    )
    await inAcme(({ db }) =>
      addJob(db, 'invite-user', { user_id: world.people.uri.user_id, nonce: 'here' }, { carrier: 'email' }),
    )
    await expect.poll(() => mails.taken.length, PATIENCE).toBe(1)
    expect([twilio.hanging(), twilio.taken.length]).toEqual([2, 0])

    await expect.poll(() => logged, PATIENCE).toContain('carrier.away sms')
    const waiting = async () =>
      (
        await sql<{ attempts: number }>`select attempts from graphile_worker._private_jobs
          where locked_by is null and flags ? 'sms'`.execute(world.database.worker)
      ).rows.map((row) => row.attempts)
    expect(await waiting()).toEqual(Array(10).fill(0))
  }, 60_000)

  it('lets the process end in time', async () => {
    const workers = await start()
    await launch('sms')
    await expect.poll(() => twilio.hanging(), PATIENCE).toBe(4)
    running = undefined
    await workers.stop()
    expect(twilio.hanging()).toBeGreaterThan(0)
    expect(await states('sms')).toEqual({ planned: TEXTS - 4, unknown: 4 })
  }, 30_000)
})

describe('A carrier that cannot be reached', () => {
  it('leaves no message unknown: all leave once it is there', async () => {
    const { url } = twilio
    await twilio.stop()
    await start(url)
    await launch('sms')
    await expect.poll(() => logged, PATIENCE).toContain('carrier.away sms')
    expect(await states('sms')).toEqual({ planned: TEXTS })
    twilio = await startTwilio(() => behavior, { port: Number(new URL(url).port) })
    await inAcme(({ db }) => sql`update dispatches set next_attempt_at = now()`.execute(db))
    await expect.poll(() => states('sms'), PATIENCE).toEqual({ accepted: TEXTS })
    expect(twilio.taken).toHaveLength(TEXTS)
  }, 60_000)
})

describe('A carrier that refuses one tenant', () => {
  it('goes on taking from the others', async () => {
    // Twilio may not text some of the numbers of a tenant; it is as well as ever.
    await twilio.stop()
    twilio = await startTwilio(({ fields }) =>
      fields.To?.endsWith('1')
        ? { status: 400, body: { code: 21408, message: 'No permission', status: 400 } }
        : 'take',
    )
    await start()
    await launch('sms')
    await expect.poll(() => states('sms'), PATIENCE).toEqual({ accepted: TEXTS - 2, failed: 2 })
    expect(logged).not.toContain('carrier.away sms')
  }, 30_000)
})
