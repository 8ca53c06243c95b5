/** Whoever writes at the moment of an erasure, the erased person or somebody about them, leaves nothing behind. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AssessmentsWorld, createAssessmentsWorld } from '#tests/api/assessments/assessments-world.ts'
import { createTestCarrier, dateIn } from '#tests/api/journeys/journeys-world.ts'

const WORDS = 'My very own words'
let world: AssessmentsWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createAssessmentsWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())

async function sent(to: 'uri' | 'nora') {
  const { id, lift } = await world.draft([to], { name: `To ${to}` })
  const prompt = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, {
    kind: 'short_text',
    text: 'You?',
  })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  return { lift, prompt_id: prompt.id as number }
}

const answer = (who: 'uri' | 'nora', { lift, prompt_id }: Awaited<ReturnType<typeof sent>>) =>
  world.call(who, 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id, value: WORDS }] })
const erase = (who: 'uri' | 'nora' | 'both') =>
  world.call('adam', 'POST', `/users/${world.people[who].user_id}/erasure`, {})

const kept = async () => {
  const { rows } = await admin.query(
    `select (select count(*)::int from responses where value::text like '%' || $1 || '%') as answers,
      (select count(*)::int from audit_events where actor_email = any($2)) as lines`,
    [WORDS, ['uri', 'nora'].map((who) => world.people[who as 'uri'].email)],
  )
  return rows[0]
}

it('an answer that is being saved is erased with its learner', async () => {
  const made = await sent('uri')
  await admin.query('begin')
  await admin.query('select from fact_occurrence where lift_id = $1 for update', [made.lift])
  const answered = answer('uri', made)
  await expect.poll(world.database.countWaiting).toBe(1)
  const erased = erase('uri')
  await sleep(300)
  await admin.query('commit')
  expect([(await answered).status, (await erased).status]).toEqual([200, 200])
  expect(await kept()).toEqual({ answers: 0, lines: 0 })
})

it('an answer that arrives during the erasure is rejected', async () => {
  const made = await sent('nora')
  await admin.query('begin')
  await admin.query('lock table ended_sessions in exclusive mode')
  const erased = erase('nora')
  await expect.poll(world.database.countWaiting).toBe(1)
  const answered = answer('nora', made)
  await sleep(300)
  await admin.query('commit')
  expect([(await erased).status, (await answered).status]).toEqual([200, 401])
  expect(await kept()).toEqual({ answers: 0, lines: 0 })
})

it('what others write to and about somebody during the erasure is rejected', async () => {
  const [lena, sam] = [await world.person('Lena'), await world.person('Sam')]
  const { id, lift } = await world.draft([])
  const shared = { visibility: 'sponsor', required: false }
  const [scored, promised] = [
    { kind: 'short_text', text: 'You?', scoring: 'sponsor', max_score: 10, ...shared },
    { kind: 'commitment', text: 'Next?', ...shared },
  ]
  const ask = async (body: object) => (await world.must('adam', 'POST', `/lifts/${lift}/prompts`, body)).id
  const [question, promise] = [await ask(scored), await ask(promised)]
  await world.sponsor(id, sam, await world.add(id, [lena]))
  const before = await world.create(id, { raters: ['sponsor'] })
  const after = await world.create(id, { phase: 'post', name: 'After', raters: ['sponsor'] })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await world.work()
  const form = ({ id }: { id: number }) => `/assessments/${id}/forms/${lena.user_id}`
  const written = (items: { id: number; kind: string }[], value: string) => ({
    answers: items.filter(({ kind }) => kind === 'text').map((item) => ({ item_id: item.id, value })),
    submit: true,
  })
  const responses = [
    { prompt_id: question, value: 'Me' },
    { prompt_id: promise, value: { what: WORDS, by: dateIn(5) } },
  ]
  const answered = await world.ask(lena, 'POST', `/lifts/${lift}/responses`, { responses })
  const filled = await world.ask(sam, 'PUT', form(before), written(before.items, 'Nothing'))
  expect([answered.status, filled.status]).toEqual([200, 200])
  const { rows: given } = await admin.query(
    `select r.id, c.id as commitment from responses r, commitments c where r.prompt_id = $1 and c.prompt_id = $2`,
    [question, promise],
  )

  await admin.query('begin')
  await admin.query('lock table exports in exclusive mode')
  const erased = world.call('adam', 'POST', `/users/${lena.user_id}/erasure`, {})
  await expect.poll(world.database.countWaiting).toBe(1)
  const said = [
    world.ask(sam, 'POST', `/lljs/${id}/encouragements`, { user_id: lena.user_id, text: WORDS }),
    world.ask(sam, 'POST', `/commitments/${given[0].commitment}/acknowledge`, {}),
    world.ask(sam, 'POST', `/responses/${given[0].id}/scores`, { points: 1, comment: WORDS }),
    world.ask(sam, 'PUT', form(after), written(after.items, WORDS)),
    world.call('adam', 'POST', `${form(before)}/reopen`, { reason: WORDS, rater: 'sponsor' }),
  ]
  await sleep(300)
  await admin.query('commit')
  const statuses = (await Promise.all(said)).map(({ status }) => status)
  expect([(await erased).status, ...statuses]).toEqual([200, 404, 404, 404, 404, 409])
  const { rows: left } = await admin.query(
    `select (select count(*)::int from encouragements where said = $1) as encouragements,
      (select count(*)::int from notifications where content::text like '%' || $1 || '%') as notifications,
      (select count(*)::int from responses where score_comment = $1) as comments,
      (select count(*)::int from assessment_forms where answers::text like '%' || $1 || '%'
        or reopened_reason = $1) as forms`,
    [WORDS],
  )
  expect(left).toEqual([{ encouragements: 0, notifications: 0, comments: 0, forms: 0 }])
})

it('a message that is being sent stays in the analytics', async () => {
  const { id } = await world.draft(['both'])
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  const { carriers, taken } = createTestCarrier(async () => {
    expect((await erase('both')).status).toBe(200)
  })
  await world.drain(carriers)
  const { learners, counts } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
  expect([taken.length, learners, counts.assigned, counts.accepted]).toEqual([1, 1, 1, 1])
})

it('a running import continues without the address of the erased person who started it', async () => {
  const { adam, aya } = world.people
  const body = new FormData()
  const rows = Array.from({ length: 2_000 }, (_, nth) => `p${nth}@meanwhile.example,P`)
  body.set('file', new File([['email,first_name', ...rows].join('\n')], 'people.csv'))
  body.set('send_welcome', 'false')
  const headers = { authorization: 'Bearer adam', 'x-tenant-id': world.acme }
  const request = new Request('http://api.test/api/v1/users/import', { method: 'POST', headers, body })
  const { id } = await (await world.api.fetch(request, { caller: { token: 'adam', principal: adam } })).json()
  await admin.query('update user_imports set created_by = $1, created_by_email = $2 where id = $3', [
    ...[aya.user_id, aya.email],
    id,
  ])
  const stored = async () => (await admin.query('select * from user_imports where id = $1', [id])).rows[0]
  const workers = await world.workers()
  const done = workers.drain()
  await expect.poll(async () => (await stored()).rows_processed, { timeout: 10_000 }).toBeGreaterThan(0)
  const erased = await world.call('adam', 'POST', `/users/${aya.user_id}/erasure`, {})
  const { rows_processed } = await stored()
  await done
  await workers.stop()
  expect([erased.status, rows_processed < 2_000]).toEqual([200, true])
  expect(await stored()).toMatchObject({ status: 'finished', created: 2_000 })
  const { rows: lines } = await admin.query(
    `select distinct actor_email from audit_events where action = 'user.created' and changes ->> 'import' = $1`,
    [id],
  )
  expect(lines).toEqual([{ actor_email: null }])
})
