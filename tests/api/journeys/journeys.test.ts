import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { asAdmin } from '#tests/support/postgres.ts'
import { createJourneysWorld, type JourneysWorld, ORIGIN } from './journeys-world.ts'

let world: JourneysWorld

beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

describe('A journey, from draft to answer', () => {
  it('reaches its learner, who answers, and is counted in analytics', async () => {
    const { id, lift, prompt } = await world.draft(['uri', 'aya'])
    const schedule = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
    expect(schedule).toMatchObject({ learners: 2, problems: [], past_lifts: [] })

    const launched = await world.must('adam', 'POST', `/lljs/${id}/launch`, {
      send_now: true,
      expected_recipients: 2,
    })
    expect(launched.status).toBe('active')
    await world.drain()

    const mails = await outbox()
    expect(mails).toHaveLength(2)
    const bodies = mails.map((mail) => mail.body)
    expect(bodies).toContain(
      `Hi Uri, "Listen first" waits:\n\nOpen the lift: ${ORIGIN}/lift/${lift}\n\nIt takes about 3 minutes.\n\n-- \nYou’re getting this e-mail because you’re in the learning journey “Better talks” at Acme.`,
    )

    const todo = await world.must('uri', 'GET', '/learner/todo')
    expect(todo.data).toMatchObject([{ lift_id: lift, title: 'Listen first', is_started: false }])

    const page = await world.must('uri', 'GET', `/lifts/${lift}/page`)
    expect(page).toMatchObject({
      is_test: false,
      journey: { name: 'Better talks' },
      prompts: [{ answer: null }],
    })
    expect(JSON.stringify(page)).not.toContain('Right, always')
    expect(JSON.stringify(page)).not.toContain('correct"')

    const answered = await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'a' }],
    })
    expect(answered.prompts[0].answer).toMatchObject({
      value: 'a',
      correct: true,
      feedback: 'Right, always.',
    })
    expect(answered.completed_at).not.toBeNull()
    expect((await world.must('uri', 'GET', '/learner/todo')).data).toEqual([])
    expect((await world.must('uri', 'GET', '/learner/lljs')).data).toMatchObject([
      { id, completed: 1, total: 1 },
    ])

    const overview = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
    expect(overview).toMatchObject({
      coverage: { n: 2, d: 2 },
      response: { n: 1, d: 2 },
      completion: { n: 1, d: 2 },
      open: { n: 1, d: 2 },
    })
    const byUser = await world.must('adam', 'GET', `/analytics/by_user?journey=${id}`)
    expect(byUser.data).toHaveLength(2)
    const byLift = await world.must('adam', 'GET', `/analytics/by_lift?journey=${id}&lift=${lift}`)
    expect(byLift.data).toMatchObject([{ lift_id: lift, response: { n: 1, d: 2 } }])
    expect(byLift.prompts).toMatchObject([
      {
        response: { n: 1, d: 2 },
        options: [
          { id: 'a', count: 1 },
          { id: 'b', count: 0 },
        ],
      },
    ])
    const told = await world.must('uri', 'GET', '/notifications')
    expect(told).toMatchObject({ unread: 1, data: [{ notification_type: 'launch', has_read: false }] })
  })

  it('lists what is missing for a launch', async () => {
    const { id } = await world.must('adam', 'POST', '/lljs', { name: 'Empty' })
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.json.detail).sort()).toEqual(['category', 'lifts', 'members'])
    expect((await world.must('adam', 'GET', `/lljs/${id}`)).status).toBe('draft')
  })

  it('notifies learners of its launch with a link, and facilitators without one', async () => {
    const { id } = await world.draft(['uri'], { name: 'Told of' })
    const { user_id } = world.people.aya
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [user_id], role: 'facilitator' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    // Only learners have a page in the journey.
    for (const [who, path] of [
      ['uri', `/lljs/${id}/learner`],
      ['aya', undefined],
    ] as const) {
      const { data } = await world.must(who, 'GET', '/notifications')
      const told = data.filter((one: { content: { title: string } }) => one.content.title === 'Told of')
      expect([who, told]).toMatchObject([
        who,
        [{ notification_type: 'launch', content: { title: 'Told of' } }],
      ])
      expect([who, told[0].content.path]).toEqual([who, path])
    }
  })

  it('of a sub-tenant can use its category, and a copy by a company administrator stays in it', async () => {
    const subTenant = `/tenants/me/sub_tenants/${world.north}/company`
    expect((await world.call('nora', 'PUT', subTenant, { categories: ['Ice'] })).status).toBe(200)
    const made = await world.call(
      'nora',
      'POST',
      '/lljs',
      { name: 'Of ice', category: 'Ice' },
      { sub: world.north },
    )
    const { id } = made.json
    expect([made.status, made.json.sub_tenant_id]).toEqual([201, world.north])
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(Object.keys(refused.json.detail).sort()).toEqual(['lifts', 'members'])
    const copy = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, {})
    expect(copy).toMatchObject({ category: 'Ice', sub_tenant_id: world.north })
  })

  it('shows the e-mail of an author without a name, and hides authors outside the sub-tenant', async () => {
    const sub = world.north
    const { id } = await world.must('adam', 'POST', '/lljs', { name: 'From above' }, { sub })
    const { author } = await world.must('nora', 'GET', `/lljs/${id}`, undefined, { sub })
    const { data } = await world.must('nora', 'GET', '/lljs', undefined, { sub })
    const name = 'Someone outside this sub-tenant'
    expect(author.name).toBe(name)
    expect(data.find((one: { id: number }) => one.id === id).author.name).toBe(name)

    const { user_id, email } = world.people.greta
    await asAdmin(
      world.database.adminUrl,
      `update users set first_name = '', last_name = '' where id = ${user_id}`,
    )
    const unnamed = await world.must('greta', 'POST', '/lljs', { name: 'By an address' })
    const { authors } = await world.must('greta', 'GET', '/lljs/data')
    expect(unnamed.author).toEqual({ id: user_id, name: email })
    expect(authors).toEqual([unnamed.author])
  })

  it('needs a decision about lifts whose time is past before it is launched', async () => {
    const past = { schedule: { kind: 'absolute', date: '2020-01-02', time: '10:00' } }
    const { id } = await world.draft(['uri'], { name: 'Late' }, past)
    const undecided = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(undecided.json.detail).toHaveProperty('skip_past')
    expect(
      (await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true, skip_past: false })).status,
    ).toBe(200)
    const { counts } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
    expect(counts).toMatchObject({ assigned: 1, pending: 1 })
  })

  it('is not launched if the number of learners differs from the confirmed number', async () => {
    const { id } = await world.draft(['uri'], { name: 'Miscounted' })
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, {
      send_now: true,
      expected_recipients: 7,
    })
    expect(refused.json.detail.expected_recipients[0]).toContain('There are 1 learners now')
  })

  it('is launched once if two requests come at the same time', async () => {
    const { id } = await world.draft(['uri'], { name: 'Once' })
    const both = await Promise.all(
      [1, 2].map(() => world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })),
    )
    expect(both.map((one) => one.status).sort()).toEqual([200, 409])
  })
})

