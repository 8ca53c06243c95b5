/** Who reads the answers of learners: the people named by the question when it was answered, and nobody else. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnsweredLift } from '#app/domain/responses/response.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())

type Made = { id: number; lift: number; ask: Record<string, number> }

/** A running journey of Aya's with a question of each given kind; Uri and Nora learn. */
async function running(questions: Record<string, object>): Promise<Made> {
  const { id, lift } = await world.draft(
    ['uri', 'nora'],
    {},
    { schedule: { kind: 'manual', at_launch: true } },
  )
  await world.must('adam', 'PATCH', `/lljs/${id}/author`, { author_id: world.people.aya.user_id })
  const ask: Record<string, number> = {}
  for (const [name, question] of Object.entries(questions)) {
    const made = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { text: `${name}?`, ...question })
    ask[name] = made.id
  }
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 2, send_now: true })
  return { id, lift, ask }
}

const answer = (who: 'uri' | 'nora', { lift, ask }: Made, values: Record<string, unknown>) =>
  world.must(who, 'POST', `/lifts/${lift}/responses`, {
    responses: Object.entries(values).map(([name, value]) => ({ prompt_id: ask[name], value })),
  })
const words = (list: { data: { words: string }[] }) => list.data.map((one) => one.words)

describe('The answers to a lift', () => {
  let made: Made
  beforeAll(async () => {
    made = await running({
      mine: { kind: 'short_text', visibility: 'learner_only' },
      counted: { kind: 'short_text', visibility: 'aggregate_only' },
      run: { kind: 'long_text', visibility: 'admins' },
      will: { kind: 'commitment', visibility: 'sponsor' },
      order: {
        kind: 'ranking',
        options: [
          { id: 'x', text: 'Price' },
          { id: 'y', text: 'Trust' },
        ],
        visibility: 'admins',
      },
      sure: { kind: 'confidence', visibility: 'admins' },
    })
    await answer('uri', made, {
      ...{ mine: 'mine-alone', counted: 'only-counted', run: '100 % of them asked me_back' },
      ...{ will: { what: 'call Bob', by: '2099-11-25' }, order: ['y', 'x'], sure: 8 },
    })
    await answer('nora', made, { run: 'Nothing yet', order: ['x', 'y'], sure: 5 })
  })

  it('are shown with names to the author and administrators, in words, newest first', async () => {
    for (const who of ['aya', 'adam'] as const) {
      const list = await world.must(who, 'GET', `/lifts/${made.lift}/responses`)
      expect(words(list).sort()).toEqual([
        '1. Price, 2. Trust',
        '1. Trust, 2. Price',
        '100 % of them asked me_back',
        '5 of 10',
        '8 of 10',
        'I will call Bob by Nov 25, 2099',
        'Nothing yet',
      ])
      expect(list.data[0].name).toBe('Nora Test')
    }
  })

  it('are found by question, name, text and chosen option', async () => {
    const found = async (query: string) =>
      words(await world.must('adam', 'GET', `/lifts/${made.lift}/responses?${query}`))
    expect(await found(`prompt_id=${made.ask.run}`)).toEqual(['Nothing yet', '100 % of them asked me_back'])
    expect(await found('q=nora')).toHaveLength(3)
    expect(await found('q=nòra')).toHaveLength(3)
    expect(await found('q=call')).toEqual(['I will call Bob by Nov 25, 2099'])
    expect(await found('q=trust')).toHaveLength(2)
    expect(await found(`q=${encodeURIComponent('100 %')}`)).toHaveLength(1)
    expect(await found(`q=${encodeURIComponent('%')}`)).toHaveLength(1)
    expect(await found('q=me_b')).toHaveLength(1)
    expect(await found('q=mine-alone')).toEqual([])
  })

  it('appear on exactly one page each', async () => {
    const page = async (nth: number) =>
      (await world.must('adam', 'GET', `/lifts/${made.lift}/responses?per_page=3&page=${nth}`)).data.map(
        ({ id }: { id: number }) => id,
      )
    const all = [...(await page(1)), ...(await page(2)), ...(await page(3))]
    expect(new Set(all).size).toBe(7)
    const refused = await world.call('adam', 'GET', `/lifts/${made.lift}/responses?per_page=1000`)
    expect(refused.status).toBe(422)
  })

  it('are closed to learners and other companies, and not found for a missing lift, question or learner', async () => {
    const statusOf = async (who: 'uri' | 'greta' | 'adam', path: string) =>
      (await world.call(who, 'GET', path)).status
    const user = world.people.uri.user_id
    for (const path of [`/lifts/${made.lift}/responses`, `/lljs/${made.id}/learners/${user}/responses`]) {
      expect([path, await statusOf('uri', path)]).toEqual([path, 403])
      expect([path, await statusOf('greta', path)]).toEqual([path, 404])
    }
    expect(await statusOf('adam', `/lifts/${made.lift}/responses?prompt_id=999999`)).toBe(404)
    expect(await statusOf('adam', '/lifts/999999/responses')).toBe(404)
    const author = world.people.aya.user_id
    expect(await statusOf('adam', `/lljs/${made.id}/learners/${author}/responses`)).toBe(404)
  })

  it('are listed by learner with lifts, states and times, without answers that nobody else can read', async () => {
    const user = world.people.uri.user_id
    const learner = await world.must('aya', 'GET', `/lljs/${made.id}/learners/${user}/responses`)
    expect(learner).toMatchObject({ name: 'Uri Test', sponsor: null, has_left: false })
    const [lift] = learner.data
    expect(lift).toMatchObject({ title: 'Listen first', state: 'responded' })
    expect([lift.due_at, lift.opened_at, lift.responded_at].map((at) => typeof at)).toEqual([
      'string',
      'string',
      'string',
    ])
    expect(
      lift.answers.map(({ visibility, words: said }: { visibility: string; words: string | null }) => [
        visibility,
        said,
      ]),
    ).toEqual([
      ['learner_only', null],
      ['aggregate_only', null],
      ['admins', '100 % of them asked me_back'],
      ['sponsor', 'I will call Bob by Nov 25, 2099'],
      ['admins', '1. Trust, 2. Price'],
      ['admins', '8 of 10'],
    ])
    expect(JSON.stringify(learner)).not.toMatch(/mine-alone|only-counted/)
    const search = async (q: string) =>
      (await world.must('aya', 'GET', `/lljs/${made.id}/learners/${user}/responses?q=${q}`)).data.length
    expect([await search('bob'), await search('listen'), await search('mine-alone')]).toEqual([1, 1, 0])
  })

  it('are summarized as a mean for a confidence question and as mean ranks for a ranking', async () => {
    const { prompts } = await world.must('adam', 'GET', `/analytics/by_lift?lift=${made.lift}`)
    const of = (name: string) =>
      prompts.find(({ prompt_id }: { prompt_id: number }) => prompt_id === made.ask[name])
    expect(of('sure')).toMatchObject({ mean: 6.5, counted: 2, response: { n: 2, d: 2 } })
    expect(of('sure').options).toHaveLength(11)
    expect(of('order').options).toMatchObject([
      { text: 'Price', count: 1, mean_rank: 1.5 },
      { text: 'Trust', count: 1, mean_rank: 1.5 },
    ])
    expect(of('mine')).toMatchObject({ response: { n: 1, d: 2 }, options: [], counted: 0 })
  })
})

