/** Two authors edit the same thing: the one who saves second is told, and sees what was saved. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld, QUESTION } from './journeys-world.ts'

let world: JourneysWorld
let llj = ''
let lift = 0
let prompt = 0
beforeAll(async () => {
  world = await createJourneysWorld()
  const made = await world.draft(['uri'])
  llj = `/lljs/${made.id}`
  lift = made.lift
  prompt = made.prompt
})
afterAll(() => world?.drop())

const OBJECTIVE = { code: 'LO1', text: 'Listens', target_level: null }
const ASSESSMENT = {
  ...{ name: 'Before', phase: 'pre', raters: ['self'] },
  opens: { kind: 'offset', from: 'start', days: 1 },
}
const put = (path: string, body: object) => world.call('adam', 'PUT', path, body)
const patch = (path: string, body: object) => world.call('adam', 'PATCH', path, body)
const learner = async () => (await world.must('adam', 'GET', `${llj}/members?role=learner`)).data[0]
const add = async (what: string, body: object) => world.must('adam', 'POST', `${llj}/${what}`, body)

/** The version that an author has read, and a save of `words` by an author who read the version `seen`. */
type Thing = {
  version?: string
  make: () => Promise<{ seen: number; save: (words: string, seen: number) => ReturnType<typeof put> }>
}
const THINGS: Record<string, Thing> = {
  objective: {
    make: async () => {
      const { id, lock_version } = await add('learning_objectives', OBJECTIVE)
      const save = (text: string, seen: number) =>
        put(`/learning_objectives/${id}`, { ...OBJECTIVE, text, lock_version: seen })
      return { seen: lock_version, save }
    },
  },
  participant: {
    make: async () => {
      const { id, lock_version } = await learner()
      const save = (words: string, seen: number) =>
        patch(`${llj}/members`, { member_ids: [id], exclude_data: words === 'Theirs', lock_version: seen })
      return { seen: lock_version, save }
    },
  },
  'sponsor of a participant': {
    make: async () => {
      const { id, lock_version } = await learner()
      const sponsors = { Theirs: world.people.aya.user_id, Mine: world.people.nora.user_id }
      const save = (words: string, seen: number) =>
        patch(`${llj}/members`, {
          ...{ member_ids: [id], lock_version: seen },
          sponsor_user_id: sponsors[words as keyof typeof sponsors],
        })
      return { seen: lock_version, save }
    },
  },
  'order of the lifts': {
    version: 'order_version',
    make: async () => {
      const lifts = [lift]
      for (const title of ['Second', 'Third']) lifts.push((await add('lifts', { title })).id)
      const { order_version } = await world.must('adam', 'GET', llj)
      const orders = { Theirs: lifts.toReversed(), Mine: [...lifts.slice(1), ...lifts.slice(0, 1)] }
      const save = (words: string, seen: number) =>
        patch(`${llj}/lifts/order`, { lift_ids: orders[words as keyof typeof orders], order_version: seen })
      return { seen: order_version, save }
    },
  },
  'order of the questions': {
    make: async () => {
      const prompts = [prompt]
      for (const text of ['Second?', 'Third?'])
        prompts.push((await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { ...QUESTION, text })).id)
      const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
      const orders = { Theirs: prompts.toReversed(), Mine: [...prompts.slice(1), ...prompts.slice(0, 1)] }
      const save = (words: string, seen: number) =>
        patch(`/lifts/${lift}/prompts/order`, {
          prompt_ids: orders[words as keyof typeof orders],
          lock_version: seen,
        })
      return { seen: lock_version, save }
    },
  },
  'author of the journey': {
    make: async () => {
      const { lock_version } = await world.must('adam', 'GET', llj)
      const authors = { Theirs: world.people.aya.user_id, Mine: world.people.adam.user_id }
      const save = (words: string, seen: number) =>
        patch(`${llj}/author`, { author_id: authors[words as keyof typeof authors], lock_version: seen })
      return { seen: lock_version, save }
    },
  },
}

