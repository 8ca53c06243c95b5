/** Scores: who can give them, for which answers, and what happens when two people score at once. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
let id = 0
let lift = 0
const ask: Record<string, number> = {}
const given: Record<string, number> = {}
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  const made = await world.draft(['uri'], {}, { schedule: { kind: 'manual', at_launch: true } })
  ;({ id, lift } = made)
  const text = { kind: 'short_text', max_score: 10, required: false }
  const questions = {
    sponsored: { ...text, visibility: 'sponsor', scoring: 'sponsor' },
    written: { ...text, visibility: 'sponsor', scoring: 'author' },
    run: { ...text, visibility: 'admins', scoring: 'author' },
    plain: { ...text, visibility: 'sponsor' },
    alone: { ...text, visibility: 'learner_only' },
  }
  for (const [name, question] of Object.entries(questions))
    ask[name] = (
      await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { text: `${name}?`, ...question })
    ).id
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
    ...{ member_ids: [data[0].id], sponsor_user_id: world.people.aya.user_id },
  })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 1, send_now: true })
  await admin.query(`update occurrences set due_at = now() - interval '1 minute' where journey_id = $1`, [id])
  await answer('first words')
})
afterAll(() => world?.drop())

async function answer(value: string) {
  const responses = Object.values(ask).map((prompt_id) => ({ prompt_id, value }))
  await world.must('uri', 'POST', `/lifts/${lift}/responses`, { responses })
  const { rows } = await admin.query(
    'select id::int, prompt_id::int from responses where is_current and prompt_id = any($1)',
    [Object.values(ask)],
  )
  for (const [name, prompt] of Object.entries(ask))
    given[name] = rows.find(({ prompt_id }) => prompt_id === prompt).id
}
type Who = Parameters<JourneysWorld['call']>[0]
const score = (who: Who, name: string, body: object) =>
  world.call(who, 'POST', `/responses/${given[name]}/scores`, body)
const page = async () =>
  new Map(
    (await world.must('uri', 'GET', `/lifts/${lift}/page`)).prompts.map(
      (prompt: { id: number; answer: unknown }) => [prompt.id, prompt.answer],
    ),
  ) as Map<number, { score: unknown }>

const mayScore = ({ may_score }: { may_score: boolean }) => may_score

describe('A score', () => {
  it('is given by a sponsor and shown to the learner, to the author and in the figures', async () => {
    const first = await score('aya', 'sponsored', { points: 7.5, comment: 'Good, now name one customer.' })
    expect([first.status, first.json.by]).toEqual([200, 'sponsor'])
    expect(first.json.score).toMatchObject({ points: 7.5, max_score: 10, version: 1 })
    const told = { points: 7.5, max_score: 10, comment: 'Good, now name one customer.' }
    expect((await page()).get(ask.sponsored ?? 0)?.score).toEqual(told)
    const { data } = await world.must('adam', 'GET', `/lifts/${lift}/responses?prompt_id=${ask.sponsored}`)
    expect(data).toMatchObject([{ ...told, score: 0.75, may_score: false }])
    const { prompts } = await world.must('adam', 'GET', `/analytics/by_lift?journey=${id}&lift=${lift}`)
    const figures = prompts.find(({ prompt_id }: { prompt_id: number }) => prompt_id === ask.sponsored)
    expect(figures.score).toEqual({ n: 1, mean: 7.5, max_score: 10 })
    const notes = await world.must('uri', 'GET', '/notifications')
    const mine = notes.data.filter(({ content }: { content: { title: string } }) =>
      /scored/.test(content.title),
    )
    expect(mine).toMatchObject([{ content: { path: `/lift/${lift}` } }])
    const own = await world.must('uri', 'GET', `/users/${world.people.uri.user_id}/data_export`)
    expect(JSON.stringify(own.answers)).toContain('name one customer')
  })

  it('is in its scorer’s data export without the answer; an author’s export lists journeys and API keys', async () => {
    await world.must('adam', 'POST', '/api_keys', { name: 'For the intranet', role: 'author' })
    const copyOf = (who: 'aya' | 'adam') =>
      world.must(who, 'GET', `/users/${world.people[who].user_id}/data_export`)
    const { scores_given } = await copyOf('aya')
    expect(scores_given).toMatchObject([
      { question: 'sponsored?', max_score: 10, score_comment: 'Good, now name one customer.' },
    ])
    expect(JSON.stringify(scores_given)).not.toContain('first words')
    const own = await copyOf('adam')
    expect(own.api_keys).toMatchObject([{ name: 'For the intranet', role: 'author', revoked_on: null }])
    expect(own.author_of).toMatchObject([{ status: 'active' }])
    expect(JSON.stringify(own)).not.toMatch(/secret|digest|hash/)
  })

  it('is stored once when it is sent twice, and answers 409 to a stale or concurrent score', async () => {
    const body = { points: 7.5, comment: 'Good, now name one customer.', version: 0 }
    const again = await score('aya', 'sponsored', body)
    expect([again.status, again.json.score.version]).toEqual([200, 1])
    const late = await score('aya', 'sponsored', { points: 2, comment: '', version: 0 })
    expect([late.status, late.json.current.score.points]).toEqual([409, 7.5])
    // Points that differ only beyond the shown decimals are the same score.
    for (const nth of [1, 2]) {
      const third = await score('adam', 'written', { points: 3.333, version: 0 })
      expect([nth, third.status, third.json.score]).toMatchObject([nth, 200, { points: 3.33, version: 1 }])
    }
    const { rows } = await admin.query(`select count(*)::int as told from notifications
      where content ->> 'title' = 'Your answer was scored'`)
    expect(rows[0].told).toBe(2)
    const seen = await score('aya', 'sponsored', { points: 8, comment: '', version: 1 })
    expect([seen.status, seen.json.score]).toMatchObject([200, { points: 8, comment: '', version: 2 }])
    const both = await Promise.all([1, 2].map((points) => score('adam', 'run', { points, version: 0 })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('is refused to anyone but the question’s scorer, and for answers that the caller cannot read', async () => {
    for (const [who, name, status] of [
      ['aya', 'written', 403],
      ['aya', 'plain', 403],
      ['aya', 'run', 404],
      ['aya', 'alone', 404],
      ['adam', 'alone', 404],
      ['adam', 'sponsored', 403],
      ['adam', 'plain', 403],
      ['uri', 'sponsored', 404],
      ['uri', 'written', 404],
      ['nora', 'sponsored', 404],
      ['greta', 'written', 404],
    ] as const) {
      const place = who === 'nora' ? { sub: world.north } : {}
      const path = `/responses/${given[name]}`
      const one = await world.call(who, 'GET', path, undefined, place)
      const other = await world.call(who, 'POST', `${path}/scores`, { points: 1 }, place)
      expect([who, name, one.status, other.status]).toEqual([who, name, status, status])
    }
    expect((await world.call('adam', 'POST', '/responses/999999/scores', { points: 1 })).status).toBe(404)
    expect((await score('adam', 'written', { points: 1 })).status).toBe(200)
  })

  it('cannot be given by an administrator of a sub-tenant to a learner outside it', async () => {
    const path = `/responses/${given.written}`
    const own = { sub: world.north }
    await admin.query('update journeys set sub_tenant_id = $1 where id = $2', [world.north, id])
    const tries = [
      await world.call('both', 'GET', `/lifts/${lift}`, undefined, own),
      await world.call('both', 'GET', path, undefined, own),
      await world.call('both', 'POST', `${path}/scores`, { points: 1 }, own),
      await world.call('adam', 'GET', path, undefined, { sub: null }),
    ]
    await admin.query('update journeys set sub_tenant_id = null where id = $1', [id])
    expect(tries.map(({ status }) => status)).toEqual([200, 404, 404, 200])
  })

  it('must be between 0 and the maximum, with a comment of limited length', async () => {
    for (const body of [
      { points: -1 },
      { points: 10.5 },
      { points: '7' },
      {},
      { points: 1, comment: 'x'.repeat(1001) },
      { points: 1, more: 1 },
    ])
      expect([body, (await score('aya', 'sponsored', body)).status]).toEqual([body, 422])
    const above = await score('aya', 'sponsored', { points: 11 })
    expect(above.json.detail).toEqual({ points: ['Please enter 0 to 10'] })
  })

  it('belongs to one answer, so a new answer has to be scored again', async () => {
    const before = given.sponsored
    await answer('other words')
    expect((await world.call('aya', 'POST', `/responses/${before}/scores`, { points: 1 })).status).toBe(409)
    const { data } = await world.must(
      'aya',
      'GET',
      `/sponsors_journeys/${id}/learners/${world.people.uri.user_id}`,
    )
    const mine = data[0].answers.find((one: { id: number }) => one.id === given.sponsored)
    expect(mine).toMatchObject({ points: null, may_score: true, max_score: 10 })
  })

  it('can be asked for only where the scorer can read the answers', async () => {
    const ask = (body: object) =>
      world.call('adam', 'POST', `/lifts/${lift}/prompts`, { kind: 'short_text', text: 'How?', ...body })
    for (const [scoring, visibility, status] of [
      ['sponsor', 'learner_only', 422],
      ['sponsor', 'aggregate_only', 422],
      ['sponsor', 'admins', 422],
      ['author', 'learner_only', 422],
      ['author', 'aggregate_only', 422],
      ['author', 'admins', 201],
    ] as const) {
      const { status: got, json } = await ask({ scoring, visibility })
      expect([scoring, visibility, got]).toEqual([scoring, visibility, status])
      if (status === 422) expect(Object.keys(json.detail)).toEqual(['scoring'])
    }
  })

  it('cannot be given in an archived journey, where nobody is asked for one', async () => {
    const learner = `/sponsors_journeys/${id}/learners/${world.people.uri.user_id}`
    const offered = async () => {
      const one = await world.must('aya', 'GET', learner)
      const { data: run } = await world.must('adam', 'GET', `/lifts/${lift}/responses`)
      const { prompts } = await world.must('uri', 'GET', `/lifts/${lift}/page`)
      return {
        waiting: one.learner.to_score,
        sponsor: one.data[0].answers.filter(mayScore).length,
        author: run.filter(mayScore).length,
        learner: prompts.filter(({ scorer }: { scorer: string | null }) => scorer !== null).length,
      }
    }
    expect(await offered()).toEqual({ waiting: 1, sponsor: 1, author: 2, learner: 3 })
    await admin.query(`update journeys set status = 'archived' where id = $1`, [id])
    expect((await score('aya', 'sponsored', { points: 3 })).status).toBe(409)
    expect(await offered()).toEqual({ waiting: 0, sponsor: 0, author: 0, learner: 0 })
    await admin.query(`update journeys set status = 'active' where id = $1`, [id])
  })

  it('shows the e-mail address of a learner without a name, as every report does', async () => {
    const { email, user_id } = world.people.uri
    const nameless = (first_name: string) =>
      admin.query(`update users set first_name = $1, last_name = '' where id = $2`, [first_name, user_id])
    await nameless('')
    const get = (path: string, who: Who = 'adam') => world.must(who, 'GET', path)
    const { data: answers } = await get(`/lifts/${lift}/responses`)
    const { data: users } = await get(`/analytics/by_user?journey=${id}`)
    const { data: rows } = await get(`/analytics/explain?journey=${id}&figure=coverage`)
    const { name } = await get(`/lljs/${id}/learners/${user_id}/responses`)
    const { data: learners } = await get(`/sponsors_journeys/${id}`, 'aya')
    const { learner } = await get(`/responses/${given.sponsored}`, 'aya')
    const named = [answers[0], users[0], rows[0], { name }, learners[0], learner]
    expect(named.map((one) => one?.name)).toEqual(named.map(() => email))
    await nameless('Uri')
  })

  it('loses its comment when the learner is erased', async () => {
    await score('aya', 'sponsored', { points: 3, comment: 'Uri wrote well.' })
    const { status } = await world.call('adam', 'POST', `/users/${world.people.uri.user_id}/erasure`, {})
    expect(status).toBeLessThan(300)
    const { rows } = await admin.query(`select 1 from responses where score_comment like '%Uri%'`)
    expect(rows).toEqual([])
  })

  it('cannot be given to a learner who is erased, and is not asked for', async () => {
    expect((await score('adam', 'run', { points: 3, comment: 'Uri' })).status).toBe(404)
    expect((await world.call('adam', 'GET', `/responses/${given.run}`)).status).toBe(404)
    const { data } = await world.must('adam', 'GET', `/lifts/${lift}/responses`)
    expect([data.length > 0, data.some(mayScore)]).toEqual([true, false])
  })

  it('leaves a line in the audit log', async () => {
    const { rows } = await admin.query(
      `select distinct action || ' ' || subject_type as line from audit_events where action = 'answer.scored'`,
    )
    expect(rows).toEqual([{ line: 'answer.scored lift' }])
  })
})