describe('The reports of answers', () => {
  let made: Made
  let objective: number
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  beforeAll(async () => {
    made = await running({ run: { kind: 'long_text', visibility: 'admins' } })
    const { id } = await world.must('adam', 'POST', `/lljs/${made.id}/learning_objectives`, {
      ...{ code: 'A', text: 'Asks' },
    })
    objective = id
    await answer('uri', made, { run: 'Before' })
    await answer('nora', made, { run: 'Of Nora' })
    // Sent four days ago; Uri answered three days ago, and again now.
    for (const table of ['occurrences', 'fact_occurrence'])
      await admin.query(`update ${table} set due_at = $1 where lift_id = $2`, [daysAgo(4), made.lift])
    await admin.query('update occurrences set opened_at = $1, first_response_at = $1 where lift_id = $2', [
      ...[daysAgo(3), made.lift],
    ])
    await admin.query(`update responses set submitted_at = $1 where value = '"Before"'`, [daysAgo(3)])
    await answer('uri', made, { run: 'After' })
  })
  const ofLift = async (filters: Record<string, string | number>) =>
    words(
      await world.must(
        'adam',
        'GET',
        `/lifts/${made.lift}/responses?${new URLSearchParams(filters as Record<string, string>)}`,
      ),
    ).sort()
  const ofUri = async (filters: Record<string, string | number>) => {
    const path = `/lljs/${made.id}/learners/${world.people.uri.user_id}/responses`
    const { data } = await world.must(
      'adam',
      'GET',
      `${path}?${new URLSearchParams(filters as Record<string, string>)}`,
    )
    return data.map(({ state, responded_at, answers }: AnsweredLift) => [
      ...[state, responded_at !== null],
      ...answers.map(({ words: said }) => said),
    ])
  }

  it('show answers and states as they were at the as_of time', async () => {
    expect(await ofLift({})).toEqual(['After', 'Of Nora'])
    expect(await ofLift({ as_of: daysAgo(2) })).toEqual(['Before'])
    expect(await ofLift({ as_of: daysAgo(3.5) })).toEqual([])
    expect(await ofUri({})).toEqual([['responded', true, 'After']])
    expect(await ofUri({ as_of: daysAgo(2) })).toEqual([['responded', true, 'Before']])
    expect(await ofUri({ as_of: daysAgo(3.5) })).toEqual([['sent', false]])
    expect(await ofUri({ as_of: daysAgo(5) })).toEqual([['planned', false]])
  })

  it('say for each lift whether its message failed', async () => {
    const path = `/lljs/${made.id}/learners/${world.people.uri.user_id}/responses`
    await admin.query(`update fact_occurrence set delivery = 'failed' where lift_id = $1`, [made.lift])
    const { data } = await world.must('adam', 'GET', path)
    expect(data).toMatchObject([{ state: 'responded', delivery: 'failed' }])
  })

  it('leave out lifts due on other days, other learners and other objectives', async () => {
    const [before, after] = [daysAgo(6).slice(0, 10), daysAgo(2).slice(0, 10)]
    expect(await ofLift({ from: before, to: after })).toEqual(['After', 'Of Nora'])
    expect(await ofUri({ from: before, to: after })).toHaveLength(1)
    for (const days of [{ from: after }, { to: before }]) {
      expect([days, await ofLift(days), await ofUri(days)]).toEqual([days, [], []])
    }
    expect(await ofLift({ user: String(world.people.nora.user_id) })).toEqual(['Of Nora'])
    expect([await ofLift({ lo_id: objective }), await ofUri({ lo_id: objective })]).toEqual([[], []])
    const prompt = `/prompts/${made.ask.run}`
    const tagged = { kind: 'long_text', text: 'run?', visibility: 'admins', objective_ids: [objective] }
    await world.must('adam', 'PUT', prompt, tagged)
    expect(await ofLift({ lo_id: objective })).toEqual(['After', 'Of Nora'])
    expect(await ofUri({ lo_id: objective, prompt_id: made.ask.run ?? 0 })).toHaveLength(1)
  })

  it('answer 404 when a filter names something that does not exist', async () => {
    const uri = world.people.uri.user_id
    for (const path of [
      `/lifts/${made.lift}/responses?user=999999`,
      `/lifts/${made.lift}/responses?lo_id=999999`,
      `/lljs/${made.id}/learners/${uri}/responses?lift_id=999999`,
      `/lljs/${made.id}/learners/${uri}/responses?prompt_id=999999`,
    ])
      expect([path, (await world.call('adam', 'GET', path)).status]).toEqual([path, 404])
  })
})

