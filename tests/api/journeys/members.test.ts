/** Participants: sponsors and their learners, removal and return, and exclusion from figures. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createJourneysWorld, createTestCarrier, type JourneysWorld } from './journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

type Row = {
  id: number
  user_id: number
  role: string
  sponsor_id: number | null
  state: string
  email: string
}
const idOf = (who: 'uri' | 'aya' | 'adam' | 'both') => world.people[who].user_id
const membersOf = async (id: number, query = ''): Promise<Row[]> =>
  (await world.must('adam', 'GET', `/lljs/${id}/members?per_page=100${query}`)).data
const member = async (id: number, who: 'uri' | 'aya' | 'adam' | 'both', role: string, query = '') =>
  (await membersOf(id, query)).find((one) => one.user_id === idOf(who) && one.role === role)
const change = (id: number, body: object) => world.call('adam', 'PATCH', `/lljs/${id}/members`, body)

it('The list of participants counts them by role as they are added, changed, removed and restored', async () => {
  const { id } = await world.draft(['uri', 'both'], { name: 'Counted' })
  const people = `/lljs/${id}/members`
  // A page that is full does not tell how many there are.
  const counts = async () => {
    const queries = ['', '&role=learner', '&role=sponsor', '&withdrawn=true']
    const pages = await Promise.all(
      queries.map((query) => world.must('adam', 'GET', `${people}?per_page=1${query}`)),
    )
    return pages.map(({ pagination }) => pagination.total)
  }
  expect(await counts()).toEqual([2, 2, 0, 0])
  const uri = await member(id, 'uri', 'learner')
  await change(id, { member_ids: [uri?.id], sponsor_user_id: idOf('aya') })
  expect(await counts()).toEqual([3, 2, 1, 0])
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await world.must('adam', 'DELETE', `${people}/${uri?.id}`)
  expect(await counts()).toEqual([2, 1, 1, 1])
  await world.must('adam', 'POST', people, { user_ids: [idOf('uri')], role: 'learner' })
  const aya = await member(id, 'aya', 'sponsor')
  await change(id, { member_ids: [aya?.id], role: 'facilitator' })
  expect(await counts()).toEqual([3, 2, 0, 0])
})

describe('Sponsors', () => {
  it('are listed with their learners exactly as the specification says', async () => {
    const { id } = await world.draft(['uri', 'both'], { name: 'Sponsored' })
    const uri = await member(id, 'uri', 'learner')
    await change(id, { member_ids: [uri?.id], sponsor_user_id: idOf('aya') })
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/sponsors`)
    const { aya, uri: learner } = world.people
    expect(data).toEqual([
      {
        id: aya.user_id,
        email: aya.email,
        name: 'Aya Test',
        learners: [{ id: learner.user_id, email: learner.email, name: 'Uri Test', sponsorId: aya.user_id }],
      },
    ])
  })

  it('cannot be the learner, a participant of another journey, or an unknown person', async () => {
    const { id } = await world.draft(['uri'], { name: 'Own' })
    const elsewhere = await world.draft(['uri'], { name: 'Elsewhere' })
    const uri = await member(id, 'uri', 'learner')
    const other = await member(elsewhere.id, 'uri', 'learner')
    await change(elsewhere.id, { member_ids: [other?.id], sponsor_user_id: idOf('aya') })
    const foreign = await member(elsewhere.id, 'aya', 'sponsor')
    for (const [field, wrong] of [
      ['sponsor_id', { sponsor_user_id: idOf('uri') }],
      ['sponsor_id', { sponsor_id: foreign?.id }],
      ['sponsor_id', { sponsor_id: uri?.id }],
      ['sponsor_user_id', { sponsor_user_id: 999_999 }],
    ] as const) {
      const refused = await change(id, { member_ids: [uri?.id], ...wrong })
      expect([refused.status, Object.keys(refused.json.detail)]).toEqual([422, [field]])
    }
    expect((await membersOf(id)).map((one) => [one.role, one.sponsor_id])).toEqual([['learner', null]])
  })

  it('who were only assigned are removed with their last learner; sponsors who were added stay', async () => {
    const { id } = await world.draft(['uri', 'both'], { name: 'Chosen' })
    const learners = (await membersOf(id)).map((one) => one.id)
    const choose = (who: 'aya' | 'adam', member_ids = learners) =>
      change(id, { member_ids, sponsor_user_id: idOf(who) })
    const sponsors = async (query = '') =>
      (await membersOf(id, `&role=sponsor${query}`)).map(({ user_id }) => user_id)
    await choose('aya')
    await choose('adam', learners.slice(0, 1))
    expect((await sponsors()).sort()).toEqual([idOf('aya'), idOf('adam')].sort())
    await choose('adam')
    expect([await sponsors(), await sponsors('&withdrawn=true')]).toEqual([[idOf('adam')], []])
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [idOf('aya')], role: 'sponsor' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await choose('aya')
    expect([await sponsors(), await sponsors('&withdrawn=true')]).toEqual([[idOf('aya')], [idOf('adam')]])
    await choose('adam')
    expect((await sponsors()).sort()).toEqual([idOf('aya'), idOf('adam')].sort())
  })

  it('who were only assigned stay once they are added or get another role', async () => {
    for (const launched of [false, true]) {
      const { id } = await world.draft(['uri'], { name: `Kept ${launched}` })
      if (launched) await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
      const uri = await member(id, 'uri', 'learner')
      const choose = (who: 'aya' | 'adam') =>
        change(id, { member_ids: [uri?.id], sponsor_user_id: idOf(who) })
      await choose('aya')
      const add = { user_ids: [idOf('aya')], role: 'sponsor' }
      expect((await world.must('adam', 'POST', `/lljs/${id}/members`, add)).added).toBe(0)
      await choose('adam')
      expect(await member(id, 'aya', 'sponsor')).toMatchObject({ state: 'invited' })
      const adam = await member(id, 'adam', 'sponsor')
      expect((await change(id, { member_ids: [adam?.id], role: 'facilitator' })).status).toBe(200)
      expect(await member(id, 'adam', 'facilitator')).toMatchObject({ id: adam?.id, state: 'invited' })
      expect((await member(id, 'uri', 'learner'))?.sponsor_id).toBeNull()
    }
  })

  it('who were only assigned are removed when their learner is removed or gets another role', async () => {
    const { id } = await world.draft(['uri', 'both'], { name: 'Gone with them' })
    const [uri, both] = [await member(id, 'uri', 'learner'), await member(id, 'both', 'learner')]
    await change(id, { member_ids: [uri?.id], sponsor_user_id: idOf('aya') })
    await change(id, { member_ids: [both?.id], sponsor_user_id: idOf('adam') })
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${uri?.id}`)
    await change(id, { member_ids: [both?.id], role: 'facilitator' })
    expect((await membersOf(id)).map(({ role }) => role)).toEqual(['facilitator'])
  })

  it('cannot be made from two roles of the same person at once', async () => {
    const { id } = await world.draft(['uri'], { name: 'Twice' })
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [idOf('uri')], role: 'facilitator' })
    const before = await membersOf(id)
    const refused = await change(id, { member_ids: before.map((one) => one.id), role: 'sponsor' })
    expect([refused.status, Object.keys(refused.json.detail)]).toEqual([422, ['role']])
    expect(await membersOf(id)).toEqual(before)
  })

  it('who are removed leave their learners to a successor or without a sponsor, and can return', async () => {
    const { id } = await world.draft(['uri', 'both'], { name: 'Successors' })
    const learners = (await membersOf(id)).map((one) => one.id)
    await change(id, { member_ids: learners, sponsor_user_id: idOf('aya') })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [idOf('adam')], role: 'sponsor' })
    const [first, next] = [await member(id, 'aya', 'sponsor'), await member(id, 'adam', 'sponsor')]
    const remove = (who: Row | undefined, query: string) =>
      world.call('adam', 'DELETE', `/lljs/${id}/members/${who?.id}${query}`)
    expect((await remove(first, `?successor_id=${first?.id}`)).status).toBe(422)
    expect((await remove(first, `?successor_id=${learners[0]}`)).status).toBe(422)
    expect((await remove(first, `?successor_id=${next?.id}`)).status).toBe(200)
    const sponsors = async () => (await membersOf(id, '&role=learner')).map((one) => one.sponsor_id)
    expect(await sponsors()).toEqual([next?.id, next?.id])
    expect((await remove(next, '')).status).toBe(200)
    expect(await sponsors()).toEqual([null, null])
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [idOf('aya')], role: 'sponsor' })
    expect(await member(id, 'aya', 'sponsor')).toMatchObject({ id: first?.id, state: 'invited' })
    // Returning does not give them their learners back.
    expect(await sponsors()).toEqual([null, null])
  })
})

describe('A learner', () => {
  it('who is added several times at once is one participant', async () => {
    const { id } = await world.draft(['uri'], { name: 'Once' })
    const add = () =>
      world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [idOf('uri'), idOf('aya'), idOf('aya')] })
    const answers = await Promise.all([add(), add(), add()])
    expect(answers.map((one) => one.added).sort()).toEqual([0, 0, 1])
    expect(await membersOf(id)).toHaveLength(2)
  })

  it('who is removed gets no further lifts, keeps the answers, and continues after a return', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'Leaves' })
    const later = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'Later',
      blocks: [{ kind: 'text', markdown: 'Text.' }],
      status: 'ready',
      schedule: { kind: 'offset', from: 'start', days: 5, time: '12:00' },
    })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await drain()
    await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    const uri = await member(id, 'uri', 'learner')
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${uri?.id}`)
    expect((await world.call('adam', 'DELETE', `/lljs/${id}/members/${uri?.id}`)).status).toBe(404)
    expect(await occurrences(id)).toEqual([
      [lift, 'completed'],
      [later.id, 'cancelled'],
    ])
    expect((await world.call('uri', 'GET', `/lifts/${lift}/page`)).status).toBe(404)
    const late = { responses: [{ prompt_id: prompt, value: 'b' }] }
    expect((await world.call('uri', 'POST', `/lifts/${lift}/responses`, late)).status).toBe(404)
    expect((await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)).response).toEqual({
      n: 1,
      d: 1,
    })

    expect((await change(id, { member_ids: [uri?.id], state: 'active' })).status).toBe(200)
    expect(await occurrences(id)).toEqual([
      [lift, 'completed'],
      [later.id, 'planned'],
    ])
    expect((await world.must('uri', 'GET', `/lifts/${lift}/page`)).prompts[0].answer.value).toBe('a')
  })

  it('who opens a lift while being removed has it as opened after the return', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Amid' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const uri = await member(id, 'uri', 'learner')
    const opening = await world.database.connectAdmin()
    await opening.query('begin')
    await opening.query(`update occurrences set state = 'opened', opened_at = now() where lift_id = $1`, [
      lift,
    ])
    const leaving = world.must('adam', 'DELETE', `/lljs/${id}/members/${uri?.id}`)
    await expect.poll(world.database.countWaiting).toBe(1)
    await opening.query('commit')
    await Promise.all([leaving, opening.end()])
    expect((await change(id, { member_ids: [uri?.id], state: 'active' })).status).toBe(200)
    expect(await occurrences(id)).toEqual([[lift, 'opened']])
  })

  it.each([
    ['individually', (user_id: number) => ['members', { user_ids: [user_id], exclude_data: true }]],
    ['with a group', () => ['members', { group: { general_role: 'user' }, exclude_data: true }]],
    [
      'by an import',
      (_: number, email: string) => [
        'members/import',
        { csv: `email,exclude_data\n${email},yes`, dry_run: false },
      ],
    ],
  ] as const)(
    'who was removed and is added again %s gets the lifts that are still to come',
    async (_, addition) => {
      const { id, lift } = await world.draft(['uri'], { name: 'Again' })
      const later = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
        title: 'Later',
        blocks: [{ kind: 'text', markdown: 'Text.' }],
        status: 'ready',
        schedule: { kind: 'offset', from: 'start', days: 5, time: '12:00' },
      })
      await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
      await drain()
      const uri = await member(id, 'uri', 'learner')
      await world.must('adam', 'DELETE', `/lljs/${id}/members/${uri?.id}`)
      const [path, body] = addition(idOf('uri'), uri?.email ?? '')
      await world.must('adam', 'POST', `/lljs/${id}/${path}`, body)
      const back = await member(id, 'uri', 'learner')
      expect(back).toMatchObject({ id: uri?.id, state: 'invited', exclude_data: true })
      expect(await occurrences(id, uri?.id)).toEqual([
        [lift, 'sent'],
        [later.id, 'planned'],
      ])
      const facts = await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
        db
          .selectFrom('fact_occurrence')
          .select(['left_at', 'exclude_data'])
          .where('member_id', '=', uri?.id ?? 0)
          .execute(),
      )
      expect(facts).toEqual([1, 2].map(() => ({ left_at: null, exclude_data: true })))
    },
  )

  it('who is excluded is in no figure, not even of the past, until included again', async () => {
    const { id, lift, prompt } = await world.draft(['uri', 'aya'], { name: 'Excluded' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await drain()
    await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    const figures = async () => {
      const { counts } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
      const byUser = await world.must('adam', 'GET', `/analytics/by_user?journey=${id}`)
      const byLift = await world.must('adam', 'GET', `/analytics/by_lift?journey=${id}&lift=${lift}`)
      return [
        [counts.assigned, counts.accepted, counts.responded],
        byUser.data.length,
        [byLift.data[0]?.counts.assigned, byLift.data[0]?.counts.responded],
        byLift.prompts[0]?.response,
      ]
    }
    const both = [[2, 2, 1], 2, [2, 1], { n: 1, d: 2 }]
    expect(await figures()).toEqual(both)
    const uri = await member(id, 'uri', 'learner')
    await change(id, { member_ids: [uri?.id], exclude_data: true })
    expect(await figures()).toEqual([[1, 1, 0], 1, [1, 0], { n: 0, d: 1 }])
    await change(id, { member_ids: [uri?.id], exclude_data: false })
    expect(await figures()).toEqual(both)
    const lines = (await world.call('adam', 'GET', '/audit_events?action=members.changed&per_page=2')).json
    expect(lines.data.map(({ changes }: { changes: object }) => changes)).toEqual([
      { members: [uri?.id], exclude_data: { before: true, after: false } },
      { members: [uri?.id], exclude_data: { before: false, after: true } },
    ])
  })
})

describe('A launch', () => {
  it('is refused if the journey’s category was deleted, and works once it exists again', async () => {
    const { id } = await world.draft(['uri'], { name: 'Of the past' })
    const categories = (list: string[]) =>
      world.call('adam', 'PUT', `/tenants/${world.acme}/company`, { categories: list })
    expect((await categories(['Service'])).status).toBe(200)
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect([refused.status, refused.json.detail]).toEqual([
      422,
      { category: ['The category “Sales” no longer exists; choose another one.'] },
    ])
    const { problems } = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
    expect(problems.map((one: { code: string }) => one.code)).toEqual(['category'])
    await categories(['Sales'])
    expect((await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })).status).toBe(200)
  })

  it('is refused if lifts would never be due', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Never' })
    const add = (title: string, schedule: object, status = 'ready') =>
      world.must('adam', 'POST', `/lljs/${id}/lifts`, {
        title,
        blocks: [{ kind: 'text', markdown: 'Text.' }],
        ...{ status, schedule },
      })
    const unready = await add('Unready', { kind: 'manual', at_launch: true }, 'draft')
    await add('Waits', { kind: 'after_lift', lift_id: unready.id, min_hours: 1 })
    await add('Follows', { kind: 'offset', from: 'previous_lift_completed', days: 1 })
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    const first = { schedule: { kind: 'offset', from: 'previous_lift_completed', days: 1 }, lock_version }
    await world.must('adam', 'PUT', `/lifts/${lift}`, first)
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(refused.json.detail.lifts).toEqual([
      '“Listen first” waits for the lift before it, and there is none.',
      '“Waits” waits for “Unready”, which is not ready.',
    ])
  })

  it('is refused if lifts wait for each other after they were reordered', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'In a circle' })
    const blocks = [{ kind: 'text', markdown: 'Text.' }]
    const add = (title: string, schedule: object) =>
      world.must('adam', 'POST', `/lljs/${id}/lifts`, { title, blocks, status: 'ready', schedule })
    const follows = await add('Follows', { kind: 'offset', from: 'previous_lift_completed', days: 1 })
    const waits = await add('Waits', { kind: 'after_lift', lift_id: follows.id, min_hours: 1 })
    await world.must('adam', 'PATCH', `/lljs/${id}/lifts/order`, { lift_ids: [lift, waits.id, follows.id] })
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(refused.json.detail.lifts).toEqual([
      '“Waits” waits for “Follows”, which comes only after it.',
      '“Follows” waits for “Waits”, which comes only after it.',
    ])
  })
})

describe('A schedule rule', () => {
  it('cannot wait for its own lift, in a circle, or for a lift of another journey', async () => {
    const { id, lift: first } = await world.draft([], { name: 'Circles' })
    const elsewhere = await world.draft([], { name: 'Elsewhere too' })
    const waitsFor = (lift_id: number) => ({ schedule: { kind: 'after_lift', lift_id, min_hours: 1 } })
    const add = async (title: string, more: object) =>
      (await world.must('adam', 'POST', `/lljs/${id}/lifts`, { title, ...more })).id as number
    const second = await add('Second', waitsFor(first))
    const third = await add('Third', waitsFor(second))
    const put = async (lift: number, more: object) => {
      const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
      const answer = await world.call('adam', 'PUT', `/lifts/${lift}`, { ...more, lock_version })
      return [answer.status, answer.json.detail?.schedule?.[0]]
    }
    expect(await put(first, waitsFor(first))).toEqual([422, 'A lift cannot wait for itself.'])
    expect(await put(first, waitsFor(third))).toEqual([422, '“Third” waits for this lift already.'])
    expect(await put(first, waitsFor(second))).toEqual([422, '“Second” waits for this lift already.'])
    expect(await put(first, waitsFor(elsewhere.lift))).toEqual([
      422,
      expect.stringContaining('not part of this journey'),
    ])
    expect(await put(first, waitsFor(999_999))).toEqual([
      422,
      expect.stringContaining('not part of this journey'),
    ])
    expect(await put(third, waitsFor(first))).toEqual([200, undefined])
    // The second lift waits for the first before the first is made to wait for the second.
    await put(first, { status: 'ready' })
    const follows = { schedule: { kind: 'offset', from: 'previous_lift_completed', days: 1 } }
    expect(await put(second, follows)).toEqual([200, undefined])
    expect(await put(first, waitsFor(second))).toEqual([422, '“Second” waits for this lift already.'])
    // Also when the same change makes it ready.
    await put(first, { status: 'draft' })
    const both = { ...waitsFor(second), status: 'ready' }
    expect(await put(first, both)).toEqual([422, '“Second” waits for this lift already.'])
  })
})

describe('Two authors at once', () => {
  it('do not overwrite each other: one is refused and sees what the other saved', async () => {
    const { lift } = await world.draft([], { name: 'Both' })
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    const save = (title: string) => world.call('adam', 'PUT', `/lifts/${lift}`, { title, lock_version })
    const answers = await Promise.all([save('One'), save('Other')])
    expect(answers.map((one) => one.status).sort()).toEqual([200, 409])
    const [won, lost] = answers[0]?.status === 200 ? answers : [...answers].reverse()
    expect(lost?.json.current.title).toBe(won?.json.title)
    expect((await world.must('adam', 'GET', `/lifts/${lift}`)).title).toBe(won?.json.title)
  })
})

const drain = () => world.drain(createTestCarrier().carriers)

const occurrences = (id: number, memberId?: number) =>
  inScope(world.database.app, systemActor(world.acme), async ({ db }) => {
    const rows = await db
      .selectFrom('occurrences')
      .select(['lift_id', 'state'])
      .where('journey_id', '=', id)
      .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId ?? 0))
      .orderBy('lift_id')
      .execute()
    return rows.map((row) => [row.lift_id, row.state])
  })
