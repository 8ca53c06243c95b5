/** A carrier that is unavailable or hangs does not affect the messages of others. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addJob } from '#app/db/queue.server.ts'
import type { Carriers, Message } from '#app/integrations/carrier.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import { sendPatiently } from '#app/process/carriers.server.ts'
import { type Behavior, startTwilio } from '#tests/fakes/twilio-server.ts'
import { type CarriersWorld, createCarriersWorld, MAILS, PATIENCE, TEXTS } from './carriers-world.ts'

/** A hanging carrier delays no other message by more than this. */
const SOON = { timeout: 5_000, interval: 20 }

let world: CarriersWorld
let mails: CarriersWorld['mails']
let twilio: Awaited<ReturnType<typeof startTwilio>>
let behavior: Behavior
let running: Workers | undefined
let carriers: Carriers
const logged: string[] = []

beforeAll(async () => {
  world = await createCarriersWorld()
  mails = world.mails
})
afterAll(() => world?.drop())
beforeEach(async () => {
  behavior = 'take'
  twilio = await startTwilio(() => behavior)
  logged.length = 0
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await twilio.stop()
  await expect.poll(() => mails.connected(), PATIENCE).toBe(0)
  await world.forget()
}, 60_000)

const write = (fields: Record<string, unknown>) =>
  void logged.push(`${fields.event} ${fields.carrier ?? ''}`.trim())
const log = { info: write, warn: write, error: write }

async function start(url = twilio.url): Promise<Workers> {
  const started = await world.start(url, log)
  carriers = started.carriers
  running = started.workers
  return running
}

