/** Consent to texts: STOP, START and HELP, the profile, and their effect on messages. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { numberStates } from '#app/domain/consent/consents.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import { receiveText } from '#app/domain/text-answers/receive-text.server.ts'
import { CarrierError } from '#app/integrations/carrier.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  on,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const URI = '+436641234567'
let texts = 0
const text = (from: string, words: string, key = `t${++texts}`) =>
  inAcme((scope) => receiveText(scope, { from, text: words, key }))
const stateOf = async (number: string) => (await inAcme((scope) => numberStates(scope, [number]))).get(number)
const say = (action: 'opt_in' | 'opt_out', number = URI) =>
  inAcme((scope) =>
    settleConsent(scope, { number, user_id: world.people.uri.user_id, action, source: 'profile' }),
  )

/** No messages are waiting, it is noon, and only Uri has a phone. */
beforeEach(() =>
  inAcme(async ({ db }) => {
    await db.deleteFrom('journeys').execute()
    await db.deleteFrom('outbox_messages').execute()
    await sql`update users set timezone = ${zoneAt(13)}, mobile_phone = case when id = ${world.people.uri.user_id} then ${URI} end`.execute(
      db,
    )
  }),
)

describe('STOP', () => {
  it('ends texts at once and is confirmed once; lifts then come by e-mail', async () => {
    await say('opt_in')
    const { lift } = await launched({}, on(3))
    expect(await channels()).toEqual(['sms planned'])
    const first = await text(URI, 'Stop. Thank you', 'same')
    expect(first.reading).toBe('stop')
    expect(first.reply).toContain('Acme: You will get no texts')
    expect(await stateOf(URI)).toBe('opted_out')
    // The carrier delivers the reply again, and the person repeats it: neither gets another reply.
    expect((await text(URI, 'Stop. Thank you', 'same')).reply).toBeNull()
    expect((await text(URI, 'STOP')).reply).toBeNull()
    await makeDue()
    await world.drain()
    expect(await messages()).toEqual([
      ['email', world.people.uri.email, expect.stringContaining(`/lift/${lift}`)],
      ['sms', URI, first.reply],
    ])
  })

  it('ends the reminders of a lift that was already sent', async () => {
    await say('opt_in')
    await launched({ reminder_policy: [{ after_hours: 24, channel: 'email' }] })
    await world.drain()
    expect(await channels('reminder')).toEqual(['email planned'])
    await text(URI, 'unsubscribe')
    expect(await channels('reminder')).toEqual(['email suppressed'])
    await makeDue()
    await world.drain()
    expect((await messages()).filter(([, , body]) => body.includes('/lift/'))).toHaveLength(1)
  })

  it('suppresses a reminder planned at the same moment, but not one that a person sends later', async () => {
    await say('opt_in')
    const { lift } = await launched({ reminder_policy: [{ after_hours: 24, channel: 'email' }] })
    await world.drain()
    await text(URI, 'STOP')
    // As if its transaction had begun before the STOP and committed after it.
    await inAcme(({ db }) => sql`update dispatches set state = 'planned' where kind = 'reminder'`.execute(db))
    await makeDue()
    await world.drain()
    expect(await channels('reminder')).toEqual(['email suppressed'])
    await world.must('adam', 'POST', `/lifts/${lift}/remind`)
    await world.drain()
    expect(await channels('reminder')).toEqual(['email suppressed', 'email delivered'])
  })

  it('with a journey’s code withdraws the learner from that journey only, and keeps its answers and texts of others', async () => {
    await say('opt_in')
    const leaves = await launched({ name: 'Leaves' })
    await world.must('adam', 'POST', `/lljs/${leaves.id}/lifts`, {
      ...{ title: 'Next', blocks: [{ kind: 'text', markdown: 'More.' }], status: 'ready', ...on(3) },
    })
    await world.must('uri', 'POST', `/lifts/${leaves.lift}/responses`, {
      responses: [{ prompt_id: leaves.prompt, value: 'a' }],
    })
    const stays = await launched({ name: 'Stays' }, on(4))
    const { reading, reply } = await text(URI, `stop J${leaves.id}`)
    expect([reading, reply]).toEqual(['leave', expect.stringContaining('You have left "Leaves"')])
    expect(await stateOf(URI)).toBe('opted_in')
    const member = async (id: number, withdrawn: boolean) =>
      (await world.must('adam', 'GET', `/lljs/${id}/members?withdrawn=${withdrawn}`)).data.length
    expect([await member(leaves.id, true), await member(stays.id, false)]).toEqual([1, 1])
    expect((await world.must('adam', 'GET', `/lifts/${leaves.lift}/responses`)).data).toHaveLength(1)
    await makeDue()
    await world.drain()
    expect(
      (await messages()).filter(([, , body]) => body.includes('/lift/')).map(([as, , body]) => [as, body]),
    ).toEqual([['sms', expect.stringContaining(`/lift/${stays.lift}`)]])
  })

  it('with a journey’s code leaves a completed journey; repeats and archived journeys only get a reply', async () => {
    await say('opt_in')
    const { id } = await launched({ name: 'Ended' }, on(3))
    await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
    expect((await text(URI, `STOP J${id}`)).reply).toContain('You have left "Ended"')
    expect((await world.must('adam', 'GET', `/lljs/${id}/members?withdrawn=true`)).data).toHaveLength(1)
    const nothing = expect.stringContaining('You no longer get messages of "Ended"')
    expect((await text(URI, `STOP J${id}`)).reply).toEqual(nothing)
    await inAcme(({ db }) => db.updateTable('members').set({ state: 'active', left_at: null }).execute())
    await world.must('adam', 'POST', `/lljs/${id}/archive`, {})
    expect((await text(URI, `STOP J${id}`)).reply).toEqual(nothing)
    const draft = await world.draft(['uri'])
    expect((await text(URI, `STOP J${draft.id}`)).reply).toContain('learning by text')
    await world.drain()
  })

  it('is not recognized within a sentence about something else', async () => {
    await say('opt_in')
    expect(await text(URI, 'I will stop interrupting')).toEqual({ reading: 'other', reply: null })
    expect(await stateOf(URI)).toBe('opted_in')
  })
})

