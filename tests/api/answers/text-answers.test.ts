/** Replies to a lift's text: each is taken as the answer, or gets the choices as a reply. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import { receiveText } from '#app/domain/text-answers/receive-text.server.ts'
import { createHooks } from '#app/process/carrier-hooks.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { tellHooks } from '#tests/fakes/twilio-hook.ts'
import { TOKEN } from '#tests/fakes/twilio-server.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

const URI = '+436641234567'
let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const inAcme = inAcmeOf(() => world)
let texts = 0
const reply = (words: string, key = `t${++texts}`) =>
  inAcme((scope) => receiveText(scope, { from: URI, text: words, key }))

beforeEach(() =>
  inAcme(async (scope) => {
    const { db } = scope
    const user_id = world.people.uri.user_id
    await db.deleteFrom('journeys').execute()
    await db.deleteFrom('inbound_texts').execute()
    await sql`update users set timezone = ${zoneAt(13)}, accepted_terms_on = now(),
      mobile_phone = case when id = ${user_id} then ${URI} end`.execute(db)
    await settleConsent(scope, { number: URI, user_id, action: 'opt_in', source: 'profile' })
  }),
)

async function texted(title: string, options: { hears?: boolean; more?: object } = {}) {
  const { hears = true, more = {} } = options
  const made = await world.draft(['uri'], { name: title, channels: ['sms', 'email'] }, { title, ...more })
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true })
  const { taken, carrier } = createTestCarrier()
  const sms = { ...carrier, hearsReplies: hears }
  await world.drain({ sms, email: carrier })
  return { ...made, text: taken.find((one) => one.channel === 'sms')?.text ?? '' }
}
/** A person gets one lift a day, so the earlier ones are moved to the days before. */
const aDayAgo = () =>
  inAcme(({ db }) =>
    sql`update dispatches set sent_at = sent_at - interval '1 day', due_at = due_at - interval '1 day'`.execute(
      db,
    ),
  )
/** Sets the clock ahead, as in the testing tenant. */
const byTheClock = (ahead: number) =>
  inAcme(({ db }) => sql`update tenants set is_testing = ${ahead > 0}, clock_ahead_ms = ${ahead}`.execute(db))
const answers = async (lift: number) =>
  (await world.must('adam', 'GET', `/lifts/${lift}/responses`)).data.map(
    (one: { words: string }) => one.words,
  )

describe('The text of a lift with one question', () => {
  it('asks the question and says who can read the answer', async () => {
    const { text } = await texted('Asked')
    expect(text).toContain('\nWhat comes first? Reply A for Listening, B for Talking. ')
    expect(text).toContain("This journey's author and your administrators can read your answer.")
  })

  it('does not ask the question if replies are not received or the terms are not accepted', async () => {
    expect((await texted('Deaf', { hears: false })).text).not.toContain('Reply A')
    await aDayAgo()
    await inAcme(({ db }) => sql`update users set accepted_terms_on = null`.execute(db))
    expect((await texted('No terms')).text).not.toContain('Reply A')
    expect(await reply('A')).toMatchObject({
      reading: 'unclear',
      reply: expect.stringContaining('accept the terms'),
    })
  })
})

