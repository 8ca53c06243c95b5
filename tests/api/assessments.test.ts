/** Assessments: written by authors, opened by the clock, answered by learners, sponsors and peers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '#app/auth/principal.ts'
import type { Rater } from '#app/domain/assessments/assessment.ts'
import { lookAfterAssessment } from '#app/domain/assessments/opening.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { whoReads } from '#app/routes/assessments/who-reads.ts'
import { AT_NIGHT, BY_DAY } from '#tests/support/by-day.ts'
import {
  type AssessmentsWorld,
  createAssessmentsWorld,
  ITEMS,
  LONG_AGO,
  SOMEDAY,
  STEPS,
} from './assessments-world.ts'

let world: AssessmentsWorld
let uri: Principal
beforeAll(async () => {
  world = await createAssessmentsWorld()
  uri = world.people.uri
})
afterAll(() => world?.drop())

const idsOf = (assessment: { items: { id: number }[] }) => assessment.items.map((item) => item.id)
const states = async (assessment: number) => (await world.forms(assessment)).map((form) => form.state)

describe('Writing an assessment', () => {
  it('keeps what was written, and says what is wrong with what cannot be', async () => {
    const { id } = await world.draft([], { name: 'Written' })
    const objective = await world.must('adam', 'POST', `/lljs/${id}/learning_objectives`, {
      code: 'L1',
      text: 'Listens',
    })
    const made = await world.create(id, {
      raters: ['peers', 'self'],
      closes: { kind: 'offset', from: 'joined', days: 20 },
      items: [{ ...ITEMS[0], objective_id: objective.id, weight: 2, pair_key: 'listen' }, ITEMS[2]],
    })
    expect(made).toMatchObject({ raters: ['self', 'peers'], anonymous_min: 5, submitted: 0, lock_version: 0 })
    expect(made.items[0]).toMatchObject({ objective_id: objective.id, weight: 2, anchors: STEPS })
    const objectives = await world.must('adam', 'GET', `/lljs/${id}/learning_objectives`)
    expect(objectives.data[0].uses).toBe(1)

    const path = `/lljs/${id}/assessments`
    const base = { name: 'X', phase: 'pre', raters: ['self'], opens: LONG_AGO }
    const other = await world.draft([], { name: 'Elsewhere' })
    const foreign = await world.must('adam', 'POST', `/lljs/${other.id}/learning_objectives`, {
      code: 'L1',
      text: 'Other',
    })
    for (const [wrong, field] of [
      [{ name: '' }, 'name'],
      [{ phase: 'before' }, 'phase'],
      [{ raters: [] }, 'raters'],
      [{ raters: ['everybody'] }, 'raters.0'],
      [{ opens: { kind: 'manual' } }, 'opens.kind'],
      [{ opens: { ...LONG_AGO, time: '25:00' } }, 'opens.time'],
      [{ closes: LONG_AGO }, 'closes'],
      [{ anonymous_min: 4 }, 'anonymous_min'],
      [{ tenant_id: world.globex }, 'tenant_id'],
      [{ items: [{ ...ITEMS[0], anchors: [] }] }, 'items.0.anchors'],
      [{ items: [{ ...ITEMS[0], objective_id: foreign.id }] }, 'objective_ids'],
      [{ items: [{ ...ITEMS[0], id: 1 }] }, 'items'],
    ] as const) {
      const { status, json } = await world.call('adam', 'POST', path, { ...base, ...wrong })
      expect([wrong, status, Object.keys(json.detail)]).toEqual([wrong, 422, [field]])
    }
    expect((await world.must('adam', 'GET', path)).assessments).toHaveLength(1)
  })

  it('changes what is named, keeps the rest, and refuses a stale one with what is stored', async () => {
    const { id } = await world.draft([], { name: 'Changed' })
    const made = await world.create(id)
    const [first, , last] = made.items
    const items = [{ ...last, text: 'What else?' }, first, { text: 'New', kind: 'text' }]
    const put = (body: object) => world.call('adam', 'PUT', `/assessments/${made.id}`, body)
    const { json } = await put({ items, lock_version: 0 })
    expect(json.items.map((item: { text: string }) => item.text)).toEqual([
      'What else?',
      'I listen before I talk.',
      'New',
    ])
    expect(json.items[1].id).toBe(first.id)
    expect(json).toMatchObject({ name: 'Before', opens: LONG_AGO, closes: null, lock_version: 1 })
    const late = await put({ name: 'Mine', lock_version: 0 })
    expect([late.status, late.json.current.lock_version]).toEqual([409, 1])
    expect((await put({ closes: LONG_AGO, lock_version: 1 })).status).toBe(422)
    expect((await put({ name: 'Mine', lock_version: 1 })).json).toMatchObject({
      name: 'Mine',
      lock_version: 2,
    })
    expect((await world.call('adam', 'DELETE', `/assessments/${made.id}`)).status).toBe(200)
    expect((await put({ name: 'Gone', lock_version: 2 })).status).toBe(404)
  })

  it('happens once per key, and at most twelve times', async () => {
    const { id } = await world.draft([], { name: 'Many' })
    const body = { name: 'A', phase: 'pre', raters: ['self'], opens: LONG_AGO }
    const path = `/lljs/${id}/assessments`
    const twice = [1, 2].map(() => world.call('adam', 'POST', path, body, { key: 'one' }))
    const [one, other] = await Promise.all(twice)
    expect(one?.text).toBe(other?.text)
    for (let nth = 0; nth < 11; nth++) await world.create(id)
    expect((await world.call('adam', 'POST', path, body)).status).toBe(409)
  })
})

describe('An assessment opens', () => {
  it('once for each who fills it in, and tells them where it is', async () => {
    const [sponsor, ann, ben] = [
      await world.person('Sponsor1'),
      await world.person('Ann1'),
      await world.person('Ben1'),
    ]
    const { id, members } = await world.run([ann, ben], 'Opened')
    await world.sponsor(id, sponsor, members)
    const made = await world.create(id, { raters: ['self', 'sponsor'] })
    await world.work()
    await world.work()
    await Promise.all(
      [1, 2].map(() =>
        inScope(world.database.worker, systemActor(world.acme), (scope) =>
          lookAfterAssessment(scope, made.id),
        ),
      ),
    )
    expect(await states(made.id)).toEqual(['open', 'open', 'open', 'open'])
    expect(await world.told(ann)).toEqual([
      {
        notification_type: 'info',
        content: {
          title: 'Assessment open: Before',
          message: 'Opened: How do you see yourself?',
          path: `/lljs/${id}/assessments/me`,
        },
      },
    ])
    expect((await world.told(sponsor)).map((one) => one.content)).toEqual([
      {
        title: 'Assessment open: Before',
        message: 'Opened: How do you see 2 of your learners?',
        path: `/lljs/${id}/assessments/`,
      },
    ])
    const owed = await world.ask(sponsor, 'GET', '/learner/assessments')
    expect(owed.json.data.map((one: { learner: { name: string } }) => one.learner.name)).toEqual([
      'Ann1 Test',
      'Ben1 Test',
    ])
    const shown = await world.ask(ann, 'GET', '/notifications')
    expect(shown.json.data[0].content.path).toBe(`/lljs/${id}/assessments/me`)
  })

  it('without a word to those who want none, and not at all for those who may not come in', async () => {
    const muted = await world.person('Muted', { muted_notifications: ['info'] })
    const disabled = await world.person('Disabled')
    const { id } = await world.run([muted, disabled], 'Silent')
    await world.inAcme((db) =>
      db
        .updateTable('users')
        .set({ activation_status: 'disabled' })
        .where('id', '=', disabled.user_id)
        .execute(),
    )
    const made = await world.create(id)
    await world.work()
    expect(await states(made.id)).toEqual(['open', 'not_open'])
    expect([await world.told(muted), await world.told(disabled)]).toEqual([[], []])
  })

  it('at the hour of whoever fills it in, and follows them when they move', async () => {
    const [tokyo, york] = [
      await world.person('Tokyo', { timezone: 'Asia/Tokyo' }),
      await world.person('York', { timezone: 'America/New_York' }),
    ]
    const nowhere = await world.person('Nowhere', { timezone: null })
    const { id, members } = await world.run([tokyo, york, nowhere], 'Zones')
    await world.sponsor(id, york, members.slice(0, 1))
    const made = await world.create(id, {
      raters: ['self', 'sponsor'],
      opens: SOMEDAY,
      closes: { kind: 'absolute', date: '2030-07-03', time: '23:30' },
    })
    await world.work()
    const times = async () =>
      (await world.forms(made.id)).map((form) => [
        form.rater,
        form.person === york.user_id ? 'york' : form.person === tokyo.user_id ? 'tokyo' : 'nowhere',
        form.opens_at?.toISOString(),
        form.closes_at?.toISOString(),
      ])
    // The sponsor of the learner in Tokyo fills it in by the clock of New York. Who has no clock has Vienna's.
    expect(await times()).toEqual([
      ['self', 'tokyo', '2030-07-01T03:00:00.000Z', '2030-07-03T14:30:00.000Z'],
      ['self', 'york', '2030-07-01T16:00:00.000Z', '2030-07-04T03:30:00.000Z'],
      ['self', 'nowhere', '2030-07-01T10:00:00.000Z', '2030-07-03T21:30:00.000Z'],
      ['sponsor', 'york', '2030-07-01T16:00:00.000Z', '2030-07-04T03:30:00.000Z'],
    ])
    expect(await states(made.id)).toEqual(['not_open', 'not_open', 'not_open', 'not_open'])
    await world.inAcme((db) =>
      db.updateTable('users').set({ timezone: 'Europe/London' }).where('id', '=', york.user_id).execute(),
    )
    await world.work()
    expect((await times()).filter(([, who]) => who === 'york').map(([, , opens]) => opens)).toEqual([
      '2030-07-01T11:00:00.000Z',
      '2030-07-01T11:00:00.000Z',
    ])
    const waiting = await world.ask(tokyo, 'PUT', `/assessments/${made.id}/forms/${tokyo.user_id}`, {})
    expect([waiting.status, waiting.json.detail]).toEqual([409, 'This assessment is not open yet.'])
    // By the clock of the journey, it is the same hour for everybody; by the day on which each joined, their own.
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    const mode = { timezone_mode: 'journey', timezone: 'UTC', lock_version }
    await world.must('adam', 'PUT', `/lljs/${id}`, mode)
    await world.work()
    expect(new Set((await times()).map(([, , opens]) => opens))).toEqual(
      // It is evening in Tokyo then, when nobody is told anything.
      new Set(['2030-07-01T12:00:00.000Z', '2030-07-02T00:00:00.000Z']),
    )
    await world.inAcme((db) =>
      db
        .updateTable('members')
        .set({ joined_at: new Date('2031-05-05T10:00:00Z') })
        .where('user_id', '=', tokyo.user_id)
        .execute(),
    )
    await world.must('adam', 'PUT', `/assessments/${made.id}`, {
      opens: { kind: 'offset', from: 'joined', days: 2, time: '13:00' },
      ...{ closes: null, lock_version: 0 },
    })
    await world.work()
    // At night in Tokyo nobody is told anything: it opens there in the morning.
    expect((await times())[0]?.[2]).toBe('2031-05-08T00:00:00.000Z')
  })

  it('not at night, when its hour was past before anybody could be asked', async () => {
    const [asleep, awake] = [
      await world.person('Asleep', { timezone: AT_NIGHT }),
      await world.person('Awake'),
    ]
    const { id } = await world.run([asleep, awake], 'Launched late')
    const made = await world.create(id, { opens: { kind: 'offset', from: 'start', days: 0, time: '09:00' } })
    await world.work()
    expect([await states(made.id), await world.told(asleep)]).toEqual([['not_open', 'open'], []])
    const [form] = await world.forms(made.id)
    const opens = new Intl.DateTimeFormat('en', { timeZone: AT_NIGHT, timeStyle: 'short' })
    expect(opens.format(form?.opens_at ?? 0)).toMatch(/^9:[0-2]\d AM$/)
  })

  it('waits while the journey rests, and closes when it is put away', async () => {
    const ann = await world.person('Ann2')
    const { id } = await world.run([ann], 'Rests')
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    const made = await world.create(id)
    await world.work()
    expect(await states(made.id)).toEqual(['not_open'])
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    await world.work()
    expect(await states(made.id)).toEqual(['open'])
    await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
    await world.work()
    expect(await states(made.id)).toEqual(['open'])
    await world.must('adam', 'POST', `/lljs/${id}/archive`, {})
    await world.work()
    expect(await states(made.id)).toEqual(['closed'])
    expect((await world.call('adam', 'POST', `/lljs/${id}/assessments`, {})).status).toBe(422)
    const one = { name: 'X', phase: 'pre', raters: ['self'], opens: LONG_AGO }
    expect((await world.call('adam', 'POST', `/lljs/${id}/assessments`, one)).status).toBe(409)
  })

  it('not before there is something to answer', async () => {
    const ann = await world.person('Ann30')
    const { id } = await world.run([ann], 'Empty')
    const made = await world.create(id, { items: [] })
    await world.work()
    expect([await states(made.id), await world.told(ann)]).toEqual([['not_open'], []])
    await world.must('adam', 'PUT', `/assessments/${made.id}`, { items: ITEMS, lock_version: 0 })
    await world.work()
    expect([await states(made.id), (await world.told(ann)).length]).toEqual([['open'], 1])
  })

  it('never, if its end comes first: that stands in the way of the launch', async () => {
    const { id } = await world.draft(['uri'], { name: 'Over before it begins' })
    const opens = { kind: 'offset', from: 'start', days: 0 }
    await world.create(id, { name: 'Over', opens, closes: LONG_AGO })
    await world.create(id, {
      name: 'Late',
      opens: SOMEDAY,
      closes: { kind: 'offset', from: 'start', days: 9 },
    })
    await world.create(id, { name: 'Fine', opens, closes: SOMEDAY })
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect([refused.status, refused.json.detail]).toEqual([
      422,
      {
        assessments: ['Over', 'Late'].map(
          (name) => `"${name}" would close before anybody could fill it in: choose a later end.`,
        ),
      },
    ])
  })

  it('not in a draft, and not after its end', async () => {
    const { id } = await world.draft(['uri'], { name: 'Not yet' })
    const made = await world.create(id)
    await world.work()
    expect(await states(made.id)).toEqual([])
    const ann = await world.person('Ann3')
    const running = await world.run([ann], 'Over')
    const over = await world.create(running.id, { closes: { ...LONG_AGO, date: '2020-02-01' } })
    await world.work()
    expect([await states(over.id), await world.told(ann)]).toEqual([['closed'], []])
  })
})

describe('Who takes part', () => {
  it('gets the forms when they join, loses what they did not submit when they leave, and has it back with them', async () => {
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

  it('is asked about by the sponsor of now', async () => {
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
    // Before the forms are made ready anew, too.
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

  it('but is left out of figures does not change them', async () => {
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
  it('is done in parts, and handed in once', async () => {
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

  it('keeps what still answers a question that was edited meanwhile, and no more', async () => {
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

  it('ends with its time, also before anybody has closed it', async () => {
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

  it('once done, keeps what was asked as it was; the assessment is closed, not deleted', async () => {
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
    await world.must('adam', 'DELETE', `/assessments/${made.id}`)
    await world.work()
    expect(await states(made.id)).toEqual(['submitted', 'closed'])
    const { assessments, data } = await world.must('adam', 'GET', `/lljs/${id}/assessments`)
    expect(assessments).toMatchObject([{ is_retired: true, submitted: 1 }])
    expect(data[0].forms[0].state).toBe('submitted')
  })
})

describe('The way from a journey to its assessments', () => {
  const leads = async (journey: number, who: Principal) =>
    (await world.ask(who, 'GET', `/learner/lljs/${journey}`)).json.has_assessments

  it('is there once something was asked, for those about whom it was', async () => {
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

  it('is there before, with the day on which it opens', async () => {
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

  it('is there for what only peers were asked, as long as it is shown', async () => {
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

describe('Who reads what', () => {
  async function rated(raters: readonly Rater[] = ['self', 'sponsor']) {
    const [ann, ben, sponsor] = [
      await world.person(`Ann-${next}`),
      await world.person(`Ben-${next}`),
      await world.person(`Sponsor-${next++}`),
    ]
    const { id, members } = await world.run([ann, ben], 'Read')
    await world.sponsor(
      id,
      sponsor,
      members.filter((one) => one.user_id === ann.user_id),
    )
    const made = await world.create(id, { raters })
    await world.work()
    const [scale = 0, choice = 0, words = 0] = idsOf(made)
    const say = (who: Principal, about: Principal, value: number, text: string, submit = true) =>
      world.ask(who, 'PUT', `/assessments/${made.id}/forms/${about.user_id}`, {
        answers: [
          { item_id: scale, value },
          { item_id: choice, value: 'a' },
          { item_id: words, value: text },
        ],
        submit,
      })
    const read = (who: Principal, about: Principal) =>
      world.ask(who, 'GET', `/lljs/${id}/assessments/${about.user_id}`)
    return { id, made, members, ann, ben, sponsor, say, read }
  }
  let next = 20

  it('a learner reads the sponsor’s view after saying their own, and the other way round', async () => {
    const { ann, sponsor, say, read, made } = await rated()
    expect((await say(sponsor, ann, 2, 'Talks a lot')).status).toBe(200)
    const before = await read(ann, ann)
    expect(before.text).not.toContain('Talks a lot')
    expect(before.json.assessments[0].forms.map((form: { score: unknown }) => form.score)).toEqual([
      null,
      null,
    ])
    expect(before.json).toMatchObject({ is_self: true, may_manage: false, may_reopen: false })
    await say(ann, ann, 4, 'I try', false)
    expect((await read(sponsor, ann)).text).not.toContain('I try')
    expect((await read(ann, ann)).text).not.toContain('Talks a lot')
    await say(ann, ann, 4, 'I try')
    expect((await read(ann, ann)).text).toContain('Talks a lot')
    expect((await read(sponsor, ann)).text).toContain('I try')
    expect(
      (await world.must('adam', 'GET', `/lljs/${made.journey_id}/assessments/${ann.user_id}`)).may_reopen,
    ).toBe(true)
  })

  it('a sponsor reads nothing of what a learner says before they have said it themselves', async () => {
    const { ann, sponsor, say, read } = await rated()
    await say(ann, ann, 4, 'My own words')
    expect((await read(sponsor, ann)).text).not.toContain('My own words')
    await say(sponsor, ann, 4, 'Yes')
    expect((await read(sponsor, ann)).text).toContain('My own words')
  })

  it.each([{ raters: ['self', 'sponsor'] }, { raters: ['self'] }, { raters: ['sponsor'] }] as const)(
    'is what each is promised: $raters',
    async ({ raters }) => {
      const { ann, sponsor, say, read } = await rated(raters)
      const reads = async (who: Principal, words: string) => (await read(who, ann)).text.includes(words)
      for (const rater of raters) {
        const [who, other] = rater === 'self' ? [ann, sponsor] : [sponsor, ann]
        const promise = whoReads(rater, raters, 'Ann')
        expect((await say(who, ann, 4, `half of ${rater}`, false)).status).toBe(200)
        expect(await reads(world.people.adam, `half of ${rater}`)).toBe(false)
        expect((await say(who, ann, 4, `words of ${rater}`)).status).toBe(200)
        expect(await reads(world.people.adam, `words of ${rater}`)).toBe(true)
        // The second one has heard the first, who answered before.
        const isHeld = promise.includes('after submitting theirs') && rater === raters[0]
        expect([promise, await reads(other, `words of ${rater}`)]).toEqual([promise, !isHeld])
      }
    },
  )

  it('stays with its learner and their sponsor in an archived journey, which takes no more', async () => {
    const { id, ann, sponsor, say, read } = await rated()
    await say(ann, ann, 4, 'Words of Ann')
    for (const step of ['complete', 'archive']) await world.must('adam', 'POST', `/lljs/${id}/${step}`, {})
    expect((await read(ann, ann)).text).toContain('Words of Ann')
    expect((await read(sponsor, ann)).status).toBe(200)
    expect((await say(sponsor, ann, 2, 'Too late')).status).toBe(404)
    await world.work()
    const { json } = await read(sponsor, ann)
    expect(json.assessments[0].forms.map((form: { state: string }) => form.state)).toEqual([
      'submitted',
      'closed',
    ])
  })

  it('nothing of others’ learners, nor of other journeys, parts and companies', async () => {
    const { id, made, ann, ben, sponsor, say, read, members } = await rated()
    await say(ben, ben, 4, 'Words of Ben')
    const { adam, aya, nora, greta } = world.people
    const answer = { answers: [{ item_id: idsOf(made)[0], value: 5 }] }
    const fill = (who: Principal) =>
      world.ask(who, 'PUT', `/assessments/${made.id}/forms/${ben.user_id}`, answer)
    for (const [who, seen, filled] of [
      [sponsor, 403, 404],
      [ann, 403, 404],
      [uri, 403, 404],
      [aya, 403, 404],
      [greta, 404, 404],
      [adam, 200, 404],
    ] as const)
      expect([who.first_name, (await read(who, ben)).status, (await fill(who)).status]).toEqual([
        who.first_name,
        seen,
        filled,
      ])
    expect(
      (await world.ask(nora, 'GET', `/lljs/${id}/assessments/${ben.user_id}`, undefined, world.north)).status,
    ).toBe(404)
    // Somebody who does not learn here, beside a journey that is seen.
    expect((await read(adam, aya)).status).toBe(404)
    for (const who of ['uri', 'aya'] as const) {
      expect((await world.call(who, 'GET', `/lljs/${id}/assessments`)).status).toBe(403)
      expect(
        (await world.call(who, 'PUT', `/assessments/${made.id}`, { name: 'X', lock_version: 0 })).status,
      ).toBe(403)
      expect((await world.call(who, 'DELETE', `/assessments/${made.id}`)).status).toBe(403)
    }
    // Whoever is their sponsor no more reads nothing more.
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
      member_ids: [members[0]?.id],
      sponsor_id: null,
    })
    expect((await read(sponsor, ann)).status).toBe(403)
  })

  it('an administrator opens a form again, with a reason, and what was said before is kept', async () => {
    const { id, made, ann, say, read } = await rated()
    await say(ann, ann, 5, 'Too good')
    const path = `/assessments/${made.id}/forms/${ann.user_id}/reopen`
    for (const [who, status] of [
      ['uri', 403],
      ['aya', 403],
      ['greta', 404],
    ] as const)
      expect([who, (await world.call(who, 'POST', path, { reason: 'Please' })).status]).toEqual([who, status])
    const ofNobody = `/assessments/${made.id}/forms/${world.people.aya.user_id}/reopen`
    expect((await world.call('adam', 'POST', ofNobody, { reason: 'Please' })).status).toBe(404)
    expect((await world.call('adam', 'POST', path, { reason: '' })).status).toBe(422)
    expect((await world.call('adam', 'POST', path, { reason: 'x', rater: 'peers' })).status).toBe(422)
    expect((await world.call('adam', 'POST', path, { reason: 'x', rater: 'sponsor' })).status).toBe(409)
    await world.must('adam', 'POST', path, { reason: 'You asked to think again.' })
    const again = await world.call('adam', 'POST', path, { reason: 'Again' })
    expect([again.status, again.json.detail]).toEqual([409, 'This form is open already.'])
    const form = (await read(ann, ann)).json.assessments[0].forms[0]
    expect(form).toMatchObject({
      state: 'in_progress',
      revision: 2,
      reopened_reason: 'You asked to think again.',
      score: null,
    })
    expect(form.answers).toHaveLength(3)
    expect((await world.told(ann)).at(-1)?.content).toMatchObject({
      message: 'Read: It was opened again for you. You asked to think again.',
      path: `/lljs/${id}/assessments/${ann.user_id}`,
    })
    await world.work()
    expect((await say(ann, ann, 2, 'Well')).json.assessments[0].forms[0]).toMatchObject({
      revision: 2,
      state: 'submitted',
    })
    const [stored] = (await world.forms(made.id)).filter(
      (one) => one.rater === 'self' && one.subject === ann.user_id,
    )
    expect(stored?.earlier).toMatchObject([{ revision: 1, reason: 'You asked to think again.', score: 0.5 }])
    const { data } = await world.must('adam', 'GET', '/audit_events?subject=assessment')
    expect(data.map((one: { action: string }) => one.action)).toEqual(
      expect.arrayContaining(['assessment.created', 'assessment.answered', 'assessment.reopened']),
    )
  })
})

describe('Peers', () => {
  it('are shown together, five at a time, and never by name', async () => {
    const people: Principal[] = []
    for (let nth = 0; nth < 8; nth++) people.push(await world.person(`Peer${nth}`))
    const [ann] = people as [Principal, ...Principal[]]
    const { id } = await world.run(people, 'Peers')
    const made = await world.create(id, { raters: ['peers'] })
    await world.work()
    const forms = await world.forms(made.id)
    expect(forms).toHaveLength(8 * 7)
    expect(forms.filter((form) => form.subject === form.person)).toEqual([])
    expect((await world.told(ann)).map((one) => one.content)).toMatchObject([
      { message: 'Peers: How do you see 7 of your colleagues? Nobody sees who said what.' },
    ])
    const [scale, , words] = idsOf(made)
    const read = async (who: Principal) =>
      (await world.ask(who, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)).json
    const said: object[] = []
    for (const [nth, peer] of people.slice(1).entries()) {
      const { status, text } = await world.ask(peer, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, {
        answers: [
          { item_id: scale, value: nth < 5 ? 3 : 5 },
          ...(nth < 6 ? [{ item_id: words, value: `Words ${9 - nth}` }] : []),
        ],
        submit: true,
      })
      expect(status).toBe(200)
      // A peer reads their own form of a colleague, and nothing else.
      expect(text).not.toContain(`Words ${9 - nth + 1}`)
      said.push((await read(ann)).assessments[0].peers)
    }
    const few = { counted: 0, score: null, levels: [], words: [] }
    expect(said[3]).toMatchObject({ asked: 7, submitted: 4, ...few })
    expect(said[4]).toMatchObject({
      submitted: 5,
      counted: 5,
      levels: [{ item_id: scale, level: 0.5, answers: 5 }],
    })
    // Two more by themselves would show what they said.
    expect(said[6]).toMatchObject({ submitted: 7, counted: 5, levels: [{ level: 0.5 }] })
    expect((said[6] as { words: { text: string }[] }).words.map((one) => one.text)).toEqual(
      [5, 6, 7, 8, 9].map((nth) => `Words ${nth}`),
    )
    const seen = await world.call('adam', 'GET', `/lljs/${id}/assessments/${ann.user_id}`)
    expect(seen.json.assessments[0].forms).toEqual([])
    for (const peer of people.slice(1)) expect(seen.text).not.toContain(peer.email)
    expect(seen.text).not.toContain('Words 3')
    const table = await world.must('adam', 'GET', `/lljs/${id}/assessments?q=Peer0`)
    expect(table.data[0].forms).toMatchObject([
      { rater: 'peers', state: 'submitted', asked: 7, submitted: 7 },
    ])
    expect(table.assessments[0].figures).toMatchObject([{ rater: 'peers', submitted: 7, score: null }])
    const log = await world.call('adam', 'GET', '/audit_events?action=assessment.answered&per_page=100')
    expect(log.text).not.toContain(`"user":${ann.user_id}`)
  })

  it('show the answer of nobody who alone among the next five gave one', async () => {
    const people: Principal[] = []
    for (let nth = 0; nth < 11; nth++) people.push(await world.person(`Silent${nth}`))
    const [ann] = people as [Principal, ...Principal[]]
    const { id } = await world.run(people, 'Silent peers')
    const made = await world.create(id, { raters: ['peers'] })
    await world.work()
    const [scale, , words] = idsOf(made)
    const shown = []
    for (const [nth, peer] of people.slice(1).entries()) {
      const said = nth < 6 ? { item_id: scale, value: nth < 5 ? 3 : 5 } : { item_id: words, value: 'Fine' }
      const body = { answers: [said], submit: true }
      await world.ask(peer, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, body)
      if (nth % 5 === 4)
        shown.push((await world.ask(ann, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)).json)
    }
    const figures = { score: 0.5, levels: [{ item_id: scale, level: 0.5, answers: 5 }] }
    expect(shown.map((one) => one.assessments[0].peers)).toMatchObject([
      { counted: 5, ...figures },
      { counted: 10, ...figures },
    ])
  })

  it('are those with the same sponsor where they are enough, else anybody', async () => {
    const people: Principal[] = []
    for (let nth = 0; nth < 9; nth++) people.push(await world.person(`Team${nth}`))
    const boss = await world.person('Boss')
    const { id, members } = await world.run(people, 'Teams')
    await world.sponsor(id, boss, members.slice(0, 6))
    const made = await world.create(id, { raters: ['peers'] })
    await world.work()
    const asked = Map.groupBy(await world.forms(made.id), (form) => form.subject)
    const team = people.slice(0, 6).map((one) => one.user_id)
    for (const [nth, one] of people.entries()) {
      const peers = asked.get(one.user_id)?.map((form) => form.person) ?? []
      expect([nth, new Set(peers).size]).toEqual([nth, nth < 6 ? 5 : 8])
      if (nth < 6) expect(team).toEqual(expect.arrayContaining(peers))
    }
  })

  it('are ten at most, also when more come', async () => {
    const people: Principal[] = []
    for (let nth = 0; nth < 14; nth++) people.push(await world.person(`Crowd${nth}`))
    const { id } = await world.run(people.slice(0, 12), 'Crowd')
    const made = await world.create(id, { raters: ['peers'] })
    await world.work()
    const about = async () =>
      [...Map.groupBy(await world.forms(made.id), (form) => form.subject).values()].map((all) => all.length)
    expect(new Set(await about())).toEqual(new Set([10]))
    await world.add(id, people.slice(12))
    await world.work()
    expect(await about()).toEqual(Array(14).fill(10))
  })
})

describe('Inside a part of the company', () => {
  it('whoever learns in a journey of the whole fills in their form there, and writes nothing', async () => {
    const { nora, both } = world.people
    await world.inAcme((db) =>
      db
        .updateTable('users')
        .set({ timezone: BY_DAY })
        .where('id', 'in', [nora.user_id, both.user_id])
        .execute(),
    )
    const { id, members } = await world.run([nora], 'Of everybody')
    await world.sponsor(id, both, members)
    const made = await world.create(id, { raters: ['self', 'sponsor'] })
    await world.work()
    const path = `/assessments/${made.id}/forms/${nora.user_id}`
    const body = { answers: [{ item_id: idsOf(made)[0], value: 3 }], submit: true }
    const inNorth = (method: string, to: string, what?: object) =>
      world.ask(nora, method, to, what, world.north)
    expect((await inNorth('PUT', path, { ...body, rater: 'self' })).status).toBe(200)
    expect((await inNorth('PUT', `/assessments/${made.id}`, { name: 'Mine', lock_version: 0 })).status).toBe(
      404,
    )
    expect((await inNorth('DELETE', `/assessments/${made.id}`)).status).toBe(404)
    // Whoever is asked about somebody of another part has to know about whom.
    const owed = await world.ask(both, 'GET', '/learner/assessments', undefined, world.south)
    expect(owed.json.data).toMatchObject([{ rater: 'sponsor', learner: { name: 'Nora Test' } }])
    expect((await world.ask(both, 'PUT', path, body, world.south)).status).toBe(200)
    const touched = await inScope(
      world.database.app,
      {
        ...{ ...systemActor(world.acme), user_id: nora.user_id },
        ...{ sub_tenant_id: world.north, as_participant: true },
      },
      async ({ db }) => [
        (await db.selectFrom('assessment_items').select('id').where('assessment_id', '=', made.id).execute())
          .length,
        (await db.updateTable('assessments').set({ name: 'Mine' }).where('id', '=', made.id).execute())[0]
          ?.numUpdatedRows,
        (await db.deleteFrom('assessment_items').where('assessment_id', '=', made.id).execute())[0]
          ?.numDeletedRows,
      ],
    )
    expect(touched).toEqual([3, 0n, 0n])
  })
})