describe('The promise of who can read an answer', () => {
  it('is shown to the learner; narrowing it hides earlier answers, widening it does not reach sent lifts', async () => {
    const made = await running({
      narrowed: { kind: 'short_text', visibility: 'sponsor' },
      widened: { kind: 'short_text', visibility: 'admins' },
    })
    const page = async () => (await world.must('uri', 'GET', `/lifts/${made.lift}/page`)).prompts
    const seen = async () =>
      Object.fromEntries(
        (await page()).map((one: { text: string; visibility: string }) => [one.text, one.visibility]),
      )
    await answer('uri', made, { narrowed: 'first words' })
    const change = (name: string, visibility: string) =>
      world.must('adam', 'PUT', `/prompts/${made.ask[name]}`, {
        ...{ kind: 'short_text', text: `${name}?`, visibility },
      })
    await change('narrowed', 'learner_only')
    // Nobody has answered this one, so more people can be allowed to read it; the lifts already sent keep the old
    // promise.
    await change('widened', 'sponsor')
    expect(await seen()).toMatchObject({ 'narrowed?': 'learner_only', 'widened?': 'admins' })
    await answer('uri', made, { widened: 'second words' })
    const list = await world.must('adam', 'GET', `/lifts/${made.lift}/responses`)
    expect(words(list)).toEqual(['second words'])
    const { rows } = await admin.query('select visibility from responses where lift_id = $1 order by id', [
      made.lift,
    ])
    expect(rows.map((row) => row.visibility)).toEqual(['learner_only', 'admins'])
  })
})

