/** The home page's figures: the same as in analytics, in every time zone, and about today and open lifts. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rederiveTallies } from '#app/domain/journeys/tallies.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'

const HOUR = 3_600_000
let world: JourneysWorld
let admin: pg.Client
const carrier = createTestCarrier()

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())
beforeEach(async () => {
  await admin.query('delete from journeys')
  await admin.query('update users set timezone = $1', [zoneAt(13)])
  await admin.query('update tenants set timezone = $1', [zoneAt(13)])
})

const today = (who: 'adam' | 'aya' | 'uri' = 'adam') => world.must(who, 'GET', '/today')
const work = async (who: 'adam' | 'aya' = 'adam') => (await today(who)).work
const drain = () => world.drain(carrier.carriers)
async function launched(more: object = {}, lift: object = {}) {
  const made = await world.draft(
    ['uri', 'aya'],
    { channels: ['email'], ...more },
    { schedule: { kind: 'manual', at_launch: true }, ...lift },
  )
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true })
  await drain()
  return made
}
const answer = (who: 'uri' | 'aya', { lift, prompt }: { lift: number; prompt: number }) =>
  world.must(who, 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id: prompt, value: 'a' }] })
const age = (lift: number, hours: number) =>
  admin.query(
    `with moved as (update occurrences set due_at = now() - make_interval(hours => $2) where lift_id = $1 returning id, due_at)
     update fact_occurrence f set due_at = moved.due_at from moved where f.occurrence_id = moved.id`,
    [lift, hours],
  )

type Week = { week: string; counts: { assigned: number } }

/** Moves each lift to a due date near the edges of weeks in that zone and in UTC, within this hour, or in between. */
async function spread(lifts: readonly number[], zone: string): Promise<void> {
  await admin.query('update tenants set timezone = $1', [zone])
  const since = (of: string) =>
    `extract(epoch from now() - (date_trunc('week', now() at time zone '${of}') at time zone '${of}'))::float8 / 3600`
  const { rows } = await admin.query(`select ${since(zone)} as zoned, ${since('UTC')} as utc`)
  const { zoned, utc } = rows[0]
  const hours = [0.1, zoned - 0.1, zoned + 0.1, utc - 0.1, utc + 0.1, zoned + 168, zoned + 168.2, utc + 167.9]
  hours.push(zoned + 336.1, utc + 335.9, 300, 400, zoned + 503.9, zoned + 504.1)
  for (const [nth, lift] of lifts.entries())
    await admin.query(
      `update fact_occurrence set due_at = now() - make_interval(secs => $2) where lift_id = $1`,
      [lift, Math.max(hours[nth] ?? 1, 0.01) * 3600],
    )
}

describe('The last four weeks', () => {
  it('show the same figures as analytics in every time zone', async () => {
    const made = []
    for (let nth = 0; nth < 14; nth += 1) made.push(await launched({ name: `Week ${nth}` }))
    for (const [nth, one] of made.entries()) if (nth % 3 > 0) await answer('uri', one)
    const zones = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati']
    for (const zone of zones) {
      await spread(
        made.map(({ lift }) => lift),
        zone,
      )
      const shown: Week[] = (await work()).weeks
      const { weeks } = await world.must('adam', 'GET', '/analytics/trend')
      const known = new Map<string, Week>(weeks.map((one: Week) => [one.week, one]))
      expect(shown.map(({ week }) => week)).toHaveLength(4)
      expect([zone, shown.filter(({ counts }) => counts.assigned > 0)]).toEqual([
        zone,
        shown.flatMap(({ week }) => known.get(week) ?? []),
      ])
    }
  }, 240_000)
})

