/** A question that was sent can be answered in the version that was sent, even if its author changes or removes it. */
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

const TEXT = { kind: 'short_text', text: 'And you?' }

/** A lift with two questions that Uri has opened and nobody has answered. */
async function sent(name: string) {
  const { id, lift, prompt } = await world.draft(['uri'], { name })
  const second = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, TEXT)
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await world.must('uri', 'GET', `/lifts/${lift}/page`)
  return { id, lift, first: prompt as number, second: second.id as number }
}

const answer = (lift: number, prompt_id: number, value = 'I, too') =>
  world.call('uri', 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id, value }] })

const valuesOf = async (prompt: number) => {
  const { rows } = await admin.query('select value from responses where prompt_id = $1', [prompt])
  return rows.map(({ value }) => value)
}

/** Runs `work` while the learner's request has stored its answer and waits for the lock on the fact. */
async function whileAnswering<Result>(
  lift: number,
  answering: () => ReturnType<typeof answer>,
  work: () => Promise<Result>,
) {
  await admin.query('begin')
  await admin.query('select from fact_occurrence where lift_id = $1 for update', [lift])
  const answered = answering()
  await expect.poll(world.database.countWaiting).toBe(1)
  const working = work()
  await new Promise((resolve) => setTimeout(resolve, 300))
  await admin.query('commit')
  return { answered: await answered, worked: await working }
}

describe('A question that was sent', () => {
  it('can be answered after its author deleted it, and is not asked of new learners', async () => {
    const { id, lift, second } = await sent('Deleted')
    await world.must('adam', 'DELETE', `/prompts/${second}`)
    expect((await answer(lift, second)).status).toBe(200)
    expect(await valuesOf(second)).toEqual(['I, too'])
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })
    const { prompts } = await world.must('adam', 'GET', `/lifts/${lift}`)
    expect(prompts.map((one: { id: number }) => one.id)).not.toContain(second)
  })

  it('keeps an answer that is given while its author deletes it', async () => {
    const { lift, second } = await sent('Deleted meanwhile')
    const { answered, worked } = await whileAnswering(
      lift,
      () => answer(lift, second),
      () => world.call('adam', 'DELETE', `/prompts/${second}`),
    )
    expect([answered.status, worked.status]).toEqual([200, 200])
    expect(await valuesOf(second)).toEqual(['I, too'])
  })

  it('cannot change its kind', async () => {
    const { second } = await sent('Another kind')
    const { status, json } = await world.call('adam', 'PUT', `/prompts/${second}`, {
      kind: 'number',
      text: 'How many?',
    })
    expect([status, json.detail.kind]).toEqual([422, ['This question was sent; its kind stays.']])
  })

  it('refuses a change of its right option while a learner is answering', async () => {
    const { lift, first } = await sent('Another key')
    const { prompts } = await world.must('adam', 'GET', `/lifts/${lift}`)
    const { kind, text, options } = prompts[0]
    const rekeyed = options.map((one: { correct: boolean }) => ({ ...one, correct: !one.correct }))
    const { answered, worked } = await whileAnswering(
      lift,
      () => answer(lift, first, 'a'),
      () => world.call('adam', 'PUT', `/prompts/${first}`, { kind, text, options: rekeyed }),
    )
    expect([answered.status, worked.status]).toEqual([200, 409])
  })

  it('is unlike a question of a draft, which can change its kind and be deleted', async () => {
    const { lift, prompt } = await world.draft(['uri'], { name: 'A draft' })
    await world.must('adam', 'PUT', `/prompts/${prompt}`, TEXT)
    await world.must('adam', 'DELETE', `/prompts/${prompt}`)
    const { rows } = await admin.query('select from prompts where lift_id = $1', [lift])
    expect(rows).toEqual([])
  })
})
