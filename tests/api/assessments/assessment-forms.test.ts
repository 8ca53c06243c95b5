/** Who takes part in an assessment, how forms are filled in, and the links to them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '#app/auth/principal.ts'
import {
  type AssessmentsWorld,
  createAssessmentsWorld,
  ITEMS,
  LONG_AGO,
  SOMEDAY,
} from './assessments-world.ts'

let world: AssessmentsWorld
beforeAll(async () => {
  world = await createAssessmentsWorld()
})
afterAll(() => world?.drop())

const idsOf = (assessment: { items: { id: number }[] }) => assessment.items.map((item) => item.id)
const states = async (assessment: number) => (await world.forms(assessment)).map((form) => form.state)

describe('A participant', () => {
  it('gets forms when joining, loses unsubmitted ones when leaving, and gets them back when returning', async () => {
    const [ann, ben, late] = [
      await world.person('Ann4'),
      await world.person('Ben4'),
      await world.person('Late4'),
    ]
    const { id, members } = await world.run([ann, ben], 'Coming and going')
    const made = await world.create(id)
    await world.work()
    await world.add(id, [late])
    await world.work()
    expect(await states(made.id)).toEqual(['open', 'open', 'open'])
    expect(await world.told(late)).toHaveLength(1)

    const [item] = idsOf(made)
    const save = { answers: [{ item_id: item, value: 4 }] }
    await world.ask(ann, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, save)
    await world.ask(ben, 'PUT', `/assessments/${made.id}/forms/${ben.user_id}`, { ...save, submit: true })
    for (const member of members) await world.call('adam', 'DELETE', `/lljs/${id}/members/${member.id}`)
    await world.work()
    expect(await states(made.id)).toEqual(['closed', 'submitted', 'open'])
    expect((await world.ask(ann, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)).status).toBe(403)
    expect((await world.ask(ann, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, save)).status).toBe(
      404,
    )
    const member_ids = members.map((one) => one.id)
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, { member_ids, state: 'active' })
    await world.work()
    expect(await states(made.id)).toEqual(['in_progress', 'submitted', 'open'])
    expect(await world.told(ann)).toHaveLength(1)
  })

  it('is assessed by the current sponsor, who does not see what the former sponsor had begun', async () => {
    const [ann, first, second] = [
      await world.person('Ann5'),
      await world.person('First5'),
      await world.person('Second5'),
    ]
    const { id, members } = await world.run([ann], 'Handed over')
    await world.sponsor(id, first, members)
    const made = await world.create(id, { raters: ['sponsor'] })
    await world.work()
    const path = `/assessments/${made.id}/forms/${ann.user_id}`
    const half = { answers: [{ item_id: idsOf(made)[2], value: 'Only between us' }] }
    expect((await world.ask(first, 'PUT', path, half)).status).toBe(200)
    await world.sponsor(id, second, members)
    // This applies even before the forms are prepared again.
    expect((await world.ask(first, 'PUT', path, half)).status).toBe(404)
    await world.inAcme((db) =>
      db
        .updateTable('assessment_forms')
        .set({ reopened_reason: 'Too low' })
        .where('assessment_id', '=', made.id)
        .execute(),
    )
    await world.work()
    const [form] = await world.forms(made.id)
    expect(form).toMatchObject({ person: second.user_id, state: 'open', answers: {} })
    const reasons = await world.inAcme((db) =>
      db
        .selectFrom('assessment_forms')
        .select('reopened_reason')
        .where('assessment_id', '=', made.id)
        .execute(),
    )
    expect(reasons).toEqual([{ reopened_reason: null }])
    expect(await world.told(second)).toHaveLength(1)
    expect((await world.ask(second, 'PUT', path, { ...half, submit: true })).status).toBe(200)
    await world.sponsor(id, first, members)
    await world.work()
    expect((await world.forms(made.id))[0]).toMatchObject({ person: second.user_id, state: 'submitted' })
  })

  it('leaves nothing a former sponsor said on a reopened form in the new sponsor’s form or data export', async () => {
    const [ann, first, second] = [
      await world.person('AnnAgain'),
      await world.person('FirstAgain'),
      await world.person('SecondAgain'),
    ]
    const { id, members } = await world.run([ann], 'Handed over again')
    await world.sponsor(id, first, members)
    const made = await world.create(id, { raters: ['sponsor'] })
    await world.work()
    const path = `/assessments/${made.id}/forms/${ann.user_id}`
    const say = (who: Principal, value: string) =>
      world.ask(who, 'PUT', path, { answers: [{ item_id: idsOf(made)[2], value }], submit: true })
    await say(first, 'Of the first')
    await world.must('adam', 'POST', `${path}/reopen`, { reason: 'Please look again', rater: 'sponsor' })
    await world.sponsor(id, second, members)
    await world.work()
    await say(second, 'Of the second')
    const copy = await world.call('adam', 'GET', `/users/${second.user_id}/data_export`)
    expect(copy.text).toContain('Of the second')
    expect(copy.text).not.toContain('Of the first')
    expect(await world.forms(made.id)).toMatchObject([{ person: second.user_id, earlier: [] }])
  })

  it('who is excluded from analytics does not change the figures', async () => {
    const [ann, pilot] = [await world.person('Ann6'), await world.person('Pilot6')]
    const { id, members } = await world.run([ann, pilot], 'Figures')
    const made = await world.create(id)
    await world.work()
    for (const [who, value] of [
      [ann, 5],
      [pilot, 1],
    ] as const)
      await world.ask(who, 'PUT', `/assessments/${made.id}/forms/${who.user_id}`, {
        answers: [
          { item_id: idsOf(made)[0], value },
          { item_id: idsOf(made)[1], value: 'b' },
        ],
        submit: true,
      })
    const figures = async () =>
      (await world.must('adam', 'GET', `/lljs/${id}/assessments`)).assessments[0].figures
    expect(await figures()).toEqual([{ rater: 'self', asked: 2, submitted: 2, score: 0.75 }])
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
      member_ids: [members[1]?.id],
      exclude_data: true,
    })
    expect(await figures()).toEqual([{ rater: 'self', asked: 1, submitted: 1, score: 1 }])
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/assessments?q=pilot`)
    expect(data).toMatchObject([{ exclude_data: true, forms: [{ state: 'submitted', score: 0.5 }] }])
  })
})

describe('Filling in a form', () => {
  it('saves answers in parts, rejects wrong and stale ones, and submits once', async () => {
    const ann = await world.person('Ann7')
    const { id } = await world.run([ann], 'Filled in')
    const made = await world.create(id)
    await world.work()
    const [scale, choice, words] = idsOf(made)
    const put = (answers: [number | undefined, unknown][], more: object = {}) =>
      world.ask(ann, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, {
        answers: answers.map(([item_id, value]) => ({ item_id, value })),
        ...more,
      })
    const mine = async () => {
      const { json } = await world.ask(ann, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)
      return json.assessments[0].forms[0]
    }
    expect((await put([], { submit: true })).status).toBe(409)
    expect((await put([])).json.assessments[0].forms[0].state).toBe('open')
    expect((await put([[scale, 2]])).json.assessments[0].forms[0]).toMatchObject({
      state: 'in_progress',
      score: null,
      answers: [{ item_id: scale, value: 2 }],
    })
    const wrong = await put([
      [scale, 6],
      [choice, 'zzz'],
      [words, 7],
      [999_999, 1],
    ])
    expect([wrong.status, wrong.json.detail]).toEqual([
      422,
      {
        [`item_${scale}`]: ['Please choose a step'],
        [`item_${choice}`]: ['Please choose an answer'],
        [`item_${words}`]: ['Please write some words'],
        item_999999: ['This question is not part of the assessment.'],
      },
    ])
    expect((await put([[scale, 3]], { rater: 'sponsor' })).status).toBe(404)
    expect((await put([[scale, 3]], { revision: 2 })).status).toBe(409)
    await put([
      [choice, 'b'],
      [words, ' A calm room. '],
    ])
    const { answers_version } = await mine()
    await put([[scale, null]], { answers_version })
    expect((await put([[scale, null]], { answers_version })).status).toBe(200)
    const stale = await put([[words, null]], { answers_version, submit: true })
    expect([stale.status, stale.json.current.answers_version]).toEqual([409, (await mine()).answers_version])
    expect((await mine()).answers).toEqual([
      { item_id: choice, value: 'b' },
      { item_id: words, value: 'A calm room.' },
    ])
    const twice = await Promise.all([1, 2].map(() => put([[scale, 3]], { submit: true })))
    expect(twice.map((one) => one.status)).toEqual([200, 200])
    expect(await mine()).toMatchObject({ state: 'submitted', score: 0.75, revision: 1 })
    expect((await put([[scale, 4]], { submit: true })).status).toBe(409)
    expect((await put([[scale, 4]])).status).toBe(409)
    expect((await mine()).score).toBe(0.75)
  })

  it('keeps only the answers that still fit questions edited in the meantime', async () => {
    const ann = await world.person('Ann10')
    const { id } = await world.run([ann], 'Edited while open')
    const made = await world.create(id)
    await world.work()
    const [scale, choice, words] = made.items
    const put = (answers: object[], more: object = {}) =>
      world.ask(ann, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, { answers, ...more })
    await put([
      { item_id: scale.id, value: 5 },
      { item_id: choice.id, value: 'b' },
      { item_id: words.id, value: 'A calm room.' },
    ])
    const items = [{ ...scale, anchors: ['never', '', 'always'] }, choice]
    await world.must('adam', 'PUT', `/assessments/${made.id}`, { items, lock_version: made.lock_version })
    expect((await put([], { submit: true })).status).toBe(200)
    const { json } = await world.ask(ann, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)
    expect(json.assessments[0].forms[0]).toMatchObject({
      ...{ state: 'submitted', score: 1, answers: [{ item_id: choice.id, value: 'b' }] },
    })
    const again = await world.call('adam', 'PUT', `/assessments/${made.id}`, {
      items: [choice],
      lock_version: 1,
    })
    expect(again.status).toBe(409)
  })

  it('is refused after the closing time, even before the form is marked as closed', async () => {
    const ann = await world.person('Ann8')
    const { id } = await world.run([ann], 'Too late')
    const made = await world.create(id)
    await world.work()
    await world.inAcme((db) =>
      db
        .updateTable('assessment_forms')
        .set({ closes_at: new Date(Date.now() - 1000) })
        .where('assessment_id', '=', made.id)
        .execute(),
    )
    const body = { answers: [{ item_id: idsOf(made)[0], value: 1 }] }
    const late = await world.ask(ann, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, body)
    expect([late.status, await states(made.id)]).toEqual([409, ['open']])
    await world.work()
    expect(await states(made.id)).toEqual(['closed'])
  })

  it('fixes the questions once someone submitted; deleting the assessment then only closes it', async () => {
    const [ann, ben] = [await world.person('Ann9'), await world.person('Ben9')]
    const { id } = await world.run([ann, ben], 'Kept')
    const made = await world.create(id)
    await world.work()
    await world.ask(ann, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, {
      answers: [{ item_id: idsOf(made)[0], value: 1 }],
      submit: true,
    })
    const put = (body: object) =>
      world.call('adam', 'PUT', `/assessments/${made.id}`, { ...body, lock_version: 0 })
    for (const change of [
      { raters: ['self', 'sponsor'] },
      { phase: 'post' },
      { opens: SOMEDAY },
      { anonymous_min: 6 },
      { items: made.items.slice(1) },
      { items: [{ ...made.items[0], text: 'Else' }, ...made.items.slice(1)] },
    ])
      expect([change, (await put(change)).status]).toEqual([change, 409])
    const same = { phase: 'pre', raters: ['self'], opens: LONG_AGO, items: made.items }
    expect((await put({ ...same, name: 'Renamed', closes: SOMEDAY })).json.name).toBe('Renamed')
    const remove = (version: number) =>
      world.call('adam', 'DELETE', `/assessments/${made.id}?lock_version=${version}`)
    expect((await remove(0)).status).toBe(409)
    // The second of two identical requests finds the assessment closed.
    for (const nth of [1, 2]) expect([nth, (await remove(1)).status]).toEqual([nth, 200])
    await world.work()
    expect(await states(made.id)).toEqual(['submitted', 'closed'])
    const { assessments, data } = await world.must('adam', 'GET', `/lljs/${id}/assessments`)
    expect(assessments).toMatchObject([{ is_retired: true, submitted: 1 }])
    expect(data[0].forms[0].state).toBe('submitted')
  })
})

describe('The link from a journey to its assessments', () => {
  const leads = async (journey: number, who: Principal) =>
    (await world.ask(who, 'GET', `/learner/lljs/${journey}`)).json.has_assessments

  it('appears once there are questions, and stays after deletion only for learners who answered', async () => {
    const [ann, ben] = [await world.person('Ann40'), await world.person('Ben40')]
    const { id } = await world.run([ann], 'Led')
    const made = await world.create(id, { items: [] })
    await world.work()
    expect(await leads(id, ann)).toBe(false)
    const written = await world.must('adam', 'PUT', `/assessments/${made.id}`, {
      ...{ items: ITEMS, lock_version: 0 },
    })
    await world.work()
    expect(await leads(id, ann)).toBe(true)
    await world.ask(ann, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, {
      ...{ answers: [{ item_id: idsOf(written)[0], value: 1 }], submit: true },
    })
    await world.must('adam', 'DELETE', `/assessments/${made.id}`)
    await world.add(id, [ben])
    await world.work()
    expect([await leads(id, ann), await leads(id, ben)]).toEqual([true, false])
  })

  it('appears before the assessment opens, with its opening date', async () => {
    const ann = await world.person('Ann42')
    const { id } = await world.run([ann], 'Led early')
    const unasked = await world.create(id, { opens: SOMEDAY, items: [] })
    await world.work()
    expect(await leads(id, ann)).toBe(false)
    await world.must('adam', 'PUT', `/assessments/${unasked.id}`, { items: ITEMS, lock_version: 0 })
    await world.work()
    expect(await leads(id, ann)).toBe(true)
    const { assessments } = (await world.ask(ann, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)).json
    expect(assessments[0].forms[0]).toMatchObject({ state: 'not_open' })
    expect(assessments[0].forms[0].opens_at).toMatch(/^2030-07/)
    await world.must('adam', 'DELETE', `/assessments/${unasked.id}`)
    await world.work()
    expect(await leads(id, ann)).toBe(false)
  })

  it('appears for an assessment by peers, until that is deleted', async () => {
    const [ann, ben] = [await world.person('Ann41'), await world.person('Ben41')]
    const { id } = await world.run([ann, ben], 'Led by peers')
    const made = await world.create(id, { raters: ['peers'] })
    await world.work()
    expect(await leads(id, ann)).toBe(true)
    await world.ask(ben, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, {
      ...{ answers: [{ item_id: idsOf(made)[0], value: 1 }], submit: true },
    })
    await world.must('adam', 'DELETE', `/assessments/${made.id}`)
    expect(await leads(id, ann)).toBe(false)
    const shown = await world.ask(ann, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)
    expect(shown.json.assessments).toEqual([])
  })
})
