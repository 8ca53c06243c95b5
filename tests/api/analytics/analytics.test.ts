/** The reports of a journey whose people, lifts and messages this file counts itself. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  refused,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

type Who = 'uri' | 'aya' | 'nora' | 'adam'
let world: JourneysWorld
let id: number
let asking: number
let silent: number
let prompt: number
let commitment: number
let ofPrompt: number
let ofItem: number
let ofLift: number

/** Four learners and two lifts, the second without a question; one mail is refused, one learner is excluded. */
beforeAll(async () => {
  world = await createJourneysWorld()
  await inAcme(({ db }) => sql`update users set timezone = ${zoneAt(13)}, mobile_phone = null`.execute(db))
  const made = await world.draft(['uri', 'aya', 'nora', 'adam'], { channels: ['email'] })
  ;({ id, lift: asking, prompt } = made)
  const second = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
    title: 'Looking back',
    sms_text: '{{link}}',
    status: 'ready',
    blocks: [{ kind: 'text', markdown: 'Well done.' }],
    completion_rule: 'viewed_and_confirmed',
    schedule: { kind: 'manual', at_launch: true },
  })
  silent = second.id
  const objective = async (code: string) =>
    (await world.must('adam', 'POST', `/lljs/${id}/learning_objectives`, { code, text: `Can ${code}` })).id
  ;[ofPrompt, ofItem, ofLift] = [await objective('ask'), await objective('rate'), await objective('read')]
  const will = await world.must('adam', 'POST', `/lifts/${asking}/prompts`, {
    ...{ kind: 'commitment', text: 'What will you do?', visibility: 'admins', objective_ids: [ofPrompt] },
  })
  commitment = will.id
  await inAcme(({ db }) =>
    db
      .insertInto('lift_objectives')
      .values({ tenant_id: world.acme, lift_id: silent, objective_id: ofLift })
      .execute(),
  )
  await world.must('adam', 'POST', `/lljs/${id}/assessments`, {
    ...{
      name: 'Before',
      phase: 'pre',
      raters: ['self'],
      opens: { kind: 'absolute', date: '2099-01-01', time: '09:00' },
    },
    items: [{ text: 'I ask', kind: 'scale', anchors: ['Never', 'Always'], objective_id: ofItem, weight: 1 }],
  })
  const people = await world.must('adam', 'GET', `/lljs/${id}/members`)
  const adam = people.data.find((one: { user_id: number }) => one.user_id === world.people.adam.user_id)
  await world.must('adam', 'PATCH', `/lljs/${id}/members`, { member_ids: [adam.id], exclude_data: true })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await send((message) => {
    if (message.to === world.people.aya.email) throw refused()
  })
  await answer('uri', asking, [{ prompt_id: prompt, value: 'a' }])
  await answer('adam', asking, [{ prompt_id: prompt, value: 'b' }])
  await world.must('nora', 'POST', `/lifts/${silent}/responses`, { responses: [], complete: true })
}, 120_000)
afterAll(() => world?.drop())

const get = (path: string, who: 'adam' | 'aya' | 'uri' | 'greta' = 'adam') => world.must(who, 'GET', path)
const status = async (path: string, who: 'adam' | 'aya' | 'uri' | 'greta' = 'adam') =>
  (await world.call(who, 'GET', path)).status
const answer = (who: Who, lift: number, responses: object[]) =>
  world.must(who, 'POST', `/lifts/${lift}/responses`, { responses })