describe('START', () => {
  it('resumes texts with the next lift', async () => {
    await say('opt_out')
    await launched({}, on(3))
    expect(await channels()).toEqual(['email planned'])
    expect((await text(URI, 'start')).reply).toContain('starting with your next lift')
    expect(await stateOf(URI)).toBe('opted_in')
    expect(await channels()).toEqual(['sms planned'])
    await makeDue()
    await world.drain()
    expect((await messages()).map(([as]) => as)).toEqual(['sms', 'sms'])
  })

  it('is answered with “again” only after a STOP', async () => {
    const first = await text(URI, 'start')
    expect([first.reply?.includes('get your lifts and reminders by text'), await stateOf(URI)]).toEqual([
      true,
      'opted_in',
    ])
    expect((await text(URI, 'start')).reply).not.toContain('again')
    await text(URI, 'stop')
    expect((await text(URI, 'start')).reply).toContain('again')
  })

  it('from a number that no account has gets no reply and records no consent', async () => {
    expect((await text('+14155550177', 'START')).reply).toBeNull()
    expect(await stateOf('+14155550177')).toBe('unknown')
  })
})

describe('START and STOP at nearly the same moment', () => {
  const flag = () =>
    inAcme(async ({ db }) => {
      const of = db.selectFrom('users').select('sms_opt_in').where('mobile_phone', '=', URI)
      return (await of.executeTakeFirstOrThrow()).sms_opt_in
    })
  const standing = async () => [await stateOf(URI), await flag()]

  /** Runs `meanwhile` after `first` was executed, and before it is committed. */
  async function amid(first: string, meanwhile: () => Promise<unknown>) {
    let go = () => {}
    const gone = new Promise<void>((resolve) => {
      go = resolve
    })
    let said = () => {}
    const isSaid = new Promise<void>((resolve) => {
      said = resolve
    })
    const holding = inAcme(async (scope) => {
      await receiveText(scope, { from: URI, text: first, key: `t${++texts}` })
      said()
      await gone
    })
    await isSaid
    const then = meanwhile()
    await Promise.race([then, new Promise((resolve) => setTimeout(resolve, 300))])
    go()
    await holding
    return then
  }

  it('take effect in their order, whether by text, on the profile or by an administrator', async () => {
    await say('opt_in')
    const answer = await amid('STOP', () => text(URI, 'START'))
    expect(answer).toMatchObject({ reading: 'start', reply: expect.stringContaining('again') })
    expect(await standing()).toEqual(['opted_in', true])
    await amid('STOP', () => world.must('uri', 'PUT', '/users/me/consents', { sms_opt_in: true }))
    expect(await standing()).toEqual(['opted_in', true])
    await amid('START', () => text(URI, 'STOP'))
    expect(await standing()).toEqual(['opted_out', false])
    const path = `/users/${world.people.uri.user_id}/opt_out`
    await amid('START', () => world.must('adam', 'POST', path, {}))
    expect(await standing()).toEqual(['opted_out', false])
  })

  it('are ordered by when they were received, not by when their transactions began', async () => {
    await say('opt_in')
    await inAcme(async (scope) => {
      await text(URI, 'STOP')
      await receiveText(scope, { from: URI, text: 'START', key: `t${++texts}` })
    })
    expect(await standing()).toEqual(['opted_in', true])
  })
})