describe('Answers', () => {
  it('are stored once however often they are submitted; a changed answer keeps the earlier one', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'Answers' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const submit = (value: unknown, key?: string) =>
      world.call(
        'uri',
        'POST',
        `/lifts/${lift}/responses`,
        { responses: [{ prompt_id: prompt, value }] },
        key ? { key } : {},
      )
    const twice = await Promise.all([submit('b', 'k1'), submit('b', 'k1'), submit('b')])
    expect(twice.map((one) => one.status)).toEqual([200, 200, 200])
    expect(await stored(prompt)).toEqual([{ value: 'b', is_current: true }])
    expect((await submit('a')).status).toBe(200)
    expect(await stored(prompt)).toEqual([
      { value: 'b', is_current: false },
      { value: 'a', is_current: true },
    ])
    const { json, status } = await submit('zzz')
    expect([status, json.detail]).toEqual([422, { [`prompt_${prompt}`]: ['Please choose an answer'] }])
    expect((await submit({ __proto__: null, x: 1 })).status).toBe(422)
  })

  it('are refused if they come from anyone but the learner', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'Whose' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    const body = { responses: [{ prompt_id: prompt, value: 'a' }] }
    for (const who of ['adam', 'greta', 'aya', 'both'] as const)
      expect((await world.call(who, 'POST', `/lifts/${lift}/responses`, body)).status).toBe(
        who === 'both' ? 403 : 404,
      )
    const { counts } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
    expect(counts.responded).toBe(0)
  })

  it('have a test page, which counts no opening, takes no answers and is closed to learners', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'Tested' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(await world.must('adam', 'GET', `/lifts/${lift}/test_page`)).toMatchObject({ is_test: true })
    expect(await world.must('adam', 'GET', `/lifts/${lift}/page`)).toMatchObject({ is_test: true })
    expect((await world.call('uri', 'GET', `/lifts/${lift}/test_page`)).status).toBe(404)
    const responses = [{ prompt_id: prompt, value: 'a' }]
    const tried = await world.call('adam', 'POST', `/lifts/${lift}/responses`, { responses })
    expect(tried.status).toBe(404)
    expect((await world.must('adam', 'GET', `/lifts/${lift}/responses`)).data).toEqual([])
    const { counts } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
    expect(counts).toMatchObject({ opened: 0, responded: 0 })
  })
})

