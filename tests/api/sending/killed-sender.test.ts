/** The process is killed while many messages of each carrier are in flight; the next process resolves them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTwilio } from '#tests/fakes/twilio-server.ts'
import { type CarriersWorld, createCarriersWorld, MAILS, PATIENCE, TEXTS } from './carriers-world.ts'

/** After this many successes, the full number is sent at once. */
const WELL = 10
const AT_ONCE = 10

let world: CarriersWorld
let twilio: Awaited<ReturnType<typeof startTwilio>>
let isBad = true
beforeAll(async () => {
  world = await createCarriersWorld()
  let texts = 0
  twilio = await startTwilio(({ method }) => {
    if (method !== 'POST' || !isBad || texts++ < WELL) return 'take'
    return texts % 2 === 0 ? 'take and hang' : 'hang'
  })
})
afterAll(async () => {
  await twilio?.stop()
  await world?.drop()
})

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const startSending = () =>
  spawn(process.execPath, ['tests/proofs/carriers-process.ts', world.settingOf(twilio.url)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })

/** Ends the leases of the dead process. */
const leasesEnd = () =>
  world.inAcme(({ db }) =>
    sql`update dispatches set lease_until = now() where state in ('claimed', 'sending')`.execute(db),
  )

/** Lets enough time pass for Twilio's list to contain every text that it took. */
const listsAreWhole = () =>
  world.inAcme(({ db }) =>
    sql`update dispatches set unknown_since = unknown_since - interval '16 minutes', next_attempt_at = now()
      where state = 'unknown' and channel = 'sms'`.execute(db),
  )

const mailed = () => world.mails.taken.flatMap(({ to }) => to)
const texted = () => twilio.taken.map(({ to }) => to)

it('loses no message, sends none twice, and lists the e-mails that may or may not have arrived', async () => {
  let mails = 0
  world.mood.at = (step) => (step === 'END' && mails++ >= WELL ? 'hang' : undefined)
  await world.launch('email')
  await world.launch('sms')
  const dying = startSending()
  await expect
    .poll(() => Math.min(mailed().length - WELL, twilio.hanging()), PATIENCE)
    .toBeGreaterThanOrEqual(AT_ONCE)
  await kill(dying)
  isBad = false
  world.mood.at = () => undefined
  const { sending: lostMails = 0 } = await world.states('email')
  const { sending: lostTexts = 0 } = await world.states('sms')
  expect(Math.min(lostMails, lostTexts)).toBeGreaterThanOrEqual(AT_ONCE)
  const neverTexted = lostTexts - (texted().length - WELL)
  expect(neverTexted).toBeGreaterThan(0)

  await leasesEnd()
  const next = startSending()
  const states = async () => {
    await world.hurry()
    return [await world.states('email'), await world.states('sms')]
  }
  // The mail server cannot be asked about its messages; Twilio can.
  await expect.poll(states, PATIENCE).toEqual([
    { accepted: MAILS - lostMails, unknown: lostMails },
    { accepted: TEXTS - neverTexted, unknown: neverTexted },
  ])
  await listsAreWhole()
  await expect.poll(async () => (await states())[1], PATIENCE).toEqual({ accepted: TEXTS })
  await kill(next)
  expect([texted().length, new Set(texted()).size]).toEqual([TEXTS, TEXTS])
  expect(new Set(mailed()).size).toBe(mailed().length)
  expect(mailed().length).toBeGreaterThanOrEqual(MAILS - lostMails)
  expect((await world.must('adam', 'GET', '/unknown_messages')).pagination.total).toBe(lostMails)
}, 180_000)