describe.each(Object.entries(THINGS))('The %s', (_, { make, version = 'lock_version' }) => {
  it('accepts the first save, and refuses the second with what was saved', async () => {
    const { seen, save } = await make()
    expect((await save('Theirs', seen)).status).toBe(200)
    const late = await save('Mine', seen)
    expect([late.status, late.json.detail]).toEqual([409, expect.stringContaining('Someone else saved')])
    expect(late.json.current[version]).toBeGreaterThan(seen)
    // Saving what is already stored is not a conflict, whatever version was read.
    expect((await save('Theirs', seen)).status).toBe(200)
    expect((await save('Mine', late.json.current[version])).status).toBe(200)
  })
})

describe('Content that another author has changed meanwhile', () => {
  it('is not deleted by a request with the earlier version', async () => {
    const objective = await add('learning_objectives', { ...OBJECTIVE, code: 'LO2' })
    await put(`/learning_objectives/${objective.id}`, { ...OBJECTIVE, code: 'LO3', lock_version: 0 })
    const assessment = await add('assessments', ASSESSMENT)
    await put(`/assessments/${assessment.id}`, { name: 'Anew', lock_version: 0 })
    const other = await add('lifts', { title: 'To delete' })
    await put(`/lifts/${other.id}`, { title: 'Rewritten', lock_version: 0 })
    const question = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, QUESTION)
    await put(`/prompts/${question.id}`, { ...QUESTION, text: 'Rewritten?', version: 1 })

    for (const path of [
      `learning_objectives/${objective.id}`,
      `assessments/${assessment.id}`,
      `lifts/${other.id}`,
    ]) {
      expect([path, (await world.call('adam', 'DELETE', `/${path}?lock_version=0`)).status]).toEqual([
        path,
        409,
      ])
      expect([path, (await world.call('adam', 'DELETE', `/${path}?lock_version=1`)).status]).toEqual([
        path,
        200,
      ])
    }
    expect((await world.call('adam', 'DELETE', `/prompts/${question.id}?version=1`)).status).toBe(409)
    expect((await world.call('adam', 'DELETE', `/prompts/${question.id}?version=2`)).status).toBe(200)
  })
})

describe('The version of a participant', () => {
  it('increases with each change by an author or an import, but not without a change', async () => {
    const before = await learner()
    const now = async () => (await learner()).lock_version - before.lock_version
    await world.must('adam', 'PATCH', `${llj}/members`, { member_ids: [before.id], exclude_data: false })
    expect(await now()).toBe(0)
    await world.must('adam', 'PATCH', `${llj}/members`, { member_ids: [before.id], exclude_data: true })
    expect(await now()).toBe(1)
    const { email } = await world.must('adam', 'GET', `/users/${world.people.adam.user_id}`)
    const csv = `email,role,sponsor,exclude_data\n${before.email},learner,${email},no\n`
    await world.must('adam', 'POST', `${llj}/members/import`, { csv, dry_run: false })
    expect(await now()).toBe(3)
  })

  it('is rejected in a change of several participants', async () => {
    const { id } = await learner()
    const both = { member_ids: [id, id + 1], exclude_data: true, lock_version: 0 }
    expect((await patch(`${llj}/members`, both)).status).toBe(422)
  })
})

describe('Questions that are added at the same time', () => {
  it('get different positions, and no more than 20 are accepted for a lift', async () => {
    const made = await add('lifts', { title: 'Many at once' })
    const answers = await Promise.all(
      Array.from({ length: 22 }, () => world.call('adam', 'POST', `/lifts/${made.id}/prompts`, QUESTION)),
    )
    expect(answers.filter((one) => one.status === 409)).toHaveLength(2)
    const { prompts } = await world.must('adam', 'GET', `/lifts/${made.id}`)
    expect(new Set(prompts.map((one: { position: number }) => one.position)).size).toBe(20)
  })
})
