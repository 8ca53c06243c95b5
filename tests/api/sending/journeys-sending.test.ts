import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addJob } from '#app/db/queue.server.ts'
import { recordConsent } from '#app/domain/consent/consents.server.ts'
import { rederiveFacts } from '#app/domain/occurrences/facts.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { claimDispatches } from '#app/domain/sending/claims.server.ts'
import {
  busy,
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
  refused,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld

beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())
/** No messages of another test are waiting. */
beforeEach(() => inAcme(({ db }) => db.deleteFrom('journeys').execute()))

const LEARNERS = ['uri', 'aya', 'adam', 'both'] as const

async function launched(learners: readonly (typeof LEARNERS)[number][] = LEARNERS) {
  const journey = await world.draft(learners, { name: `Sent ${Math.random()}` })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  return journey
}

describe('The sender', () => {
  it('sends each message once when three workers race', async () => {
    await launched()
    const { carriers, taken } = createTestCarrier(() => new Promise((done) => setTimeout(done, 5)))
    const workers = await Promise.all([
      world.workers(carriers),
      world.workers(carriers),
      world.workers(carriers),
    ])
    await Promise.all(workers.map((one) => one.drain()))
    await Promise.all(workers.map((one) => one.stop()))
    expect(taken.map((one) => one.to).sort()).toEqual(LEARNERS.map((name) => world.people[name].email).sort())
    expect(await states()).toEqual({ accepted: 4 })
  })

  it('looks up a message that a dead process handed over, instead of sending it again', async () => {
    await launched(['uri'])
    const { carriers, taken, handed } = createTestCarrier()
    const dead = await claimDispatches(world.database.worker, 'dead', { channel: 'email', limit: 10 })
    expect(dead).toHaveLength(1)
    const [claim] = dead
    if (!claim) throw new Error('nothing was claimed')
    const { messages } = await inAcme((scope) => beginSending(scope, [claim.id], 'dead', { origin: ORIGIN }))
    const message = messages.get(claim.id)
    if (!message) throw new Error('nothing left')
    await carriers.email.send(message)
    // The process dies here: the carrier has the message, our database says `sending`.
    const worker = await world.workers(carriers)
    await worker.drain()
    expect([await states(), taken.length]).toEqual([{ sending: 1 }, 1])
    await leaseEnds()
    await worker.drain()
    await worker.stop()
    expect([await states(), taken.length, handed()]).toEqual([{ accepted: 1 }, 1, 1])
  })

  it('leaves a message that the carrier cannot find unknown, unless the carrier sends once per key', async () => {
    await launched(['uri'])
    const deaf = createTestCarrier(() => {
      throw new Error('socket hang up')
    })
    const worker = await world.workers(deaf.carriers)
    await worker.drain()
    expect(await states()).toEqual({ unknown: 1 })
    await leaseEnds()
    await worker.drain()
    await worker.stop()
    expect([await states(), deaf.handed()]).toEqual([{ unknown: 1 }, 1])

    const keyed = createTestCarrier()
    keyed.carrier.sendsOncePerKey = true
    await leaseEnds()
    const second = await world.workers(keyed.carriers)
    await second.drain()
    await second.stop()
    expect([await states(), keyed.taken.length]).toEqual([{ accepted: 1 }, 1])
  })

  it('tries a busy carrier up to six times, and a carrier that refuses only once', async () => {
    await launched(['uri'])
    const overloaded = createTestCarrier(() => {
      throw busy()
    })
    const worker = await world.workers(overloaded.carriers)
    for (let attempt = 1; attempt <= 7; attempt++) {
      await worker.drain()
      await leaseEnds()
    }
    await worker.stop()
    expect([await states(), overloaded.handed()]).toEqual([{ failed: 1 }, 6])

    await inAcme(({ db }) => db.deleteFrom('journeys').execute())
    await launched(['uri'])
    const stubborn = createTestCarrier(() => {
      throw refused()
    })
    const other = await world.workers(stubborn.carriers)
    await other.drain()
    await leaseEnds()
    await other.drain()
    await other.stop()
    expect([await states(), stubborn.handed()]).toEqual([{ failed: 1 }, 1])
  })

  it('releases the messages that it claimed and did not send when it stops', async () => {
    await launched()
    let stopped: Promise<void> | undefined
    // The first message that is handed over stops the sender.
    const slow = createTestCarrier(() => {
      stopped ??= worker.stop()
      return new Promise((done) => setTimeout(done, 50))
    })
    const worker = await world.workers(slow.carriers)
    await worker.drain()
    await stopped
    const { planned = 0, accepted = 0, ...rest } = await states()
    expect([planned, accepted, rest]).toEqual([3, 1, {}])
    const next = await world.workers(slow.carriers)
    await next.drain()
    await next.stop()
    expect([await states(), slow.taken.length]).toEqual([{ accepted: 4 }, 4])
  })

  it('sends nothing twice when its process is killed repeatedly while it sends', {
    timeout: 120_000,
  }, async () => {
    await launched()
    const file = join(mkdtempSync(join(tmpdir(), 'liftwell-kill-')), 'sent')
    for (let kill = 0; kill < 5; kill++) {
      const before = sentKeys(file).length
      const child = startSender(file, '40')
      for (let wait = 0; wait < 150 && sentKeys(file).length === before; wait++)
        await new Promise((done) => setTimeout(done, 20))
      await new Promise((done) => setTimeout(done, kill * 17))
      child.kill('SIGKILL')
      await new Promise((done) => child.once('exit', done))
      await senderIsGone()
      await leaseEnds()
    }
    const child = startSender(file, '0')
    onTestFinished(() => void child.kill('SIGKILL'))
    const underWay = async () => {
      const { accepted, unknown, ...rest } = await states()
      return rest
    }
    await expect.poll(underWay, { timeout: 60_000 }).toEqual({})
    await expect.poll(async () => (await states()).accepted, { timeout: 60_000 }).toBe(sentKeys(file).length)
    child.kill('SIGTERM')
    const keys = sentKeys(file)
    expect(new Set(keys).size).toBe(keys.length)
    // Messages that began and never reached the carrier wait for a person; all others have arrived.
    const { accepted = 0, unknown = 0, ...rest } = await states()
    expect([accepted + unknown, rest]).toEqual([LEARNERS.length, {}])
  })

  it('sends texts only to numbers with consent, and e-mails to the other learners', async () => {
    await inAcme(async (scope) => {
      await scope.db
        .updateTable('users')
        .set({ mobile_phone: '+436641234567' })
        .where('id', '=', world.people.uri.user_id)
        .execute()
      await scope.db
        .updateTable('users')
        .set({ mobile_phone: '+436641234568' })
        .where('id', '=', world.people.aya.user_id)
        .execute()
      await recordConsent(scope, {
        number: '+436641234567',
        user_id: null,
        action: 'opt_in',
        source: 'profile',
      })
    })
    await launched(['uri', 'aya'])
    const { carriers, taken } = createTestCarrier()
    const worker = await world.workers(carriers)
    await worker.drain()
    expect(taken.map((one) => [one.channel, one.to])).toContainEqual(['email', world.people.aya.email])
    expect(taken.some((one) => one.to === '+436641234568')).toBe(false)
    // The text was sent or waits for the morning, depending on the hour; no e-mail is sent in addition.
    expect(taken.filter((one) => one.to === world.people.uri.email)).toEqual([])

    await inAcme(async (scope) => {
      await recordConsent(scope, { number: '+436641234567', user_id: null, action: 'opt_out', source: 'sms' })
      await scope.db.deleteFrom('journeys').execute()
    })
    await launched(['uri'])
    await worker.drain()
    await worker.stop()
    expect(taken.at(-1)).toMatchObject({ channel: 'email', to: world.people.uri.email })
  })

  it('does not send lifts that are seven hours late, nor to a learner who was removed', async () => {
    const { id } = await launched(['uri', 'aya'])
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    const aya = data.find((one: { user_id: number }) => one.user_id === world.people.aya.user_id)
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${aya.id}`)
    await inAcme(({ db }) =>
      sql`update dispatches set due_at = now() - interval '7 hours'
        where occurrence_id in (select id from occurrences where member_id <> ${aya.id})`.execute(db),
    )
    const { carriers, taken } = createTestCarrier()
    const worker = await world.workers(carriers)
    await worker.drain()
    await worker.stop()
    expect([taken.length, await states()]).toEqual([0, { expired: 2 }])
  })
})

describe('Analytics figures', () => {
  it('add up, agree across reports, and stay the same when derived again', async () => {
    const { id } = await launched()
    let nth = 0
    const { carriers } = createTestCarrier(() => {
      nth += 1
      if (nth === 1) throw refused()
      if (nth === 2) throw busy()
    })
    const worker = await world.workers(carriers)
    await worker.drain()
    await worker.stop()
    const overview = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
    const { assigned, accepted, suppressed, failed, expired, pending } = overview.counts
    expect(assigned).toBe(accepted + suppressed + failed + expired + pending)
    expect(overview.counts).toMatchObject({ assigned: 4, accepted: 2, failed: 1, pending: 1 })
    for (const report of ['by_user', 'by_lift']) {
      const { data } = await world.must('adam', 'GET', `/analytics/${report}?journey=${id}`)
      const sum = data.reduce(
        (total: number, row: { counts: { accepted: number } }) => total + row.counts.accepted,
        0,
      )
      expect([report, sum]).toEqual([report, accepted])
    }
    const facts = () =>
      inAcme(({ db }) => db.selectFrom('fact_occurrence').selectAll().orderBy('occurrence_id').execute())
    const before = await facts()
    await inAcme(rederiveFacts)
    expect(await facts()).toEqual(before)
  })
})

describe('Invitations', () => {
  it('invite the person at the provider, store the identity, and are e-mailed once', async () => {
    const add = () =>
      inAcme(({ db }) =>
        sql`select enqueue_job('invite-user', jsonb_build_object('user_id', ${world.people.uri.user_id}::bigint), 'invite-user:1')`.execute(
          db,
        ),
      )
    await add()
    const worker = await world.workers()
    await worker.drain()
    await add()
    await worker.drain()
    await worker.stop()
    expect(world.invited).toEqual([world.people.uri.email])
    const [mail, ...more] = await inAcme(({ db }) =>
      db.selectFrom('outbox_messages').selectAll().where('subject', 'like', 'Welcome%').execute(),
    )
    expect(more).toEqual([])
    expect(mail).toMatchObject({ recipient: world.people.uri.email, subject: 'Welcome to Acme' })
    expect(mail?.body).toContain('/invitation/default/x')
    expect(mail?.body).toContain(`${ORIGIN}/login`)
    const identities = await inAcme(({ db }) =>
      db
        .selectFrom('user_identities')
        .select('subject')
        .where('user_id', '=', world.people.uri.user_id)
        .execute(),
    )
    expect(identities).toEqual([{ subject: `sub-of-${world.people.uri.email}` }])
  })

  it('wait while their company is deactivated', async () => {
    const { user_id, email } = world.people.aya
    const run = async () => {
      const worker = await world.workers()
      await worker.drain()
      await worker.stop()
    }
    await inAcme(({ db }) => sql`update tenants set status = 'inactive'`.execute(db))
    await inAcme(({ db }) =>
      addJob(db, 'invite-user', { user_id }, { key: `invite-user:${user_id}`, carrier: 'email' }),
    )
    await run()
    expect(world.invited).not.toContain(email)
    await inAcme(({ db }) => sql`update tenants set status = 'active'`.execute(db))
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(world.database.worker)
    await run()
    expect(world.invited).toContain(email)
  })

  it('cannot be queued for another tenant, or outside a tenant’s scope', async () => {
    const { user_id, email } = world.people.greta
    await inAcme(({ db }) =>
      addJob(db, 'invite-user', { user_id, tenant_id: world.globex }, { carrier: 'email' }),
    )
    await world.drain()
    expect(world.invited).not.toContain(email)
    const around = inAcme(({ db }) =>
      sql`select graphile_worker.add_job('invite-user', '{}'::json)`.execute(db),
    )
    await expect(around).rejects.toThrow('permission denied')
    const outside = world.database.app
      .transaction()
      .execute((db) => sql`select enqueue_job('invite-user', '{}')`.execute(db))
    await expect(outside).rejects.toThrow("inside a tenant's scope")
  })
})

const inAcme = inAcmeOf(() => world)

async function states(): Promise<Record<string, number>> {
  const rows = await inAcme(({ db }) =>
    db
      .selectFrom('dispatches')
      .select(['state', sql<number>`count(*)`.as('count')])
      .groupBy('state')
      .execute(),
  )
  return Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]))
}

const sentKeys = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

const SENDER = 'a sender to be killed'
const startSender = (file: string, silence: string) => {
  const url = new URL(world.database.workerUrl)
  url.searchParams.set('application_name', SENDER)
  return spawn(process.execPath, ['tests/proofs/sender-process.ts', url.href, file, silence])
}

/** PostgreSQL can still commit what a process requested before it was killed. */
const senderIsGone = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and application_name = ${SENDER}`.execute(world.database.worker)
      return rows.length
    })
    .toBe(0)

/** Lets time pass: all leases and pauses have ended. */
async function leaseEnds(): Promise<void> {
  await inAcme(({ db }) =>
    sql`update dispatches set lease_until = case when lease_until is null then null else now() - interval '1 second' end,
      next_attempt_at = least(next_attempt_at, now())`.execute(db),
  )
}
