/** The xAPI statements of a journey, checked by a record store that enforces the rules of xAPI 1.0.3. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createRecordStore } from '#app/integrations/stores/record-store.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { startRecordStore } from '#tests/fakes/record-store.ts'
import { problemsOf } from '#tests/fakes/xapi-rules.ts'

// Only for what the API says about the store; the job is given the store itself.
vi.hoisted(() => {
  Object.assign(process.env, { LRS_URL: 'http://127.0.0.1:9/xapi', LRS_KEY: 'k', LRS_SECRET: 's' })
})

let world: JourneysWorld
let store: Awaited<ReturnType<typeof startRecordStore>>
let workers: Workers
let journey: Awaited<ReturnType<JourneysWorld['draft']>>

// biome-ignore lint/suspicious/noExplicitAny: whatever the file contains
type Statement = any

const PROMPTS = [
  { kind: 'scale', text: 'How sure are you?' },
  { kind: 'number', text: 'How many?', target: { value: 7, tolerance: 1 }, scoring: 'auto', max_score: 4 },
  { kind: 'commitment', text: 'What will you do?' },
  { kind: 'long_text', text: 'What nobody reads', visibility: 'learner_only' },
  { kind: 'confidence', text: 'How confident are you?' },
  {
    kind: 'ranking',
    text: 'In which order?',
    options: [
      { id: 'x', text: 'X' },
      { id: 'y', text: 'Y' },
    ],
  },
]

beforeAll(async () => {
  store = await startRecordStore()
  world = await createJourneysWorld()
  workers = await world.workers(createTestCarrier().carriers, {
    recordStore: createRecordStore(store.settings),
  })
  journey = await world.draft(['uri', 'aya', 'nora', 'adam'], { name: 'Stated' })
  const prompts: number[] = []
  for (const one of PROMPTS)
    prompts.push((await world.must('adam', 'POST', `/lifts/${journey.lift}/prompts`, one)).id)
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  await workers.drain()
  const values = [4, 6, { what: 'listen', by: '2999-01-01' }, 'zqsecret', 0, ['y', 'x']]
  const responses = [
    { prompt_id: journey.prompt, value: 'b' },
    ...values.map((value, nth) => ({ prompt_id: prompts[nth], value })),
  ]
  for (const who of ['uri', 'aya', 'adam'] as const) {
    await world.must(who, 'GET', `/lifts/${journey.lift}/page`)
    await world.must(who, 'POST', `/lifts/${journey.lift}/responses`, { responses, complete: true })
  }
  const { data } = await world.must('adam', 'GET', `/lljs/${journey.id}/members`)
  const adam = data.find((one: { user_id: number }) => one.user_id === world.people.adam.user_id)
  const change = { member_ids: [adam.id], exclude_data: true }
  await world.must('adam', 'PATCH', `/lljs/${journey.id}/members`, change)
})
beforeEach(() => {
  store.held.clear()
  store.batches.length = 0
  store.problems.length = 0
  store.limit(1000)
})
afterAll(async () => {
  await workers?.stop()
  await store?.stop()
  await world?.drop()
})

async function asked(body: object) {
  const { id } = await world.must('adam', 'POST', `/lljs/${journey.id}/statements`, body)
  await workers.drain()
  return world.must('adam', 'GET', `/exports/${id}`)
}
async function file(body: object): Promise<Statement[]> {
  const { id } = await asked(body)
  return (await world.call('adam', 'GET', `/exports/${id}/file`)).json
}
const send = () => asked({ to: 'record_store' })

describe('Statements as a file', () => {
  it('follow every rule of xAPI, and have unique ids that stay the same', async () => {
    const statements = await file({})
    expect(statements.flatMap(problemsOf)).toEqual([])
    const verbs = Object.groupBy(statements, ({ verb }) => verb.id.split('/').at(-1))
    const counts = Object.fromEntries(Object.entries(verbs).map(([verb, some]) => [verb, some?.length]))
    // Of the four learners, one is excluded and one has done nothing. Two questions have a score each.
    expect(counts).toEqual({ experienced: 2, answered: 14, scored: 4, completed: 2 })
    expect(new Set(statements.map(({ id }) => id)).size).toBe(22)
    expect(await file({})).toEqual(statements)
    expect(statements.map(({ timestamp }) => timestamp)).toEqual(
      statements.map(({ timestamp }) => timestamp).sort(),
    )
  })

  it('name no learner, unless addresses are requested', async () => {
    const statements = await file({})
    const text = JSON.stringify(statements)
    expect(text).not.toMatch(/@|Uri|Aya/)
    const names = new Set(statements.map(({ actor }) => actor.account.name))
    expect(names.size).toBe(2)
    expect(statements[0].actor.account.homePage).toBe(ORIGIN)
    const named = await file({ with_addresses: true })
    expect(named.flatMap(problemsOf)).toEqual([])
    expect(new Set(named.map(({ actor }) => actor.mbox))).toEqual(
      new Set([`mailto:${world.people.uri.email}`, `mailto:${world.people.aya.email}`]),
    )
    // A statement with another actor has another id.
    expect(named.filter(({ id }) => statements.some((one) => one.id === id))).toEqual([])
  })

  it('describe answers as interactions, and leave out answers that only the learner can read', async () => {
    const statements = await file({})
    expect(JSON.stringify(statements)).not.toContain('zqsecret')
    const answers = statements.filter(({ verb }) => verb.id.endsWith('/answered'))
    const of = (words: string) => answers.find(({ object }) => object.definition.description.und === words)
    expect(of('What nobody reads').result).toBeUndefined()
    expect(of('How many?')).toMatchObject({
      object: { definition: { interactionType: 'numeric', correctResponsesPattern: ['6[:]8'] } },
      result: { response: '6' },
    })
    expect(of('In which order?')).toMatchObject({
      object: { definition: { interactionType: 'sequencing' } },
      result: { response: 'y[,]x' },
    })
    expect(of('What will you do?').result.response).toBe('listen (2999-01-01)')
    const scores = statements.filter(({ verb }) => verb.id.endsWith('/scored'))
    expect(scores.map(({ result }) => result.score)).toContainEqual({ scaled: 1, raw: 4, min: 0, max: 4 })
    const [done] = statements.filter(({ verb }) => verb.id.endsWith('/completed'))
    expect(done.result).toEqual({ completion: true, duration: expect.stringMatching(/^PT\d+(\.\d\d?)?S$/) })
  })
})

describe('Statements for a record store', () => {
  it('all arrive, and are stored once even when they are sent again', async () => {
    expect(await send()).toMatchObject({ status: 'finished', problem: null, rows_done: 22, rows_total: 22 })
    expect([store.held.size, store.problems]).toEqual([22, []])
    expect(await send()).toMatchObject({ status: 'finished', problem: null })
    expect(store.held.size).toBe(22)
    const { record_store } = await world.must('adam', 'GET', '/exports')
    expect(record_store).toBe('127.0.0.1:9')
  })

  it('are sent in smaller batches when the store finds one too large', async () => {
    store.limit(5)
    expect((await send()).status).toBe('finished')
    expect(store.held.size).toBe(22)
    expect(Math.max(...store.batches.slice(-4))).toBeLessThanOrEqual(6)
  })

  it('do not overwrite a different statement with the same id, and all others arrive', async () => {
    const [one] = await file({})
    const { id, ...rest } = one
    store.held.set(id, { ...rest, timestamp: '2020-01-01T00:00:00Z' })
    expect(await send()).toMatchObject({
      status: 'finished',
      problem: 'The store holds 1 of them with other content, and left these as they were.',
    })
    expect([store.held.size, store.held.get(id).timestamp]).toEqual([22, '2020-01-01T00:00:00Z'])
  })

  it.each([
    [503, 'cannot take statements at the moment (HTTP 503)'],
    [429, 'cannot take statements at the moment (HTTP 429)'],
    ['hangs up', 'gives no answer'],
  ] as const)('wait and say why (the store’s answer: %s)', async (mood, words) => {
    store.moods.push(mood)
    const put_off = await send()
    expect(put_off).toMatchObject({ status: 'waiting', problem: expect.stringContaining(words) })
    await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      db.deleteFrom('exports').where('id', '=', put_off.id).execute(),
    )
  })

  it.each([
    [401, 'The learning record store refused the sign-in.'],
    [404, 'There is no learning record store at its address.'],
    [400, 'The learning record store refused the statements (HTTP 400).'],
    ['is a web page', 'What answers there is no learning record store.'],
  ] as const)('fail and say why (the store’s answer: %s)', async (mood, problem) => {
    store.moods.push(mood)
    expect(await send()).toMatchObject({ status: 'failed', problem })
    expect(store.held.size).toBe(0)
  })

  it('can be requested only by people who run the journey', async () => {
    const path = `/lljs/${journey.id}/statements`
    expect((await world.call('aya', 'POST', path, {})).status).toBe(403)
    expect((await world.call('greta', 'POST', path, {})).status).toBe(404)
    expect((await world.call('adam', 'POST', path, { to: 'everybody' })).status).toBe(422)
  })

  it('leave out a learner who is erased while the first page is being sent', async () => {
    const { aya, uri } = world.people
    const sentOf = ({ email }: { email: string }) =>
      [...store.held.values()].filter(({ actor }) => actor.mbox === `mailto:${email}`).length
    // 150 of Aya's answers come before all others: Uri's are on the second page.
    await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      sql`insert into responses (tenant_id, member_id, lift_id, prompt_id, prompt_version, value, visibility, is_current,
          submitted_at)
        select r.tenant_id, r.member_id, r.lift_id, r.prompt_id, r.prompt_version, r.value, r.visibility, false,
          r.submitted_at - make_interval(mins => n)
        from responses r join members m on m.id = r.member_id, generate_series(1, 150) n
        where m.user_id = ${aya.user_id} and r.prompt_id = ${journey.prompt}`.execute(db),
    )
    store.meanwhile.push(() => world.must('adam', 'POST', `/users/${uri.user_id}/erasure`, {}))
    const sent = await asked({ to: 'record_store', with_addresses: true })
    expect([sent.status, sentOf(uri)]).toEqual(['finished', 0])
    expect(sentOf(aya)).toBeGreaterThan(150)
    const { data } = await world.must('adam', 'GET', '/notifications')
    const message = `${sent.rows_done} statements sent.`
    expect(data.map(({ content }: { content: object }) => content)).toContainEqual(
      expect.objectContaining({ title: 'xAPI statements: sent', message }),
    )
    expect(store.problems).toEqual([])
  })
})