describe('Access to journeys', () => {
  it('is refused with the same 404 for another tenant’s journey and for a missing one', async () => {
    const { id, lift, prompt } = await world.draft(['uri'], { name: 'Ours' })
    const calls = (journey: number | string, l: number | string, p: number | string) =>
      [
        ['GET', `/lljs/${journey}`],
        ['GET', `/lljs/${journey}/schedule`],
        ['PUT', `/lljs/${journey}`, { name: 'X', lock_version: 0 }],
        ['DELETE', `/lljs/${journey}`],
        ['POST', `/lljs/${journey}/launch`, { send_now: true }],
        ['GET', `/lljs/${journey}/members`],
        ['POST', `/lljs/${journey}/members`, { user_ids: [1] }],
        ['GET', `/lifts/${l}`],
        ['PUT', `/lifts/${l}`, { title: 'X', lock_version: 0 }],
        ['GET', `/lifts/${l}/page`],
        ['GET', `/lifts/${l}/test_page`],
        ['POST', `/lifts/${l}/send_test`, { phones: ['+14155550100'] }],
        ['DELETE', `/prompts/${p}`],
      ] as const
    const foreign = calls(id, lift, prompt)
    const missing = calls(999_999, 999_999, 999_999)
    for (const [index, [method, path, body]] of foreign.entries()) {
      const ours = await world.call('greta', method, path, body)
      const none = await world.call('greta', method, missing[index]?.[1] ?? '', body)
      expect([path, ours.status, ours.text]).toEqual([path, 404, none.text])
      const inSub = await world.call('nora', method, path, body, { sub: world.north })
      expect([path, inSub.status]).toEqual([path, 404])
    }
    for (const path of ['/lljs/abc', '/lljs/-1', '/lljs/1e308', '/lifts/%00', '/lifts/9007199254740993'])
      expect([path, (await world.call('adam', 'GET', path)).status]).toEqual([path, 404])
  })

  it('is closed to users, and to authors for journeys of other people', async () => {
    const { id } = await world.draft([], { name: 'Of Adam' })
    expect((await world.call('aya', 'GET', `/lljs/${id}`)).status).toBe(403)
    expect((await world.must('aya', 'GET', '/lljs')).data).toEqual([])
    expect((await world.call('aya', 'POST', '/lljs', { name: 'Mine' })).status).toBe(403)
    expect((await world.call('uri', 'GET', '/lljs')).status).toBe(403)
    expect((await world.call('uri', 'GET', '/analytics/overview')).status).toBe(403)
  })

  it('includes creating drafts for authors if the company allows it', async () => {
    await setSettings({ authors_may_create_drafts: true })
    const mine = await world.must('aya', 'POST', '/lljs', { name: 'Of Aya' })
    expect(mine.author.name).toBe('Aya Test')
    expect((await world.must('aya', 'GET', '/lljs')).data).toMatchObject([{ id: mine.id, may_edit: true }])
    await setSettings({})
  })

  it('does not include the outbox outside the testing tenant', async () => {
    for (const who of ['uri', 'sofia'] as const)
      expect((await world.call(who, 'GET', '/testing/outbox')).status).toBe(403)
    for (const who of ['adam', 'greta'] as const)
      expect((await world.call(who, 'GET', '/testing/outbox')).status).toBe(404)
    expect((await world.call('sofia', 'GET', '/testing/outbox', undefined, { as: world.acme })).status).toBe(
      404,
    )
  })
})