describe('The overview', () => {
  it('counts the learners and lifts, and expects answers only to the lift with a question', async () => {
    const overview = await get(`/analytics/overview?journey=${id}`)
    expect(overview).toMatchObject({
      counts: { assigned: 6, accepted: 4, failed: 2, asked: 3, responded: 1, completed: 1 },
      coverage: { n: 4, d: 6 },
      response: { n: 1, d: 3 },
      completion: { n: 1, d: 6 },
      learners: 3,
      why_empty: null,
      assessment_items: null,
    })
  })

  it('equals the sums of the reports by learner, by lift and by week', async () => {
    const { counts } = await get(`/analytics/overview?journey=${id}`)
    for (const [report, list] of [
      ['by_user', 'data'],
      ['by_lift', 'data'],
      ['trend', 'weeks'],
    ] as const) {
      const answer = await get(`/analytics/${report}?journey=${id}`)
      const sum = (name: string) =>
        answer[list].reduce(
          (all: number, row: { counts: Record<string, number> }) => all + (row.counts[name] ?? 0),
          0,
        )
      expect([report, ...Object.keys(counts).map(sum)]).toEqual([report, ...Object.values(counts)])
    }
  })

  it('counts each learner of a lift once, whoever is excluded, and as its list does', async () => {
    for (const lift of [asking, silent])
      for (const filter of ['', '&from=2020-01-01', `&user=${world.people.uri.user_id}`, `&to=2020-01-01`]) {
        const { learners } = await get(`/analytics/overview?lift=${lift}${filter}`)
        const { pagination } = await get(`/analytics/by_user?lift=${lift}${filter}`)
        const expected = filter.includes('user') ? 1 : filter.includes('to=') ? 0 : 3
        expect([filter, learners, pagination.total]).toEqual([filter, expected, expected])
      }
  })

  it('leaves activity after the as_of time out of the report by learner', async () => {
    const { rows } = await inAcme(({ db }) =>
      sql<{ due: Date }>`select max(due_at) as due from fact_occurrence where journey_id = ${id}`.execute(db),
    )
    const as_of = rows[0]?.due.toISOString()
    const of = async (more: string) =>
      (await get(`/analytics/by_user?journey=${id}&${more}`)).data.map(
        (row: { last_activity: string | null }) => row.last_activity !== null,
      )
    expect((await of('')).sort()).toEqual([false, true, true])
    for (const order_by of ['name', 'activity'])
      expect([order_by, await of(`as_of=${as_of}&order_by=${order_by}`)]).toEqual([
        order_by,
        [false, false, false],
      ])
  })

  it('filters by objectives of lifts and of questions, and says when only assessments have one', async () => {
    const of = (objective: number) => get(`/analytics/overview?lo_id=${objective}`)
    expect((await of(ofLift)).counts).toMatchObject({ assigned: 3, asked: 0, completed: 1 })
    expect(await of(ofPrompt)).toMatchObject({ counts: { assigned: 3, asked: 3 }, assessment_items: 0 })
    expect(await of(ofItem)).toMatchObject({
      counts: { assigned: 0 },
      assessment_items: 1,
      why_empty: 'No lift and no question is tagged with this objective.',
    })
  })

  it('counts the answers to one question out of the learners who were asked it', async () => {
    const of = async (question: number) => (await get(`/analytics/overview?prompt_id=${question}`)).response
    expect(await of(prompt)).toEqual({ n: 1, d: 3 })
    expect(await of(commitment)).toEqual({ n: 0, d: 3 })
  })

  it('counts only what was due on the chosen days and by the as_of time', async () => {
    const assigned = async (query: string) =>
      (await get(`/analytics/overview?journey=${id}&${query}`)).counts.assigned
    const [today, tomorrow] = await inAcme(async ({ db }) => {
      const { rows } = await sql<{ today: string; tomorrow: string }>`
        select to_char(now() at time zone t.timezone, 'YYYY-MM-DD') as today,
          to_char(now() at time zone t.timezone + interval '1 day', 'YYYY-MM-DD') as tomorrow
        from tenants t where t.id = scope_tenant()`.execute(db)
      return [rows[0]?.today, rows[0]?.tomorrow]
    })
    expect(await assigned(`from=${today}&to=${today}`)).toBe(6)
    expect(await assigned(`from=${tomorrow}`)).toBe(0)
    expect(await assigned('as_of=2020-01-01T00:00:00Z')).toBe(0)
    expect(await assigned('as_of=2099-01-01T00:00:00Z')).toBe(6)
  })

  it('refuses to count more than two million occurrences one by one, until filters narrow them down', async () => {
    const admin = await world.database.connectAdmin()
    await admin.query(
      `insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, is_counted, assigned)
       select tenant_id, journey_id, id, '2020-01-01', true, 2000001 from lifts where id = $1`,
      [asking],
    )
    const asked = (query: string) => world.call('adam', 'GET', `/analytics/overview?journey=${id}&${query}`)
    try {
      const { status, json } = await asked('as_of=2020-02-01')
      expect(status).toBe(422)
      expect(JSON.stringify(json)).toContain('too many to count one by one')
      const grid = await world.call('adam', 'GET', `/lljs/${id}/grid?as_of=2020-02-01`)
      expect(grid.status).toBe(422)
      expect((await asked(`as_of=2020-02-01&lift=${silent}`)).status).toBe(200)
      expect((await asked(`as_of=2020-02-01&user=${world.people.uri.user_id}`)).status).toBe(200)
    } finally {
      await admin.query(`delete from lift_tallies where due_from = '2020-01-01'`)
      await admin.end()
    }
  })

  it('divides days and weeks by the company’s time zone, not by UTC', async () => {
    const assigned = async (day: string) =>
      (await get(`/analytics/overview?journey=${id}&from=${day}&to=${day}`)).counts.assigned
    await inAcme(async ({ db }) => {
      await sql`update tenants set timezone = 'Pacific/Kiritimati' where id = ${world.acme}`.execute(db)
      await sql`update fact_occurrence set due_at = '2026-03-01T12:00:00Z' where journey_id = ${id}`.execute(
        db,
      )
    })
    try {
      expect([await assigned('2026-03-01'), await assigned('2026-03-02')]).toEqual([0, 6])
      const { weeks } = await get(`/analytics/trend?journey=${id}`)
      expect(weeks.map(({ week }: { week: string }) => week)).toEqual(['2026-03-02'])
    } finally {
      await inAcme(async ({ db }) => {
        await sql`update tenants set timezone = 'UTC' where id = ${world.acme}`.execute(db)
        await sql`update fact_occurrence f set due_at = o.due_at from occurrences o
          where o.id = f.occurrence_id and f.journey_id = ${id}`.execute(db)
      })
    }
  })

  it('says why it counts nothing, and whether the filters contradict each other', async () => {
    const why = async (query: string) => (await get(`/analytics/overview?${query}`)).why_empty
    const cannotBe = async (query: string) => (await get(`/analytics/overview?${query}`)).is_contradictory
    const other = await world.draft(['uri'])
    expect(await why(`journey=${other.id}`)).toBe('This journey has not been launched yet.')
    expect(await why(`journey=${other.id}&lift=${asking}`)).toBe('This lift belongs to another journey.')
    expect(await why(`lift=${silent}&prompt_id=${prompt}`)).toBe('This question belongs to another lift.')
    expect(await why(`lift=${silent}&lift_id=${asking}`)).toMatch(/^Two different lifts/)
    expect(await why(`journey=${other.id}&lo_id=${ofLift}`)).toBe(
      'This objective belongs to another journey.',
    )
    expect(await why(`journey=${id}&user=${world.people.both.user_id}`)).toBe(
      'This person is not a learner of this journey.',
    )
    expect(await why('from=2026-02-02&to=2026-01-01')).toMatch(/^The first day is after the last one/)
    expect(await why('from=2026-02-02&as_of=2026-01-01')).toMatch(/^The figures are as of a day before/)
    expect(await why(`journey=${id}&as_of=2020-01-01T00:00:00Z`)).toMatch(
      /^This journey was launched on [A-Z][a-z]+ \d+, \d{4}, after the day that is shown\.$/,
    )
    expect(await why(`journey=${id}&user=${world.people.adam.user_id}`)).toBe(
      'Everyone who matches is excluded from analytics.',
    )
    expect(await why(`journey=${id}&to=2020-01-01`)).toBe('Nothing that matches these filters was due.')
    expect(await cannotBe(`journey=${other.id}&lift=${asking}`)).toBe(true)
    expect(await cannotBe(`journey=${id}&user=${world.people.adam.user_id}`)).toBe(false)
    expect(await cannotBe(`journey=${id}`)).toBe(false)
  })
})

