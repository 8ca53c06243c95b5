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

/** Uri has the lift, opened on the page; nobody has answered its two questions yet. */
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

/** The learner's request has stored the answer, and waits for the lock on the sums. */
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
  it('is answered after it was deleted, and asked of nobody else', async () => {
    const { id, lift, second } = await sent('Deleted')
    await world.must('adam', 'DELETE', `/prompts/${second}`)
    expect((await answer(lift, second)).status).toBe(200)
    expect(await valuesOf(second)).toEqual(['I, too'])
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.aya.user_id] })
    const { prompts } = await world.must('adam', 'GET', `/lifts/${lift}`)
    expect(prompts.map((one: { id: number }) => one.id)).not.toContain(second)
  })

  it('keeps the answer that is given while it is deleted', async () => {
    const { lift, second } = await sent('Deleted meanwhile')
    const { answered, worked } = await whileAnswering(
      lift,
      () => answer(lift, second),
      () => world.call('adam', 'DELETE', `/prompts/${second}`),
    )
    expect([answered.status, worked.status]).toEqual([200, 200])
    expect(await valuesOf(second)).toEqual(['I, too'])
  })

  it('keeps its kind', async () => {
    const { second } = await sent('Another kind')
    const { status, json } = await world.call('adam', 'PUT', `/prompts/${second}`, {
      kind: 'number',
      text: 'How many?',
    })
    expect([status, json.detail.kind]).toEqual([422, ['This question was sent; its kind stays.']])
  })

  it('keeps what is right when it is answered while that is changed', async () => {
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

  it('of which nobody has heard is gone, and may change', async () => {
    const { lift, prompt } = await world.draft(['uri'], { name: 'A draft' })
    await world.must('adam', 'PUT', `/prompts/${prompt}`, TEXT)
    await world.must('adam', 'DELETE', `/prompts/${prompt}`)
    const { rows } = await admin.query('select from prompts where lift_id = $1', [lift])
    expect(rows).toEqual([])
  })
})