it('A question is counted as asked of those whose version of the lift has it', async () => {
  const made = await running({ run: { kind: 'long_text', visibility: 'admins' } })
  await answer('uri', made, { run: 'Walk' })
  const asked = async () => {
    const { prompts } = await world.must('adam', 'GET', `/analytics/by_lift?lift=${made.lift}`)
    return prompts.find(({ prompt_id }: { prompt_id: number }) => prompt_id === made.ask.run).response
  }
  expect(await asked()).toEqual({ n: 1, d: 2 })
  await admin.query(
    `insert into lift_versions (tenant_id, lift_id, version, content)
     select tenant_id, lift_id, 99, content || '{"prompts": []}' from lift_versions where lift_id = $1 limit 1`,
    [made.lift],
  )
  await admin.query(
    `update occurrences set content_version = 99 where lift_id = $1
     and member_id = (select member_id from responses where lift_id = $1)`,
    [made.lift],
  )
  expect(await asked()).toEqual({ n: 0, d: 1 })
})

describe('Answers that are only counted', () => {
  async function asking(many: number) {
    const { id, lift } = await world.draft([], {}, { schedule: { kind: 'manual', at_launch: true } })
    const { id: prompt } = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, {
      ...{ kind: 'scale', text: 'How was it?', visibility: 'aggregate_only' },
    })
    const { rows } = await admin.query(
      `insert into users (tenant_id, email, first_name, last_name, activation_status, accepted_terms_on)
       select $1, 'many-' || n || '@lift-' || $3 || '.example', 'Many', 'No ' || n, 'active', now()
       from generate_series(1, $2::int) n returning id`,
      [world.acme, many, lift],
    )
    const people = rows.map((row) => Number(row.id))
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: people })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: many, send_now: true })
    const members = await admin.query(
      'select id from members where journey_id = $1 and user_id = any($2) order by user_id',
      [id, people],
    )
    const memberOf = (nth: number) => Number(members.rows[nth]?.id)
    const say = async (nth: number, value: number) => {
      const own = [memberOf(nth), prompt]
      await admin.query(
        'update responses set is_current = false where member_id = $1 and prompt_id = $2',
        own,
      )
      await admin.query(
        // In milliseconds, like a report's own time: a report in the same millisecond counts the answer.
        `insert into responses (tenant_id, member_id, prompt_id, lift_id, prompt_version, value, submitted_at)
         values ($3, $1, $2, $4, 1, to_jsonb($5::int), date_trunc('milliseconds', now()))`,
        [...own, world.acme, lift, value],
      )
    }
    const shown = async (query = '') => {
      const { prompts } = await world.must('adam', 'GET', `/analytics/by_lift?lift=${lift}${query}`)
      const found = prompts.find(({ prompt_id }: { prompt_id: number }) => prompt_id === prompt)
      return found && [found.response.n, found.counted, found.mean]
    }
    return { id, lift, people, memberOf, say, shown }
  }

  it('are shown only in complete groups of five, whatever the filters and exclusions', async () => {
    const { id, lift, people, memberOf, say, shown } = await asking(11)
    for (const nth of [0, 1, 2, 3]) await say(nth, 1)
    expect(await shown()).toEqual([4, 0, null])
    await say(4, 1)
    expect(await shown()).toEqual([5, 5, 1])
    for (const nth of [5, 6, 7, 8]) await say(nth, 5)
    expect(await shown()).toEqual([9, 5, 1])
    await say(9, 5)
    expect(await shown()).toEqual([10, 10, 3])
    // Filtering by one learner does not show that learner's answer.
    expect(await shown(`&user=${people[0]}`)).toEqual([1, 10, 3])
    // Excluding one person removes their group of five: no four of five remain.
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
      ...{ member_ids: [memberOf(0)], exclude_data: true },
    })
    expect(await shown()).toEqual([9, 5, 5])
    expect((await world.must('adam', 'GET', `/lifts/${lift}/responses`)).data).toEqual([])
  })

  it('stay in the report as they were when their group of five was complete, even if changed later', async () => {
    const { say, shown } = await asking(10)
    for (const nth of [0, 1, 2, 3]) await say(nth, 1)
    await say(0, 2)
    await say(4, 1)
    expect(await shown()).toEqual([5, 5, 1.2])
    await say(1, 5)
    expect(await shown()).toEqual([5, 5, 1.2])
    for (const nth of [5, 6, 7, 8]) await say(nth, 5)
    expect(await shown()).toEqual([9, 5, 1.2])
    await say(5, 3)
    await say(9, 5)
    expect(await shown()).toEqual([10, 10, 2.9])
    await say(9, 1)
    await say(1, 2)
    expect(await shown()).toEqual([10, 10, 2.9])
  })
})

