/** Figures about objectives, for learners measured twice, in groups of five; and how long answers take. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rederiveFacts } from '#app/domain/occurrences/facts.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const inAcme = inAcmeOf(() => world)

const one = async (scope: Scope, query: ReturnType<typeof sql<{ id: number }>>): Promise<number> =>
  (await query.execute(scope.db)).rows[0]?.id ?? 0

/** A journey with one objective, some learners, and two items on a scale of five. */
async function measured(name: string, learners: number) {
  const { id } = await world.draft([], { name })
  const made = await inAcme(async (scope) => {
    const objective = await one(
      scope,
      sql`insert into learning_objectives (tenant_id, journey_id, code, text, position)
        values (${world.acme}, ${id}, 'LO1', 'Listen', 1) returning id`,
    )
    const assessments: Record<string, { id: number; items: [number, number] }> = {}
    for (const phase of ['pre', 'post']) {
      const assessment = await one(
        scope,
        sql`insert into assessments (tenant_id, journey_id, name, phase, raters, opens, is_stale) values
          (${world.acme}, ${id}, ${phase}, ${phase}, '{self,sponsor}',
           '{"kind": "offset", "from": "start", "days": 0, "time": null}', false) returning id`,
      )
      const item = (weight: number) =>
        one(
          scope,
          sql`insert into assessment_items (tenant_id, assessment_id, position, text, kind, objective_id, weight, anchors)
            values (${world.acme}, ${assessment}, ${weight}, 'How well?', 'scale', ${objective}, ${weight},
              '{a,b,c,d,e}') returning id`,
        )
      assessments[phase] = { id: assessment, items: [await item(1), await item(3)] }
    }
    const { rows } = await sql<{ id: number }>`
      with made as (insert into users (tenant_id, email, first_name, last_name, activation_status)
        select ${world.acme}, ${name} || n || '@acme.example', 'L', n::text, 'active' from generate_series(1, ${learners}::int) n
        returning tenant_id, id)
      insert into members (tenant_id, journey_id, user_id, role, state) select tenant_id, ${id}::bigint, id, 'learner', 'active'
      from made returning id`.execute(scope.db)
    return { objective, assessments, members: rows.map((row) => row.id) }
  })
  let minute = 0
  const say = (
    phase: 'pre' | 'post',
    rater: 'self' | 'sponsor',
    member: number,
    steps: [number | null, number | null],
  ) => {
    const about = made.assessments[phase] as { id: number; items: [number, number] }
    const answers = Object.fromEntries(about.items.map((item, nth) => [item, steps[nth]]))
    minute += 1
    return inAcme(({ db }) =>
      sql`insert into assessment_forms (tenant_id, journey_id, assessment_id, subject_id, rater, rater_id, state, answers,
          submitted_at) values (${world.acme}, ${id}, ${about.id}, ${member}, ${rater}, ${member}, 'submitted',
          ${JSON.stringify(answers)}, now() - interval '5 hours' + ${minute} * interval '1 minute')`.execute(
        db,
      ),
    )
  }
  const figures = async (more = '') =>
    (await world.must('adam', 'GET', `/analytics/assessments?journey=${id}${more}`)).data[0]
  return { id, ...made, say, figures }
}

it('The change of an objective counts only learners with both measurements, and follows the formula', async () => {
  const { members, say, figures } = await measured('paired', 8)
  // Level of an answer: (step - 1) / 4; the second item counts three times.
  const before: [number, number][] = [
    [1, 1],
    [2, 2],
    [3, 3],
    [1, 2],
    [2, 3],
  ]
  const after: [number, number][] = [
    [3, 3],
    [2, 4],
    [5, 5],
    [2, 2],
    [1, 4],
  ]
  for (const [nth, steps] of before.entries()) await say('pre', 'self', members[nth] ?? 0, steps)
  await say('pre', 'self', members[5] ?? 0, [5, 5])
  for (const [nth, steps] of after.entries()) {
    expect((await figures()).self_change).toMatchObject({
      pairs: nth,
      counted: 0,
      difference: null,
      before: null,
    })
    await say('post', 'self', members[nth] ?? 0, steps)
  }
  const level = ([one, three]: [number, number]) => ((one - 1) / 4 + (3 * (three - 1)) / 4) / 4
  const changes = before.map((steps, nth) => level(after[nth] ?? [0, 0]) - level(steps))
  const mean = changes.reduce((sum, change) => sum + change, 0) / 5
  const deviation = Math.sqrt(changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / 4)
  const found = (await figures()).self_change
  expect(found).toMatchObject({ pairs: 5, counted: 5 })
  expect(found.difference).toBeCloseTo(mean, 12)
  expect(found.d_z).toBeCloseTo(mean / deviation, 12)
  // qt(0.975, 4) of R.
  expect(found.high - found.difference).toBeCloseTo((2.77644510519779 * deviation) / Math.sqrt(5), 10)
  expect(found.low).toBeCloseTo(2 * found.difference - found.high, 12)
  // Answers with less than half of the weight give no score, and without a score there is no pair.
  await say('post', 'self', members[5] ?? 0, [5, null])
  expect((await figures()).self_change).toMatchObject({ pairs: 5, counted: 5 })
})