describe('The filters', () => {
  it('answer 404 for what does not exist or the caller cannot see, and 403 to learners', async () => {
    const filters = { journey: id, lift: asking, lift_id: asking, prompt_id: prompt, lo_id: ofLift }
    const reports = ['overview', 'by_user', 'by_lift', 'filters', 'explain', 'trend', 'timing', 'failures']
    for (const report of reports)
      for (const [name, of] of Object.entries(filters)) {
        const path = `/analytics/${report}?${name}`
        expect([path, await status(`${path}=${of}`)]).toEqual([path, 200])
        expect([path, await status(`${path}=999999`)]).toEqual([path, 404])
        expect([path, await status(`${path}=${of}`, 'greta')]).toEqual([path, 404])
        // Aya learns in this journey, and is the author of others only.
        expect([path, await status(`${path}=${of}`, 'aya')]).toEqual([path, 404])
        expect([path, await status(`${path}=${of}`, 'uri')]).toEqual([path, 403])
      }
    const uri = world.people.uri.user_id
    expect(await status(`/analytics/overview?user=${uri}`)).toBe(200)
    for (const who of ['greta', 'aya'] as const)
      expect([who, await status(`/analytics/overview?user=${uri}`, who)]).toEqual([who, 404])
  })

  it('reject invalid ids, days, orders and pages', async () => {
    const days = [
      'from=2026-02-31',
      'as_of=yesterday',
      'from=0000-01-01',
      'to=9999-12-31',
      'as_of=0000-12-31',
    ]
    for (const query of ['journey=x', 'lo_id=1e999', 'user=-1', ...days])
      expect([query, await status(`/analytics/overview?${query}`)]).toEqual([query, 422])
    for (const query of ['order_by=email', 'order=up', 'per_page=1000', 'page=0'])
      expect([query, await status(`/analytics/by_user?${query}`)]).toEqual([query, 422])
  })

  it('are returned with their names and with the other choices', async () => {
    const choices = await get(`/analytics/filters?journey=${id}&lift=${asking}&lo_id=${ofPrompt}`)
    expect(choices.chosen).toEqual({
      journey: { id, name: 'Better talks' },
      lift: { id: asking, name: 'Listen first' },
      lo_id: { id: ofPrompt, name: 'ask Can ask' },
    })
    const names = (list: { data: { name: string }[] }) => list.data.map(({ name }) => name)
    expect(names(choices.lifts)).toEqual(['Listen first', 'Looking back'])
    expect(names(choices.prompts)).toEqual(['What comes first?', 'What will you do?'])
    expect(names(choices.learners)).toHaveLength(4)
    expect(names(choices.objectives)).toHaveLength(3)
    expect(choices.journeys).toContainEqual({ id, name: 'Better talks', status: 'active' })
    const none = await get('/analytics/filters')
    expect([none.chosen, none.lifts.data, none.learners.data]).toEqual([{}, [], []])
  })
})

