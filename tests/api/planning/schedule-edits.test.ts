/** An edit of a launched journey changes the unsent messages exactly as announced before. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  dateIn,
  type JourneysWorld,
  on,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from './zones.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const PREVIOUS = { schedule: { kind: 'offset', from: 'previous_lift_completed', days: 1, time: null } }

/** Three lifts: one sent to both learners, one planned, one waiting for the one before it. */
async function running(name: string) {
  const { id, lift: sent } = await world.draft(['uri', 'aya'], { name, channels: ['email'] })
  const add = async (title: string, more: object): Promise<number> =>
    (
      await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
        title,
        blocks: [{ kind: 'text', markdown: 'Text.' }],
        status: 'ready',
        ...more,
      })
    ).id
  const planned = await add('Planned', on(10))
  const follows = await add('Follows', PREVIOUS)
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true, expected_recipients: 2 })
  await world.drain(createTestCarrier().carriers)
  return { id, sent, planned, follows }
}

type Occurrence = {
  lift_id: number
  member_id: number
  due_at: Date | null
  state: string
  content_version: number
}
const occurrences = (id: number) =>
  inScope(world.database.app, systemActor(world.acme), async ({ db }) => {
    const { rows } =
      await sql<Occurrence>`select lift_id, member_id, due_at, state, content_version from occurrences
      where journey_id = ${id} and state <> 'cancelled'`.execute(db)
    return new Map(rows.map((row) => [`${row.lift_id}:${row.member_id}`, row]))
  })

const impactOf = async (id: number, changes: object) =>
  (await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, { changes })).impact

/** The actual effect on the occurrences of some lifts, by comparison. */
async function effectOf(id: number, lifts: readonly number[], edit: () => Promise<unknown>) {
  const of = async () =>
    new Map(
      [...(await occurrences(id))].filter(([, occurrence]) => lifts.includes(Number(occurrence.lift_id))),
    )
  const before = await of()
  await edit()
  const after = await of()
  const effect = { moved: 0, kept: 0, cancelled: 0, added: 0 }
  for (const [key, occurrence] of before) {
    const now = after.get(key)
    const fate = !now
      ? 'cancelled'
      : now.due_at?.getTime() === occurrence.due_at?.getTime()
        ? 'kept'
        : 'moved'
    effect[fate] += 1
  }
  effect.added = [...after.keys()].filter((key) => !before.has(key)).length
  return effect
}

const put = async (path: string, change: object) => {
  const { lock_version } = await world.must('adam', 'GET', path)
  return world.must('adam', 'PUT', path, { ...change, lock_version })
}