describe('A reply', () => {
  it('is stored as the answer, confirmed in words, and counted once even if it arrives twice', async () => {
    const { lift } = await texted('Talks')
    const first = await reply('a.', 'same')
    expect(first).toEqual({
      reading: 'answer',
      reply: expect.stringMatching(/^Acme: For "Talks" we understood: Listening\..* Right, always\.$/),
    })
    expect(await reply('a.', 'same')).toEqual({ reading: 'other', reply: null })
    expect(await answers(lift)).toEqual(['Listening'])
    const page = await world.must('uri', 'GET', `/lifts/${lift}/page`)
    expect(page.state).toBe('completed')
    const log = await inAcme(({ db }) =>
      db.selectFrom('audit_events').selectAll().where('action', '=', 'lift.answered').orderBy('id').execute(),
    )
    expect(JSON.stringify(log.at(-1))).toContain('"by":"text"')
    expect(log.at(-1)?.actor_id).toBe(world.people.uri.user_id)
  })

  it('that fits no option gets the choices as a reply, at most three times a day', async () => {
    const { lift } = await texted('Unclear')
    for (let i = 0; i < 3; i += 1)
      expect(await reply('no idea')).toEqual({
        reading: 'unclear',
        reply: 'Acme: That did not answer "Unclear". What comes first? Reply A for Listening, B for Talking.',
      })
    expect(await reply('no idea')).toEqual({ reading: 'other', reply: null })
    expect(await answers(lift)).toEqual([])
    await byTheClock(2 * 86_400_000)
    expect(await reply('no idea')).toMatchObject({ reading: 'unclear' })
    await byTheClock(0)
    expect(await reply('talking')).toMatchObject({ reading: 'answer' })
    expect(await answers(lift)).toEqual(['Talking'])
  })

  it('answers the latest of two open lifts, says so, and asks the other question next', async () => {
    const older = await texted('Older')
    await aDayAgo()
    const newer = await texted('Newer')
    const { reply: said } = await reply('B')
    expect(said).toContain('For "Newer" we understood: Talking.')
    expect(said).toContain('Still open: "Older". What comes first? Reply A for')
    expect([await answers(newer.lift), await answers(older.lift)]).toEqual([['Talking'], []])
    expect((await reply('A')).reply).toContain('For "Older" we understood: Listening.')
    expect((await reply('A')).reply).toContain('has your answer already')
    expect([await answers(newer.lift), await answers(older.lift)]).toEqual([['Talking'], ['Listening']])
  })

  it('to a closed lift is told that it is closed', async () => {
    const { lift } = await texted('Closed')
    await inAcme(({ db }) => sql`update occurrences set closes_at = now()`.execute(db))
    expect(await reply('A')).toMatchObject({
      reading: 'unclear',
      reply: expect.stringContaining('"Closed" is closed'),
    })
    expect(await answers(lift)).toEqual([])
  })

  it('with a null character is read without it', async () => {
    await texted('Odd signs')
    expect(await reply('\0A')).toMatchObject({ reading: 'answer' })
    expect(await reply('ST\0OP')).toMatchObject({ reading: 'stop' })
  })

  it('that is longer than its confirmation is stored in full, even if an emoji is where it is cut', async () => {
    const { lift } = await texted('In words')
    await inAcme(({ db }) =>
      sql`update lift_versions set content = replace(content::text, '"single_choice"', '"short_text"')::jsonb`.execute(
        db,
      ),
    )
    for (const before of [155, 156, 157]) {
      const words = `${'x'.repeat(before)}😀 and so on`
      await inAcme(({ db }) => sql`update occurrences set state = 'sent', completed_at = null`.execute(db))
      const { reading, reply: said } = await reply(words)
      expect([reading, said?.isWellFormed()]).toEqual(['answer', true])
      expect(await answers(lift)).toEqual([words])
    }
  })

  it('of HELP, START, YES or STOP is a command, and no reply after STOP is an answer', async () => {
    const { lift } = await texted('Words')
    for (const [word, reading] of [
      ['HELP', 'help'],
      ['start', 'start'],
      ['yes', 'start'],
      ['Stop', 'stop'],
    ] as const)
      expect((await reply(word)).reading).toBe(reading)
    expect(await reply('A')).toEqual({ reading: 'other', reply: null })
    expect(await answers(lift)).toEqual([])
  })

  it('of YES is an answer when it is one of the options', async () => {
    const made = await texted('Agree', { more: {} })
    await inAcme(({ db }) =>
      sql`update lift_versions set content = replace(content::text, 'Talking', 'Yes')::jsonb`.execute(db),
    )
    expect(await reply('Yes')).toMatchObject({
      reading: 'answer',
      reply: expect.stringContaining('understood: Yes'),
    })
    expect(await answers(made.lift)).toHaveLength(1)
  })
})

it('A reply from a number of two companies goes to the last that texted it, or whose journey it names', async () => {
  const { lift, id } = await texted('Ours')
  const inGlobex = <Result>(work: (scope: Scope) => Promise<Result>) =>
    inScope(world.database.app, systemActor(world.globex), work)
  const greta = world.people.greta.user_id
  await inGlobex(async (scope) => {
    await sql`update users set mobile_phone = ${URI} where id = ${greta}`.execute(scope.db)
    await settleConsent(scope, { number: URI, user_id: greta, action: 'opt_in', source: 'profile' })
  })
  const config = {
    TWILIO_AUTH_TOKEN: TOKEN,
    SMS_CARRIER: 'twilio' as const,
    PUBLIC_ORIGIN: 'https://learn.example',
  }
  const hooks = createHooks({ config: config as never, databases: { app: world.database.app } })
  const tell = tellHooks(hooks, config.PUBLIC_ORIGIN)
  const kept = (work: typeof inAcme) =>
    work(({ db }) => db.selectFrom('inbound_texts').select('reading').orderBy('id').execute())
  expect(await tell({ From: URI, Body: 'B', MessageSid: 'SM-two-1' })).toBe(200)
  expect(await tell({ From: URI, Body: 'B', MessageSid: 'SM-two-1' })).toBe(200)
  expect(await answers(lift)).toEqual(['Talking'])
  expect([await kept(inAcme), await kept(inGlobex)]).toEqual([[{ reading: 'answer' }], []])
  const theirs = await world.must('greta', 'POST', '/lljs', { name: 'Theirs' })
  await inGlobex(({ db }) => sql`update journeys set status = 'active'`.execute(db))
  await world.must('greta', 'POST', `/lljs/${theirs.id}/members`, { user_ids: [greta] })
  await inAcme(({ db }) => db.deleteFrom('inbound_texts').execute())
  for (const named of [theirs.id, id])
    expect(await tell({ From: URI, Body: `STOP J${named}`, MessageSid: `SM-two-${named}` })).toBe(200)
  expect([await kept(inAcme), await kept(inGlobex)]).toEqual([[{ reading: 'leave' }], [{ reading: 'leave' }]])
  expect(await tell({ From: URI, Body: 'STOP', MessageSid: 'SM-two-3' })).toBe(200)
  expect(await kept(inGlobex)).toEqual([{ reading: 'leave' }, { reading: 'stop' }])
})