describe('HELP', () => {
  it('names the company, a contact and the message frequency, and says how to stop', async () => {
    const { id } = await launched({}, on(3))
    const { reply } = await text(URI, 'help')
    for (const part of [
      'Acme',
      world.people.adam.email,
      'Message frequency varies',
      `STOP J${id}`,
      'Reply STOP',
    ])
      expect(reply).toContain(part)
  })
})

describe('Consent', () => {
  it('given or withdrawn on the profile changes the channel of lifts that are already planned', async () => {
    await say('opt_out')
    await launched({}, on(3))
    const before = await channels()
    await world.must('uri', 'PUT', '/users/me/consents', { sms_opt_in: true })
    expect([before, await channels()]).toEqual([['email planned'], ['sms planned']])
    await world.must('uri', 'PUT', '/users/me/consents', { sms_opt_in: false })
    expect(await channels()).toEqual(['email planned'])
  })

  it('can be given only by the person; an administrator can only withdraw it', async () => {
    await say('opt_out')
    const { lock_version } = await world.must('adam', 'GET', `/users/${world.people.uri.user_id}`)
    const path = `/users/${world.people.uri.user_id}`
    expect((await world.call('adam', 'PUT', path, { sms_opt_in: true, lock_version })).status).toBe(422)
    await say('opt_in')
    await world.must('adam', 'POST', `${path}/opt_out`, {})
    expect(await stateOf(URI)).toBe('opted_out')
    expect((await world.call('aya', 'POST', `${path}/opt_out`, {})).status).toBe(403)
    expect((await world.call('greta', 'POST', `${path}/opt_out`, {})).status).toBe(404)
  })

  it('once withdrawn is not restored by an import, a new journey or another owner of the record', async () => {
    await say('opt_out')
    await inAcme((scope) =>
      settleConsent(scope, { number: URI, user_id: null, action: 'import', source: 'import' }),
    )
    await launched({}, on(3))
    expect([await stateOf(URI), await channels()]).toEqual(['opted_out', ['email planned']])
    await inAcme(({ db }) =>
      sql`update users set mobile_phone = case when id = ${world.people.aya.user_id} then ${URI} end`.execute(
        db,
      ),
    )
    const path = `/users/${world.people.aya.user_id}`
    expect([await stateOf(URI), (await world.must('adam', 'GET', path)).sms_opt_in]).toEqual([
      'opted_out',
      false,
    ])
  })

  it('does not pass to a number’s next owner, but is kept for an owner who removes and re-adds it', async () => {
    await say('opt_in')
    const number = (who: 'uri' | 'aya', mobile_phone: string | null) =>
      inAcme(({ db }) =>
        db.updateTable('users').set({ mobile_phone }).where('id', '=', world.people[who].user_id).execute(),
      )
    const flag = async (who: 'uri' | 'aya') =>
      (
        await inAcme(({ db }) =>
          db
            .selectFrom('users')
            .select('sms_opt_in')
            .where('id', '=', world.people[who].user_id)
            .executeTakeFirstOrThrow(),
        )
      ).sms_opt_in
    await number('uri', null)
    expect(await flag('uri')).toBe(false)
    await number('uri', URI)
    expect([await stateOf(URI), await flag('uri')]).toEqual(['opted_in', true])
    await number('uri', null)
    await number('aya', URI)
    expect([await stateOf(URI), await flag('aya')]).toEqual(['reassigned', false])
  })

  it('does not pass to a new owner even if given while the number was being reassigned', async () => {
    await inAcme(async ({ db }) => {
      await sql`select now()`.execute(db)
      await say('opt_in')
      const mobile_phone = URI
      await db.updateTable('users').set({ mobile_phone }).where('id', '=', world.people.aya.user_id).execute()
    })
    expect(await stateOf(URI)).toBe('reassigned')
  })

  it('ends when the carrier reports an opt-out, and the lift goes by e-mail', async () => {
    await say('opt_in')
    const { lift } = await launched()
    const { carriers, taken } = createTestCarrier((message) => {
      if (message.channel === 'sms') throw new CarrierError('refused', 'opted_out')
    })
    await world.drain(carriers)
    await world.drain(carriers)
    expect(taken.map((one) => [one.channel, one.text.includes(`/lift/${lift}`)])).toEqual([['email', true]])
    expect([await stateOf(URI), await channels()]).toEqual([
      'opted_out',
      ['sms suppressed', 'email accepted'],
    ])
    const events = await inAcme(({ db }) =>
      db.selectFrom('consent_events').select(['action', 'source']).orderBy('id', 'desc').limit(1).execute(),
    )
    expect(events).toEqual([{ action: 'opt_out', source: 'carrier' }])
  })
})