it('Pairs count in groups of five: a sixth changes nothing, and excluding one learner hides the group', async () => {
  const { id, members, say, figures } = await measured('fives', 10)
  for (const member of members.slice(0, 5)) {
    await say('pre', 'sponsor', member, [2, 2])
    await say('pre', 'self', member, [3, 4])
  }
  const { gap_before } = await figures()
  expect(gap_before).toMatchObject({ pairs: 5, counted: 5, d_z: null })
  expect(gap_before.difference).toBeCloseTo((2 * 1 + 3 * 3 - 1 - 3) / 16, 12)
  await say('pre', 'sponsor', members[5] ?? 0, [1, 1])
  await say('pre', 'self', members[5] ?? 0, [5, 5])
  expect((await figures()).gap_before).toEqual({ ...gap_before, pairs: 6 })
  const exclude = (exclude_data: boolean) =>
    world.must('adam', 'PATCH', `/lljs/${id}/members`, { member_ids: [members[0]], exclude_data })
  await exclude(true)
  expect((await figures()).gap_before).toMatchObject({ pairs: 5, counted: 0, difference: null })
  await exclude(false)
  expect((await figures()).gap_before).toEqual({ ...gap_before, pairs: 6 })
  const long_ago = encodeURIComponent('2020-01-01T00:00:00Z')
  expect((await figures(`&as_of=${long_ago}`)).gap_before).toMatchObject({ pairs: 0, counted: 0 })
})

it('A page beyond the last one still gives the total', async () => {
  const get = async (page: number) =>
    (await world.must('adam', 'GET', `/analytics/assessments?page=${page}`)).pagination.total
  expect(await get(1)).toBeGreaterThan(0)
  expect(await get(99)).toBe(await get(1))
})

it('Figures about objectives are hidden from other authors, other companies and learners', async () => {
  const { id, objective } = await measured('reach', 1)
  expect((await world.call('aya', 'GET', '/analytics/assessments')).json.data).toEqual([])
  for (const filter of [`journey=${id}`, `lo_id=${objective}`]) {
    expect((await world.call('adam', 'GET', `/analytics/assessments?${filter}`)).status).toBe(200)
    for (const who of ['aya', 'greta'] as const)
      expect((await world.call(who, 'GET', `/analytics/assessments?${filter}`)).status).toBe(404)
  }
  expect((await world.call('aya', 'GET', `/analytics/time_to_answer?journey=${id}`)).status).toBe(404)
  expect((await world.call('uri', 'GET', '/analytics/assessments')).status).toBe(403)
})

it('The median time to answer is given with and without the learners who have not answered', async () => {
  const { id, lift } = await world.draft(['uri', 'aya', 'adam', 'nora', 'both'], { name: 'Silent' })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  // Sent six hours ago and answered after 10, 20 and 100 minutes; two have not answered.
  await inAcme(async (scope) => {
    await sql`update occurrences o set due_at = now() - interval '6 hours', state = 'sent',
        first_response_at = case n when 1 then now() - interval '350 minutes' when 2 then now() - interval '340 minutes'
          when 3 then now() - interval '260 minutes' end
      from (select id, row_number() over (order by id) as n from occurrences where journey_id = ${id}) nth
      where nth.id = o.id`.execute(scope.db)
    await rederiveFacts(scope, id)
  })
  const ask = (more = '') => world.must('adam', 'GET', `/analytics/time_to_answer?journey=${id}${more}`)
  expect(await ask()).toMatchObject({ asked: 5, answered: 3, median: 20, median_of_all: 100 })
  expect(await ask(`&lift=${lift}`)).toMatchObject({ asked: 5, answered: 3, median_of_all: 100 })
  const hour = encodeURIComponent(new Date(Date.now() - 5 * 3_600_000).toISOString())
  expect(await ask(`&as_of=${hour}`)).toMatchObject({
    asked: 5,
    answered: 2,
    median: 10,
    median_of_all: null,
  })
  // A time in the future gives today's figures.
  expect(await ask('&as_of=9999-12-31T00:00:00Z')).toMatchObject({ asked: (await ask()).asked })
})