describe('The tables', () => {
  it('sort by name and by each of their figures, with rows that have no rate last', async () => {
    const rates = async (query: string) =>
      (await get(`/analytics/by_user?journey=${id}&${query}`)).data.map(
        ({ response }: { response: { n: number } }) => response.n,
      )
    expect(await rates('order_by=answered&order=desc')).toEqual([1, 0, 0])
    expect(await rates('order_by=answered&order=asc')).toEqual([0, 0, 1])
    const people = async (query: string) =>
      (await get(`/analytics/by_user?journey=${id}&${query}`)).data
        .map(({ name }: { name: string }) => name.split(' ')[0])
        .join()
    const deliver = (at: 'accepted_at' | null) =>
      inAcme(({ db }) =>
        sql`update fact_occurrence set delivered_at = ${sql.raw(String(at))}
          where user_id = ${world.people.uri.user_id} or lift_id = ${silent}`.execute(db),
      )
    await deliver('accepted_at')
    for (const [figure, asc, desc] of [
      ['name', 'Aya,Nora,Uri', 'Uri,Nora,Aya'],
      ['sent', 'Aya,Nora,Uri', 'Nora,Uri,Aya'],
      ['opened', 'Uri,Nora,Aya', 'Nora,Uri,Aya'],
      ['completed', 'Aya,Uri,Nora', 'Nora,Aya,Uri'],
      ['activity', 'Uri,Nora,Aya', 'Nora,Uri,Aya'],
    ] as const)
      expect([
        figure,
        await people(`order_by=${figure}&order=asc`),
        await people(`order_by=${figure}&order=desc`),
      ]).toEqual([figure, asc, desc])
    await deliver(null)
    const lifts = async (query: string) =>
      (await get(`/analytics/by_lift?journey=${id}&${query}`)).data.map(
        ({ title }: { title: string }) => title,
      )
    expect(await lifts('')).toEqual(['Listen first', 'Looking back'])
    expect(await lifts('order=desc')).toEqual(['Looking back', 'Listen first'])
    expect(await lifts('order_by=completed&order=desc')).toEqual(['Looking back', 'Listen first'])
    for (const order of ['asc', 'desc'])
      expect(await lifts(`order_by=answered&order=${order}`)).toEqual(['Listen first', 'Looking back'])
  })

  it.each(
    ['name', 'sent', 'opened', 'answered', 'completed', 'activity'].flatMap((order_by) =>
      ['by_user', 'by_lift'].map((report) => [report, order_by] as const),
    ),
  )('%s ordered by %s returns each row on exactly one page', async (report, order_by) => {
    const seen = new Set()
    for (const page of [1, 2, 3]) {
      const path = `/analytics/${report}?journey=${id}&order_by=${order_by}&per_page=1&page=${page}`
      for (const row of (await get(path)).data) seen.add(row.user_id ?? row.lift_id)
    }
    expect(seen.size).toBe(report === 'by_user' ? 3 : 2)
  })

  it('find learners by name', async () => {
    const { data, pagination } = await get(`/analytics/by_user?journey=${id}&q=nora`)
    expect([data.length, data[0].name, pagination.total]).toEqual([1, 'Nora Test', 1])
    expect((await get(`/analytics/by_user?journey=${id}&q=${encodeURIComponent('%')}`)).data).toEqual([])
  })

  it('list the questions of a lift with their response rates, and only tagged ones for an objective', async () => {
    const { prompts } = await get(`/analytics/by_lift?lift=${asking}`)
    expect(prompts.map(({ response }: { response: object }) => response)).toEqual([
      { n: 1, d: 3 },
      { n: 0, d: 3 },
    ])
    const tagged = await get(`/analytics/by_lift?lift=${asking}&lo_id=${ofPrompt}`)
    expect(tagged.prompts.map(({ text }: { text: string }) => text)).toEqual(['What will you do?'])
  })
})