describe('The phones of the testing tenant', () => {
  it('accept texts only from administrators inside that tenant, and no malformed texts', async () => {
    const stop = { from: URI, text: 'STOP' }
    for (const who of ['uri', 'sofia'] as const)
      expect((await world.call(who, 'POST', '/testing/texts', stop)).status).toBe(403)
    expect((await world.call('adam', 'POST', '/testing/texts', stop)).status).toBe(404)
    const inside = { as: world.acme }
    expect((await world.call('sofia', 'POST', '/testing/texts', stop, inside)).status).toBe(404)
    await inAcme(({ db }) => sql`update tenants set is_testing = true`.execute(db))
    const answer = await world.call('sofia', 'POST', '/testing/texts', stop, inside)
    expect([answer.status, answer.json.reading]).toEqual([201, 'stop'])
    for (const wrong of [
      { from: '12', text: 'STOP' },
      { from: URI, text: '' },
      { from: URI },
      { ...stop, x: 1 },
    ])
      expect((await world.call('sofia', 'POST', '/testing/texts', wrong, inside)).status).toBe(422)
    await inAcme(({ db }) => sql`update tenants set is_testing = false`.execute(db))
  })
})

async function launched(journey: object = {}, lift: object = {}) {
  const made = await world.draft(['uri'], { name: 'Texts', channels: ['sms', 'email'], ...journey }, lift)
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true })
  return made
}

const channels = (kind = 'lift') =>
  inAcme(async ({ db }) => {
    const rows = await db
      .selectFrom('dispatches')
      .select(['channel', 'state'])
      .where('kind', '=', kind)
      .orderBy('id')
      .execute()
    return rows.map((row) => `${row.channel} ${row.state}`)
  })

const messages = () =>
  inAcme(async ({ db }) => {
    const rows = await db.selectFrom('outbox_messages').selectAll().orderBy('channel').orderBy('id').execute()
    return rows.map((row) => [row.channel, row.recipient, row.body] as const)
  })

const makeDue = () =>
  inAcme(async ({ db }) => {
    await sql`update occurrences set due_at = now() where state = 'planned'`.execute(db)
    await sql`update dispatches set due_at = now(), next_attempt_at = now() where state = 'planned'`.execute(
      db,
    )
  })

const inAcme = inAcmeOf(() => world)