describe('A text carrier that accepts connections and never answers', () => {
  beforeEach(() => {
    behavior = 'hang'
  })

  it('delays no e-mails, leaves four texts unknown, and gets the other texts once it answers again', async () => {
    await start()
    await world.launch('sms')
    await expect.poll(() => twilio.hanging(), PATIENCE).toBeGreaterThan(0)
    await world.launch('email')
    await expect.poll(() => mails.taken.length, PATIENCE).toBe(MAILS)
    const texts = twilio.asked.filter((one) => one.method === 'POST')
    expect([texts.length, twilio.taken.length]).toEqual([4, 0])

    await expect.poll(() => logged, PATIENCE).toContain('carrier.away sms')
    expect(await world.states('sms')).toEqual({ planned: TEXTS - 4, sending: 4 })
    behavior = 'take'
    await expect.poll(() => twilio.taken.length, PATIENCE).toBe(TEXTS - 4)
    expect(logged).toContain('carrier.back sms')
    // Those that hung are looked up, and not sent again while their fate is unknown.
    await expect.poll(() => world.states('sms'), PATIENCE).toEqual({ accepted: TEXTS - 4, unknown: 4 })
    expect(new Set(twilio.taken.map((one) => one.to)).size).toBe(TEXTS - 4)
  }, 90_000)

  it('delays no e-mail job, and its own jobs wait without using up attempts', async () => {
    const { lift } = await world.draft(['uri'])
    await start()
    await world.inAcme(async ({ db }) => {
      for (let nth = 1; nth <= 12; nth++)
        await addJob(
          db,
          'send-test',
          { lift_id: lift, phone: `+4366400000${10 + nth}`, key: `t:${nth}` },
          { carrier: 'sms' },
        )
    })
    await expect.poll(() => twilio.hanging(), PATIENCE).toBe(2)
    await world.inAcme(({ db }) =>
      sql`update users set email = 'uri@mail.internal' where id = ${world.people.uri.user_id}`.execute(db),
    )
    await world.inAcme(({ db }) =>
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

  it('lets the workers stop, and the texts it did not answer become unknown', async () => {
    const workers = await start()
    await world.launch('sms')
    await expect.poll(() => twilio.hanging(), PATIENCE).toBe(4)
    running = undefined
    await workers.stop()
    expect(twilio.hanging()).toBeGreaterThan(0)
    expect(await world.states('sms')).toEqual({ planned: TEXTS - 4, unknown: 4 })
  }, 30_000)
})

describe.each([
  ['never sends a greeting', 'HELLO'],
  ['takes an e-mail and never confirms it', 'END'],
] as const)('A mail server that %s', (_what, step) => {
  const hang = () => {
    world.mood.at = (at) => (at === step ? 'hang' : undefined)
  }
  /** Ends the outage; returns how many mails were taken before. */
  const recover = () => {
    world.mood.at = () => undefined
    return mails.taken.length
  }
  const takenBy = () => mails.taken.flatMap(({ to }) => to).sort()

  it('delays no texts, is given up within 20 seconds, and gets each e-mail once', async () => {
    hang()
    await start()
    await world.launch('email')
    await expect.poll(() => mails.connected(), PATIENCE).toBe(4)
    await world.launch('sms')
    await expect.poll(() => twilio.taken.length, SOON).toBe(TEXTS)
    await expect.poll(() => logged, SOON).toContain('carrier.away email')
    expect(await world.states('email')).toEqual({ planned: MAILS - 4, sending: 4 })

    const longest = () => Math.max(0, ...mails.lasted)
    await expect.poll(longest, PATIENCE).toBeGreaterThan(9_000)
    expect(longest()).toBeLessThan(20_000)
    const lost = recover()
    await expect.poll(() => logged, PATIENCE).toContain('carrier.back email')
    const settled = async () => {
      await world.hurry()
      return world.states('email')
    }
    await expect
      .poll(settled, PATIENCE)
      .toEqual({ accepted: MAILS - lost, ...(lost > 0 && { unknown: lost }) })
    expect(new Set(takenBy()).size).toBe(MAILS)
    expect(takenBy()).toHaveLength(MAILS)
    // Only messages whose fate is unknown are listed for a decision.
    const listed = () => world.must('adam', 'GET', '/unknown_messages')
    await expect.poll(async () => (await listed()).pagination.total, PATIENCE).toBe(lost)
  }, 120_000)

  it('delays no code by text, and gets each code and invitation by e-mail once', async () => {
    hang()
    await start()
    const send = sendPatiently(carriers, { worker: world.database.worker })
    const codeFor = (to: string, channel: Message['channel'] = 'email'): Message => ({
      tenant_id: world.acme,
      key: `identity:${step}:${to}`,
      channel,
      to,
      subject: 'Your code',
      text: 'Your code is 123456.',
    })
    const people = [21, 22, 23, 24, 25, 26].map((n) => `person-${n}@mail.internal`)
    const codes = Promise.allSettled(people.map((to) => send(codeFor(to))))
    await expect.poll(() => mails.connected(), PATIENCE).toBe(people.length)
    await world.inAcme(async ({ db }) => {
      const { user_id } = world.people.uri
      await sql`update users set email = 'uri@mail.internal' where id = ${user_id}`.execute(db)
      await addJob(db, 'invite-user', { user_id, nonce: step }, { carrier: 'email' })
    })
    const began = performance.now()
    await send(codeFor('+436641000001', 'sms'))
    expect(performance.now() - began).toBeLessThan(SOON.timeout)
    expect(twilio.taken).toHaveLength(1)

    await expect.poll(() => logged, PATIENCE).toContain('carrier.away email')
    // A code that is requested now is not handed over, and its visitor does not wait, either.
    await send(codeFor('person-27@mail.internal'))
    recover()
    await codes
    const everybody = [...people, 'person-27@mail.internal', 'uri@mail.internal']
    await expect.poll(takenBy, PATIENCE).toEqual(everybody)
  }, 120_000)
})

describe('A carrier that cannot be reached', () => {
  it('leaves no message unknown, and gets all of them once it can be reached', async () => {
    const { url } = twilio
    await twilio.stop()
    await start(url)
    await world.launch('sms')
    await expect.poll(() => logged, PATIENCE).toContain('carrier.away sms')
    await expect.poll(() => world.states('sms'), PATIENCE).toEqual({ planned: TEXTS })
    twilio = await startTwilio(() => behavior, { port: Number(new URL(url).port) })
    await world.hurry()
    await expect.poll(() => world.states('sms'), PATIENCE).toEqual({ accepted: TEXTS })
    expect(twilio.taken).toHaveLength(TEXTS)
  }, 60_000)
})

describe('A carrier that refuses some numbers', () => {
  it('still gets the texts to other numbers, and does not count as unavailable', async () => {
    // Twilio refuses some numbers, and works otherwise.
    await twilio.stop()
    twilio = await startTwilio(({ fields }) =>
      fields.To?.endsWith('1')
        ? { status: 400, body: { code: 21408, message: 'No permission', status: 400 } }
        : 'take',
    )
    await start()
    await world.launch('sms')
    await expect.poll(() => world.states('sms'), PATIENCE).toEqual({ accepted: TEXTS - 2, failed: 2 })
    expect(logged).not.toContain('carrier.away sms')
  }, 30_000)
})