describe('An explained figure', () => {
  const rows = async (query: string) => {
    const answer = await get(`/analytics/explain?journey=${id}&${query}`)
    return {
      ...answer,
      names: answer.data.map(({ name, lift }: { name: string; lift: string }) => `${name}: ${lift}`),
    }
  }

  it('names the learners who have answered and those who have not', async () => {
    const { names, rate, pagination } = await rows('figure=response&outcome=no')
    expect(names).toEqual(['Aya Test: Listen first', 'Nora Test: Listen first'])
    expect([rate, pagination.total]).toEqual([{ n: 1, d: 3 }, 2])
    expect((await rows('figure=response&outcome=yes')).names).toEqual(['Uri Test: Listen first'])
    expect((await rows('figure=response&outcome=no&q=aya')).names).toEqual(['Aya Test: Listen first'])
  })

  it('lists as many rows as the overview counts, for each figure', async () => {
    const overview = await get(`/analytics/overview?journey=${id}`)
    for (const figure of ['coverage', 'delivery', 'open', 'response', 'completion']) {
      const total = async (outcome: string) =>
        (await rows(`figure=${figure}&outcome=${outcome}`)).pagination.total
      const [all, yes, no] = [await total('all'), await total('yes'), await total('no')]
      expect([figure, yes, all, yes + no]).toEqual([figure, overview[figure].n, overview[figure].d, all])
      expect((await rows(`figure=${figure}`)).rate).toEqual(overview[figure])
    }
  })

  it('gives the reason why a message failed', async () => {
    const reasons = async (outcome: string) =>
      (await rows(`figure=coverage&outcome=${outcome}`)).data.map(({ reason }: { reason: string }) => reason)
    expect((await reasons('no')).filter(Boolean)).toEqual(Array(2).fill('The address does not exist'))
    expect((await reasons('yes')).filter(Boolean)).toEqual([])
  })

  it('names the people and lifts that it leaves out', async () => {
    const { left_out } = await rows('figure=response')
    expect(left_out).toMatchObject({
      excluded: { total: 1, data: [{ id: world.people.adam.user_id }] },
      without_questions: { total: 1, data: [{ id: silent, name: 'Looking back' }] },
      ...{ held: 0, left: 0 },
    })
    expect((await rows('figure=completion')).left_out.without_questions.total).toBe(0)
  })

  it('loses no row when it is sorted and paged', async () => {
    for (const order_by of ['name', 'lift', 'due', 'answered', 'completed'])
      for (const order of ['asc', 'desc']) {
        const seen = new Set()
        for (const page of [1, 2, 3, 4, 5, 6])
          for (const row of (
            await rows(`figure=coverage&order_by=${order_by}&order=${order}&per_page=1&page=${page}`)
          ).data)
            seen.add(row.occurrence_id)
        expect([order_by, order, seen.size]).toEqual([order_by, order, 6])
      }
  })
})

