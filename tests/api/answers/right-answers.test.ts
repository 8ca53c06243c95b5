/** Questions without options that have a right answer: true or false, and a number with a tolerance. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { withAdmin } from '#tests/support/postgres.ts'

let world: Awaited<ReturnType<typeof createJourneysWorld>>
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const scored = { scoring: 'auto', max_score: 2, text: 'A question' }
const TRUE = { value: true, tolerance: 0, right: 'So it is.', wrong: 'It is.' }
const HUNDRED = { value: 100, tolerance: 0.3, right: 'Well reckoned.', wrong: 'It is a hundred.' }

describe('A right answer', () => {
  it('is stored with its question, and refused when it is missing or does not fit the kind', async () => {
    const { lift } = await world.draft([])
    const ask = (prompt: object) =>
      world.call('adam', 'POST', `/lifts/${lift}/prompts`, { ...scored, ...prompt })
    const made = await ask({ kind: 'true_false', target: TRUE })
    expect([made.status, made.json.target]).toEqual([201, TRUE])
    for (const [wrong, why] of [
      [{ kind: 'true_false' }, 'Please give the right answer'],
      [{ kind: 'number', target: TRUE }, 'Please enter a number'],
      [{ kind: 'true_false', target: HUNDRED }, 'Please choose true or false'],
      [{ kind: 'scale', scoring: 'none', target: HUNDRED }, 'This kind of question has no right answer'],
    ] as const) {
      const { status, json } = await ask(wrong)
      expect([status, json.detail]).toEqual([422, { target: [why] }])
    }
  })

  it('decides the score and the feedback, and cannot change once a learner has answered', async () => {
    const { id, lift } = await world.draft(['uri'], {}, { schedule: { kind: 'manual', at_launch: true } })
    const ask = async (prompt: object) =>
      (await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { ...scored, ...prompt })).id as number
    const yes = await ask({ kind: 'true_false', target: TRUE })
    const hundred = await ask({ kind: 'number', target: HUNDRED })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true, expected_recipients: 1 })
    const open = await world.must('uri', 'GET', `/lifts/${lift}/page`)
    expect(JSON.stringify(open)).not.toContain('So it is')
    const answer = async (prompt_id: number, value: unknown) => {
      const page = await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
        responses: [{ prompt_id, value }],
      })
      const { correct, feedback } = page.prompts.find((one: { id: number }) => one.id === prompt_id).answer
      return [correct, feedback]
    }
    expect(await answer(yes, false)).toEqual([false, 'It is.'])
    expect(await answer(yes, true)).toEqual([true, 'So it is.'])
    expect(await answer(hundred, 100.4)).toEqual([false, 'It is a hundred.'])
    expect(await answer(hundred, 99.7)).toEqual([true, 'Well reckoned.'])
    const { rows } = await withAdmin(world.database.adminUrl, (admin) =>
      admin.query(
        `select prompt_id::int, score::float from responses where prompt_id = any($1) order by id`,
        [[yes, hundred]],
      ),
    )
    expect(rows).toEqual([
      { prompt_id: yes, score: 0 },
      { prompt_id: yes, score: 1 },
      { prompt_id: hundred, score: 0 },
      { prompt_id: hundred, score: 1 },
    ])
    const change = (target: object) =>
      world.call('adam', 'PUT', `/prompts/${yes}`, { ...scored, kind: 'true_false', target })
    expect((await change({ ...TRUE, value: false })).status).toBe(422)
    expect((await change({ ...TRUE, wrong: 'Think again.' })).json.target.wrong).toBe('Think again.')
  })

  it('is kept when a journey is duplicated, or exported and imported', async () => {
    const { id, lift } = await world.draft([])
    for (const prompt of [
      { kind: 'true_false', target: TRUE },
      { kind: 'number', target: HUNDRED },
    ])
      await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { ...scored, ...prompt })
    const targets = async (journey: number) => {
      const { data } = await world.must('adam', 'GET', `/lljs/${journey}/lifts`)
      const copy = await world.must('adam', 'GET', `/lifts/${data[0].id}`)
      return copy.prompts.slice(1).map((prompt: { target: unknown }) => prompt.target)
    }
    const copy = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, {})
    expect(await targets(copy.id)).toEqual([TRUE, HUNDRED])
    const { text } = await world.call('adam', 'GET', `/lljs/${id}/file`)
    const made = await world.must('adam', 'POST', '/lljs/import', { text, dry_run: false })
    expect(await targets(made.journey_id)).toEqual([TRUE, HUNDRED])
  })
})