describe('The list of journeys', () => {
  it('filters, sorts and pages journeys, and rejects invalid parameters', async () => {
    await world.must('adam', 'POST', '/lljs', { name: '100% sure_thing' })
    const named = await world.must('adam', 'GET', '/lljs?name=100%25')
    expect(named.data.map((one: { name: string }) => one.name)).toEqual(['100% sure_thing'])
    const drafts = await world.must(
      'adam',
      'GET',
      '/lljs?status=draft&status=paused&per_page=2&order_by=name&order=asc',
    )
    expect(drafts.data.every((one: { status: string }) => one.status === 'draft')).toBe(true)
    expect(drafts.data.length).toBeLessThanOrEqual(2)
    for (const bad of ['page=-1', 'page=1e308', 'order_by=drop:table', 'status=nonsense', 'author=x'])
      expect([bad, (await world.call('adam', 'GET', `/lljs?${bad}`)).status]).toEqual([bad, 422])
  })

  it('shows the same total on every page, even past the last one', async () => {
    for (let nth = 0; nth < 5; nth++) await world.must('adam', 'POST', '/lljs', { name: `Totalled ${nth}` })
    for (const filter of ['name=totalled', 'name=totalled&status=draft'])
      for (const [per_page, shown] of [
        [2, [2, 2, 1, 0]],
        [5, [5, 0]],
        [6, [5, 0]],
      ] as const)
        for (const [nth, many] of shown.entries()) {
          const path = `/lljs?${filter}&per_page=${per_page}&page=${nth + 1}`
          const { data, pagination } = await world.must('adam', 'GET', path)
          expect([path, data.length, pagination.total]).toEqual([path, many, 5])
        }
    const none = await world.must('adam', 'GET', '/lljs?name=totalled&status=completed')
    expect(none.pagination).toMatchObject({ total: 0, total_pages: 1 })
  })

  it('refuses unknown fields, and a stale edit with what was saved meanwhile', async () => {
    const { id } = await world.draft([], { name: 'Edited' })
    expect((await world.call('adam', 'POST', '/lljs', { name: 'X', tenant_id: world.globex })).status).toBe(
      422,
    )
    expect((await world.call('adam', 'PUT', `/lljs/${id}`, { name: 'First', lock_version: 0 })).status).toBe(
      200,
    )
    const late = await world.call('adam', 'PUT', `/lljs/${id}`, { name: 'Second', lock_version: 0 })
    expect([late.status, late.json.current.name]).toEqual([409, 'First'])
  })

  it('allows only drafts to be deleted', async () => {
    const { id } = await world.draft(['uri'], { name: 'Kept' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect((await world.call('adam', 'DELETE', `/lljs/${id}`)).status).toBe(409)
    const draft = await world.draft(['uri'], { name: 'Gone' })
    expect((await world.call('adam', 'DELETE', `/lljs/${draft.id}`)).status).toBe(200)
    expect((await world.call('adam', 'GET', `/lljs/${draft.id}`)).status).toBe(404)
  })
})

async function outbox(): Promise<{ body: string; recipient: string }[]> {
  return inAcmeScope((db) => db.selectFrom('outbox_messages').select(['body', 'recipient']).execute())
}

async function stored(prompt: number) {
  return inAcmeScope((db) =>
    db
      .selectFrom('responses')
      .select(['value', 'is_current'])
      .where('prompt_id', '=', prompt)
      .orderBy('id')
      .execute(),
  )
}

function inAcmeScope<Result>(work: (db: Scope['db']) => Promise<Result>): Promise<Result> {
  return inScope(world.database.app, systemActor(world.acme), ({ db }) => work(db))
}

function setSettings(settings: object) {
  return inAcmeScope((db) =>
    db
      .updateTable('tenants')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', world.acme)
      .execute(),
  )
}

describe('The name of a journey', () => {
  it('cannot make a lift’s message longer than three texts', async () => {
    const { id, lift } = await world.draft(['uri'], { name: 'Short' })
    const names = '{{journey}} '.repeat(3)
    const put = async (path: string, change: object) => {
      const { lock_version } = await world.must('adam', 'GET', path)
      return world.call('adam', 'PUT', path, { ...change, lock_version })
    }
    expect((await put(`/lifts/${lift}`, { sms_text: names + 'a'.repeat(330) })).status).toBe(200)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect((await put(`/lljs/${id}`, { name: 'Somewhat longer' })).status).toBe(200)
    const refused = await put(`/lljs/${id}`, { name: 'x'.repeat(40), description: 'Kept' })
    expect([refused.status, refused.json.detail]).toEqual([
      422,
      {
        name: [
          'With this name, the message of “Listen first” is longer than 3 texts. Shorten the name, or shorten the message first.',
        ],
      },
    ])
    // A single character outside the plain alphabet of texts makes the whole message longer.
    expect((await put(`/lljs/${id}`, { name: 'Schritt für Schritt – ő' })).status).toBe(422)
    expect((await world.must('adam', 'GET', `/lljs/${id}`)).name).toBe('Somewhat longer')
    expect((await put(`/lifts/${lift}`, { sms_text: names })).status).toBe(200)
    expect((await put(`/lljs/${id}`, { name: 'x'.repeat(40) })).status).toBe(200)
  })
})