describe('The preview of an edit of a launched journey', () => {
  it('counts the lifts whose text changes; sent lifts keep their text', async () => {
    const { id, sent, planned } = await running('Words')
    const impact = await impactOf(id, {
      lifts: [
        { lift_id: sent, content: true },
        { lift_id: planned, content: true },
      ],
    })
    expect(impact).toEqual({ moved: 0, kept: 4, updated: 2, cancelled: 0, added: 0 })
    await put(`/lifts/${sent}`, { sms_text: 'Other words {{link}}' })
    await put(`/lifts/${planned}`, { sms_text: 'Other words {{link}}' })
    const versions = [...(await occurrences(id)).values()].map((occurrence) => [
      Number(occurrence.lift_id) === sent ? 'sent' : Number(occurrence.lift_id) === planned ? 'planned' : '',
      occurrence.content_version,
    ])
    const { version } = await world.must('adam', 'GET', `/lifts/${planned}`)
    expect(versions.filter(([which]) => which === 'planned').map(([, one]) => one)).toEqual([
      version,
      version,
    ])
    const old = versions.filter(([which]) => which === 'sent').map(([, one]) => Number(one))
    expect(Math.max(...old)).toBeLessThan((await world.must('adam', 'GET', `/lifts/${sent}`)).version)
  })

  it('counts what deleting a lift cancels; sent lifts stay', async () => {
    const { id, sent, planned } = await running('Removal')
    const retire = (lift_id: number) => impactOf(id, { lifts: [{ lift_id, status: 'retired' }] })
    expect(await retire(sent)).toEqual({ moved: 0, kept: 2, updated: 0, cancelled: 0, added: 0 })
    // Its follower then waits for another lift, which nobody has completed either.
    expect(await retire(planned)).toEqual({ moved: 0, kept: 2, updated: 0, cancelled: 2, added: 0 })
    const remove = (lift: number) => () => world.must('adam', 'DELETE', `/lifts/${lift}`)
    expect(await effectOf(id, [planned], remove(planned))).toMatchObject({ kept: 0, cancelled: 2 })
    expect(await effectOf(id, [sent], remove(sent))).toMatchObject({ kept: 2, cancelled: 0 })
  })

  it('counts what another order moves: only lifts that wait for the lift before them', async () => {
    const { id, sent, planned, follows } = await running('Order')
    const prompt = (await world.must('adam', 'GET', `/lifts/${sent}`)).prompts[0].id
    await world.must('uri', 'POST', `/lifts/${sent}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    expect(await impactOf(id, { order: [sent, planned, follows] })).toBeNull()
    const order = [sent, follows, planned]
    const impact = await impactOf(id, { order })
    expect(impact).toEqual({ moved: 1, kept: 1, updated: 0, cancelled: 0, added: 0 })
    const effect = await effectOf(id, [follows], () =>
      world.must('adam', 'PATCH', `/lljs/${id}/lifts/order`, { lift_ids: order }),
    )
    expect(effect).toEqual({ moved: 1, kept: 1, cancelled: 0, added: 0 })
    expect((await impactOf(id, { order: [sent, planned, follows] })).moved).toBe(1)
    // In first place there is no lift to wait for.
    const first = { lift_ids: [follows, sent, planned] }
    const stranded = await world.call('adam', 'PATCH', `/lljs/${id}/lifts/order`, first)
    expect([stranded.status, stranded.json.detail.order]).toEqual([
      422,
      [expect.stringContaining('waits for the lift before it, and there is none')],
    ])
    const wrong = await world.call('adam', 'POST', `/lljs/${id}/schedule/preview`, {
      changes: { order: [sent, planned] },
    })
    expect(wrong.status).toBe(422)
  })

  it('counts what another channel updates, and the edit changes channel and closing time', async () => {
    const { id, planned } = await running('Channel')
    expect(await impactOf(id, { journey: { channels: ['in_app'] } })).toMatchObject({ kept: 6, updated: 4 })
    await put(`/lljs/${id}`, { channels: ['in_app'] })
    const { entries } = await world.must('adam', 'GET', `/lljs/${id}/schedule/preview`)
    const channels = Object.fromEntries(
      entries.map((one: { title: string; channel: string }) => [one.title, one.channel]),
    )
    expect(channels).toMatchObject({ 'Listen first': 'email', Planned: 'in_app', Follows: 'in_app' })
    await put(`/lifts/${planned}`, { closes_after_hours: 5 })
    const closing = await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      db.selectFrom('occurrences').select('closes_at').where('lift_id', '=', planned).execute(),
    )
    expect(closing.every((one) => one.closes_at !== null)).toBe(true)
  })

  it('is right while the journey is paused, and the resume keeps the edited date', async () => {
    const { id, planned } = await running('Paused')
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    const impact = await impactOf(id, { lifts: [{ lift_id: planned, ...on(20) }] })
    expect(impact).toMatchObject({ moved: 2, cancelled: 0 })
    const effect = await effectOf(id, [planned], () => put(`/lifts/${planned}`, on(20)))
    expect(effect).toMatchObject({ moved: 2, cancelled: 0 })
    const states = [...(await occurrences(id)).values()].filter(
      (occurrence) => Number(occurrence.lift_id) === planned,
    )
    expect(states.map((occurrence) => occurrence.state)).toEqual(['held', 'held'])
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    const day = [...(await occurrences(id)).values()].find(
      (occurrence) => Number(occurrence.lift_id) === planned,
    )?.due_at
    expect(day?.toISOString().slice(0, 10)).toBe(dateIn(20))
  })
})

describe('A lift that another one waits for', () => {
  it('cannot be deleted until the other lift is deleted', async () => {
    const { id, lift } = await world.draft([])
    const later = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'Later',
      schedule: { kind: 'after_lift', lift_id: lift, min_hours: 1 },
    })
    const refused = await world.call('adam', 'DELETE', `/lifts/${lift}`)
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      '“Later” waits for this lift: choose another time for it first.',
    ])
    await world.must('adam', 'DELETE', `/lifts/${later.id}`)
    await world.must('adam', 'DELETE', `/lifts/${lift}`)
  })
})

describe('A preview with longer quiet hours of the company', () => {
  it('moves a lift later without saving anything, and rejects malformed hours', async () => {
    const { id } = await world.draft(['uri'], { name: 'Rest', channels: ['email'] }, on(60))
    const reasons = (entry: { why: { code: string }[] }) => entry.why.map((one) => one.code)
    const saved = async () => (await world.must('adam', 'GET', `/lljs/${id}/schedule/preview`)).entries[0]
    const now = await saved()
    const { entries } = await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, {
      changes: { quiet_hours: { from: '18:00', to: '15:00' } },
    })
    expect(reasons(now)).not.toContain('quiet_hours')
    expect(reasons(entries[0])).toContain('quiet_hours')
    expect(entries[0].due_at > now.due_at).toBe(true)
    expect(await saved()).toEqual(now)
    const wrong = await world.call('adam', 'POST', `/lljs/${id}/schedule/preview`, {
      changes: { quiet_hours: { from: '25:00', to: '9' } },
    })
    expect(wrong.status).toBe(422)
  })
})

describe('A message that waits for the end of quiet hours', () => {
  const NUMBER = '+436641234567'
  beforeAll(() =>
    inScope(world.database.app, systemActor(world.acme), async (scope) => {
      const user_id = world.people.uri.user_id
      await sql`update users set timezone = ${zoneAt(22)}, mobile_phone = ${NUMBER} where id = ${user_id}`.execute(
        scope.db,
      )
      await settleConsent(scope, { number: NUMBER, user_id, action: 'opt_in', source: 'profile' })
    }),
  )

  /** One lift sent with the launch, one sent by a person: both wait for the end of quiet hours at nine. */
  async function waiting(name: string) {
    const { id, lift } = await world.draft(
      ['uri'],
      { name, channels: ['sms'] },
      { schedule: { kind: 'manual', at_launch: true } },
    )
    const byHand = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'By hand',
      blocks: [{ kind: 'text', markdown: 'Text.' }],
      status: 'ready',
      schedule: { kind: 'manual' },
    })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lifts/${byHand.id}/send_now`, { member_ids: 'pending' })
    return { id, lift, lifts: [lift, byHand.id as number] }
  }

  it('is not moved by another usual time or other sending days', async () => {
    const { id, lifts } = await waiting('Overnight')
    const changes = { default_send_time: '14:00', send_days: ['Mon'] }
    expect(await impactOf(id, { journey: changes })).toMatchObject({ moved: 0, kept: 2, cancelled: 0 })
    const effect = await effectOf(id, lifts, () => put(`/lljs/${id}`, changes))
    expect(effect).toEqual({ moved: 0, kept: 2, cancelled: 0, added: 0 })
    const { entries } = await world.must('adam', 'GET', `/lljs/${id}/schedule/preview`)
    for (const entry of entries)
      expect(new Date(entry.send_at).getTime()).toBeGreaterThan(Date.now() + 9 * 3_600_000)
  })

  it('moves when its lift gets a later date, and closes as its lift says', async () => {
    const { id, lift, lifts } = await waiting('Later after all')
    await put(`/lifts/${lifts[1]}`, { closes_after_hours: 30 })
    const { rows } = await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      sql<{
        hours: number
      }>`select extract(epoch from closes_at - due_at)::int / 3600 as hours from occurrences
        where lift_id = ${lifts[1]}`.execute(db),
    )
    expect(rows).toEqual([{ hours: 30 }])
    const effect = await effectOf(id, [lift], () => put(`/lifts/${lift}`, on(6)))
    expect(effect).toEqual({ moved: 1, kept: 0, cancelled: 0, added: 0 })
  })

  it('stays held after an edit if it was held for a person to send', async () => {
    const { id, lifts } = await waiting('Held for a person')
    const hold = sql`update occurrences set state = 'held' where journey_id = ${id}`
    await inScope(world.database.app, systemActor(world.acme), ({ db }) => hold.execute(db))
    await put(`/lljs/${id}`, { default_send_time: '15:00' })
    const states = [...(await occurrences(id)).values()].map((occurrence) => occurrence.state)
    expect(states).toEqual(lifts.map(() => 'held'))
  })
})