it('People who run a sub-tenant’s journey see the progress of outsiders, but no names and no answers', async () => {
  const { id, lift } = await world.draft(['uri'], {}, { schedule: { kind: 'manual', at_launch: true } })
  const { id: run } = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, {
    ...{ text: 'run?', kind: 'long_text', visibility: 'admins' },
  })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 1, send_now: true })
  await answer('uri', { id, lift, ask: { run } }, { run: 'Between us' })
  await admin.query('update journeys set sub_tenant_id = $1 where id = $2', [world.north, id])
  const ofUri = `/lljs/${id}/learners/${world.people.uri.user_id}/responses`

  const [all, own] = [null, world.north].map((sub) => ({ sub }))
  const words = async (who: 'adam' | 'both', path: string, options?: typeof all) =>
    JSON.stringify(await world.must(who, 'GET', path, undefined, options))
  expect(await words('adam', ofUri, all)).toContain('Between us')
  expect(await words('adam', `/lifts/${lift}/responses`, all)).toContain('Between us')
  for (const path of [ofUri, `${ofUri}?q=Between`, `/lifts/${lift}/responses`])
    expect(await words('both', path, own)).not.toContain('Between us')
  const seen = (search: string) => world.must('both', 'GET', `${ofUri}${search}`, undefined, own)
  expect(await seen('')).toMatchObject({
    ...{ name: 'Someone outside this sub-tenant', data: [{ title: 'Listen first', answers: [] }] },
  })
  expect((await seen('?q=listen')).data).toHaveLength(1)
  // Nor does a search reveal the words.
  expect((await seen('?q=Between')).data).toEqual([])
  const { prompts } = await world.must('both', 'GET', `/analytics/by_lift?lift=${lift}`, undefined, own)
  expect(prompts.find((one: { prompt_id: number }) => one.prompt_id === run)).toMatchObject({
    response: { n: 1 },
    counted: 0,
  })
})
