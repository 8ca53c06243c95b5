/** The schedule of a long journey, in pages, and the stored counts of journeys. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())

const addLifts = (journey: number, count: number) =>
  admin.query(
    `insert into lifts (tenant_id, journey_id, position, title, schedule, status)
     select $1, $2, n + 1, 'Lift ' || n + 1, '{"kind":"offset","from":"start","days":3}', 'ready'
     from generate_series(1, ${count}) n`,
    [world.acme, journey],
  )
const schedule = (id: number, query = '') => world.must('adam', 'GET', `/lljs/${id}/schedule${query}`)

describe('The schedule of a long journey', () => {
  it('is paged, and opens on the page of the requested lift', async () => {
    const { id } = await world.draft(['uri'])
    await addLifts(id, 44)
    const first = await schedule(id)
    expect(first.pagination).toEqual({ current_page: 1, total_pages: 3, total: 45, per_page: 20 })
    expect(first.lifts.map((lift: { position: number }) => lift.position)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    )
    expect(first.lifts[0]).toMatchObject({ title: 'Listen first', prompts: 1 })
    expect(first.lifts[0]).not.toHaveProperty('blocks')
    const last = await schedule(id, '?page=3')
    expect(last.lifts).toHaveLength(5)
    const { id: far } = last.lifts[4]
    expect((await schedule(id, `?lift=${far}`)).pagination.current_page).toBe(3)
    expect((await schedule(id, `?lift=${far}&page=2`)).pagination.current_page).toBe(2)
    expect((await schedule(id, '?lift=999999')).pagination.current_page).toBe(1)
    expect((await world.call('adam', 'GET', `/lljs/${id}/schedule?per_page=101`)).status).toBe(422)
    const { data: names } = await world.must('adam', 'GET', `/lljs/${id}/lifts`)
    expect([names.length, names[44].title]).toEqual([45, 'Lift 45'])
  })

  it('lists at most 20 empty lifts before a launch, whatever the page', async () => {
    const { id } = await world.draft(['uri'])
    await addLifts(id, 44)
    const { problems } = await schedule(id, '?page=3')
    expect(problems).toHaveLength(20)
    expect(problems[0].message).toBe('“Lift 2” is empty: give it some text or a question.')
  })

  it('does not count disabled learners in a launch', async () => {
    const { id } = await world.draft(['uri', 'nora'])
    await admin.query(`update users set activation_status = 'disabled' where id = $1`, [
      world.people.nora.user_id,
    ])
    expect((await schedule(id)).learners).toBe(1)
    const wrong = await world.call('adam', 'POST', `/lljs/${id}/launch`, {
      send_now: true,
      expected_recipients: 2,
    })
    expect(wrong.json.detail.expected_recipients).toEqual(['There are 1 learners now, not 2.'])
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true, expected_recipients: 1 })
    await admin.query(`update users set activation_status = 'active' where id = $1`, [
      world.people.nora.user_id,
    ])
  })
})

describe('The counts of a journey', () => {
  const counts = async (id: number) => {
    const { lifts, learners } = await world.must('adam', 'GET', `/lljs/${id}`)
    const { rows } = await admin.query(
      `select (select count(*)::int from lifts where journey_id = $1 and status <> 'retired') as lifts,
        (select count(*)::int from members where journey_id = $1 and role = 'learner' and state <> 'withdrawn') as learners`,
      [id],
    )
    expect({ lifts, learners }).toEqual(rows[0])
    return [lifts, learners]
  }
  const memberId = async (id: number, who: 'uri' | 'aya' | 'nora') => {
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    return data.find((one: { user_id: number }) => one.user_id === world.people[who].user_id).id as number
  }

  it('stay right as lifts and members are added, changed, removed and copied', async () => {
    const { id, lift } = await world.draft(['uri', 'aya', 'nora'])
    expect(await counts(id)).toEqual([1, 3])
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
      member_ids: [await memberId(id, 'aya')],
      role: 'sponsor',
    })
    expect(await counts(id)).toEqual([1, 2])
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${await memberId(id, 'nora')}`)
    const extra = await world.must('adam', 'POST', `/lljs/${id}/lifts`, { title: 'Extra', status: 'ready' })
    await world.must('adam', 'POST', `/lifts/${extra.id}/prompts`, { kind: 'short_text', text: 'Why?' })
    expect(await counts(id)).toEqual([2, 1])
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const gone = await memberId(id, 'uri')
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${gone}`)
    expect(await counts(id)).toEqual([2, 0])
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, { member_ids: [gone], state: 'active' })
    expect(await counts(id)).toEqual([2, 1])
    await world.must('adam', 'DELETE', `/lifts/${lift}`)
    expect((await counts(id))[1]).toBe(1)
    const { journey_id, id: copy } = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, {})
    await counts(copy ?? journey_id)
  })

  it('cannot be changed from inside a sub-tenant by a learner who administers that sub-tenant', async () => {
    const { id } = await world.draft(['nora'])
    const answer = await world.call(
      'nora',
      'POST',
      `/lljs/${id}/members`,
      { user_ids: [world.people.nora.user_id], role: 'facilitator' },
      { sub: world.north },
    )
    expect(answer.status).toBe(404)
    await counts(id)
  })
})