describe('The charts', () => {
  it('say how soon learners answered, counting only lifts that were sent long enough ago', async () => {
    const now = await get(`/analytics/timing?journey=${id}`)
    expect(now).toMatchObject({ sent: 2, unsent: 0, within: [{ days: 1, rate: { n: 0, d: 0 } }, {}, {}] })
    expect(now.days[0]).toEqual({ day: 0, answered: 1 })
    await inAcme(({ db }) =>
      sql`update fact_occurrence set accepted_at = accepted_at - interval '4 days' where journey_id = ${id}`.execute(
        db,
      ),
    )
    const later = await get(`/analytics/timing?journey=${id}`)
    expect(later.within.map(({ rate }: { rate: object }) => rate)).toEqual([
      { n: 0, d: 2 },
      { n: 0, d: 2 },
      { n: 0, d: 0 },
    ])
    expect(later.days[4]).toEqual({ day: 4, answered: 1 })
    await inAcme(({ db }) =>
      sql`update fact_occurrence set accepted_at = accepted_at + interval '4 days' where journey_id = ${id}`.execute(
        db,
      ),
    )
  })

  it('count the failed messages by reason', async () => {
    const { data, assigned } = await get(`/analytics/failures?journey=${id}`)
    expect(assigned).toBe(6)
    expect(data).toEqual([
      { outcome: 'failed', code: 'no_such_mailbox', reason: 'The address does not exist', count: 2 },
    ])
  })

  it.each(['from the sums', 'counted'])(
    'are the same in one request as in three, with figures %s',
    async (how) => {
      const query = `journey=${id}${how === 'counted' ? `&prompt_id=${prompt}` : ''}`
      const { trend, timing, failures } = await get(`/analytics/pictures?${query}`)
      const told = async (picture: string) => {
        const { as_of: _, ...rest } = await get(`/analytics/${picture}?${query}`)
        return rest
      }
      expect(trend).toMatchObject(await told('trend'))
      expect(timing).toMatchObject(await told('timing'))
      expect(failures).toMatchObject(await told('failures'))
      expect((await get(`/analytics/pictures?${query}&with_timing=false`)).timing).toBeNull()
      expect([trend.weeks.length, failures.data.length]).toEqual([1, 1])
    },
  )

  it('show the state of each lift for each learner, in pages', async () => {
    const grid = await get(`/lljs/${id}/grid`)
    expect(grid.lifts.map(({ title }: { title: string }) => title)).toEqual(['Listen first', 'Looking back'])
    const cells = Object.fromEntries(
      grid.learners.map(({ name, cells }: { name: string; cells: string[] }) => [name, cells]),
    )
    expect(cells).toMatchObject({
      'Aya Test': ['not_sent', 'not_sent'],
      'Nora Test': ['sent', 'completed'],
    })
    expect(cells['Uri Test'][0]).toBe('answered')
    expect(grid.done).toEqual({ n: 0, d: 3 })
    const second = await get(`/lljs/${id}/grid?per_page=2&page=2`)
    expect([second.learners.length, second.pagination.total, second.lifts_pagination.total]).toEqual([
      1, 3, 2,
    ])
    expect(await status(`/lljs/${id}/grid?per_page=201`)).toBe(422)
    expect(await status(`/lljs/${id}/grid`, 'greta')).toBe(404)
  })
})

const inAcme = inAcmeOf(() => world)

const send = (behave: Parameters<typeof createTestCarrier>[0]) =>
  world.drain(createTestCarrier(behave).carriers)