describe('Today', () => {
  it('shows authors only their own journeys, and learners only their lifts to do', async () => {
    const { id } = await launched()
    expect((await work()).running).toMatchObject([{ id, lifts: 1, learners: 2 }])
    expect(await work('aya')).toMatchObject({ running: [], running_total: 0, unanswered: [] })
    expect(
      (await work('aya')).weeks.every((one: { counts: { assigned: number } }) => one.counts.assigned === 0),
    ).toBe(true)
    await admin.query('update journeys set author_id = $1', [world.people.aya.user_id])
    expect((await work('aya')).running_total).toBe(1)
    expect(await today('uri')).toMatchObject({
      ...{ work: null, first_steps: null, learning: { todo: [{ title: 'Listen first' }] } },
    })
  })

  it('lists running journeys by status, the newest first, and drafts by their last edit, five of each', async () => {
    const running: number[] = []
    for (let nth = 0; nth < 7; nth += 1) running.push((await launched({ name: `Running ${nth}` })).id)
    const [first, second, ...others] = running as [number, number, ...number[]]
    await admin.query(`update journeys set status = 'scheduled' where id = $1`, [second])
    await admin.query(`update journeys set status = 'paused' where id = any($1)`, [others.slice(0, 3)])
    const drafts: number[] = []
    for (let nth = 0; nth < 6; nth += 1)
      drafts.push((await world.draft(['uri'], { name: `Draft ${nth}` })).id)
    await admin.query(`update journeys set updated_on = now() + interval '1 hour' where id = $1`, [drafts[1]])
    const ids = (tiles: { id: number }[]) => tiles.map(({ id }) => id)
    const seen = await work()
    const paused = others.slice(0, 3).reverse()
    expect(ids(seen.running)).toEqual([...others.slice(3).reverse(), first, ...paused].slice(0, 5))
    expect(ids(seen.drafts)).toEqual([drafts[1], drafts[5], drafts[4], drafts[3], drafts[2]])
    expect(seen).toMatchObject({ running_total: 7, drafts_total: 6 })
    await admin.query('update journeys set author_id = $1 where id = any($2)', [
      world.people.aya.user_id,
      [second, drafts[0]],
    ])
    expect(await work('aya')).toMatchObject({
      ...{ running: [{ id: second, status: 'scheduled' }], running_total: 1 },
      ...{ drafts: [{ id: drafts[0] }], drafts_total: 1 },
    })
  })

  it('counts lifts and reminders that are sent before midnight, and none of a paused journey', async () => {
    const at = (hours: number) => new Date(Date.now() + hours * HOUR)
    const { id, lift } = await launched()
    const reminder = async (hours: number, seq: number) =>
      admin.query(
        `insert into dispatches (tenant_id, occurrence_id, kind, seq, channel, due_at, next_attempt_at)
        select tenant_id, id, 'reminder', $2, 'email', $3, $3 from occurrences where lift_id = $1`,
        [lift, seq, at(hours)],
      )
    await reminder(2, 1)
    await reminder(30, 2)
    expect((await work()).leaving).toEqual({ lifts: 0, reminders: 2, data: [] })
    await admin.query(`update dispatches set state = 'planned', next_attempt_at = $1 where kind = 'lift'`, [
      at(1),
    ])
    expect((await work()).leaving).toMatchObject({
      ...{ lifts: 2, reminders: 2, data: [{ id: lift, people: 2, journey: { id } }] },
    })
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    expect((await work()).leaving).toEqual({ lifts: 0, reminders: 0, data: [] })
  })

  it('counts learners as behind while an overdue lift is unanswered and still open', async () => {
    const { id, lift, prompt } = await launched()
    expect((await work()).behind).toEqual({ people: 0, journeys: [] })
    await age(lift, 80)
    expect((await work()).behind).toEqual({ people: 2, journeys: [{ id, name: 'Better talks', people: 2 }] })
    await answer('uri', { lift, prompt })
    expect((await work()).behind.people).toBe(1)
    await admin.query(`update fact_occurrence set closes_at = now() - interval '1 minute'`)
    expect((await work()).behind.people).toBe(0)
  })

  it('does not count learners as behind before the lift has reached them', async () => {
    const { id, lift } = await launched()
    await age(lift, 80)
    const stands = (state: string) =>
      admin.query('update fact_occurrence set state = $1 where lift_id = $2 and user_id = $3', [
        ...[state, lift, world.people.uri.user_id],
      ])
    const behind = async () => {
      const explained = await world.must(
        'adam',
        'GET',
        `/analytics/explain?figure=completion&outcome=behind&journey=${id}`,
      )
      const shown = await work()
      return [shown.behind.people, explained.learners, explained.pagination.total]
    }
    await stands('due')
    expect(await behind()).toEqual([1, 1, 1])
    // A suppressed lift is in the learner's to-do list without a message.
    await stands('suppressed')
    expect(await behind()).toEqual([2, 2, 2])
    await admin.query(`update fact_occurrence set closes_at = now() + interval '1 day'`)
    expect(await behind()).toEqual([2, 2, 2])
    await stands('due')
    expect(await behind()).toEqual([1, 1, 1])
  })

  it('agrees with the list of learners who are behind, which leaves out lifts younger than three days', async () => {
    const { id, lift, prompt } = await launched()
    await age(lift, 80)
    const behind = () =>
      world.must('adam', 'GET', `/analytics/explain?figure=completion&outcome=behind&journey=${id}`)
    expect(await behind()).toMatchObject({ learners: 2, pagination: { total: 2 } })
    await answer('uri', { lift, prompt })
    const left = await behind()
    expect(left.data.map((row: { name: string }) => row.name)).toEqual(['Aya Test'])
    expect(left.learners).toBe((await work()).behind.people)
    // Learners are behind after three days, not sooner.
    await age(lift, 70)
    expect((await behind()).data).toEqual([])
    const open = await world.must(
      'adam',
      'GET',
      `/analytics/explain?figure=completion&outcome=no&journey=${id}`,
    )
    expect(open.learners).toBe(1)
  })

  it('waits for no answers to a lift that has closed', async () => {
    const { lift, prompt } = await launched()
    expect((await work()).unanswered).toMatchObject([{ id: lift, sent: 2, unanswered: 2 }])
    await answer('uri', { lift, prompt })
    expect((await work()).unanswered).toMatchObject([{ sent: 2, unanswered: 1 }])
    const waiting = () =>
      world.must('adam', 'GET', `/analytics/explain?figure=response&outcome=waiting&lift=${lift}`)
    expect(await waiting()).toMatchObject({ learners: 1, data: [{ name: 'Aya Test' }] })
    await admin.query(`update fact_occurrence set closes_at = now() - interval '1 minute'`)
    expect((await work()).unanswered).toEqual([])
    expect(await waiting()).toMatchObject({ learners: 0, data: [], pagination: { total: 0 } })
    expect((await world.must('adam', 'GET', '/lifts/unanswered')).data).toEqual([])
  })

  it('does not wait for a learner who left, until they return', async () => {
    const { id, lift } = await launched()
    await age(lift, 80)
    const waits = async () => {
      const { behind, unanswered } = await work()
      const { learners } = await world.must(
        'adam',
        'GET',
        `/analytics/explain?figure=completion&outcome=behind&journey=${id}`,
      )
      return [behind.people, unanswered[0]?.unanswered ?? 0, learners]
    }
    expect(await waits()).toEqual([2, 2, 2])
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    const uri = data.find((one: { user_id: number }) => one.user_id === world.people.uri.user_id)
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${uri.id}`)
    expect(await waits()).toEqual([1, 1, 1])
    const scope = systemActor(world.acme)
    expect(await inScope(world.database.app, scope, (one) => rederiveTallies(one, id))).toBe(0)
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, { member_ids: [uri.id], state: 'active' })
    expect(await waits()).toEqual([2, 2, 2])
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${uri.id}`)
    const closing = `update fact_occurrence set closes_at = date_trunc('minute', now()) + interval '1 minute'`
    await admin.query(closing)
    expect((await waits()).slice(0, 1)).toEqual([1])
  })

  it('shows sponsors and learners the same lists as their own pages do', async () => {
    const { id, lift } = await launched()
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    const uri = data.find((one: { user_id: number }) => one.user_id === world.people.uri.user_id)
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
      ...{ member_ids: [uri.id], sponsor_user_id: world.people.aya.user_id },
    })
    await age(lift, 80)
    const { sponsoring, work: working, learning } = await today('aya')
    const brief = await world.must('aya', 'GET', '/sponsors_journeys/brief')
    expect(brief.total).toBe(1)
    expect([sponsoring.brief, sponsoring.total]).toEqual([brief.data, brief.total])
    expect(sponsoring.journeys).toEqual((await world.must('aya', 'GET', '/sponsors_journeys')).data)
    // An author who also learns and sponsors sees all three.
    expect([working !== null, learning.todo.length]).toEqual([true, 1])
    expect(learning.todo).toEqual((await world.must('aya', 'GET', '/learner/todo')).data)
    expect(learning.journeys).toEqual((await world.must('aya', 'GET', '/learner/lljs')).data)
  })
})

it('Today checks off the first steps of a company, and drops the list after the first answer', async () => {
  const done = async () =>
    (await today()).first_steps?.flatMap(({ step, is_done }: { step: string; is_done: boolean }) =>
      is_done ? [step] : [],
    ) ?? null
  expect(await done()).toEqual(['people'])
  const made = await world.draft(
    ['uri'],
    { channels: ['email'] },
    { schedule: { kind: 'manual', at_launch: true } },
  )
  expect(await done()).toEqual(['people', 'journey', 'lift', 'learners'])
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true })
  expect(await done()).toEqual(['people', 'journey', 'lift', 'learners', 'launch'])
  await drain()
  expect((await today('aya')).first_steps).toBeNull()
  await answer('uri', made)
  expect(await done()).toBeNull()
})
