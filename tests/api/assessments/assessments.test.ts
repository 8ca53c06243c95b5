/** Assessments: writing them, and how they open and close. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookAfterAssessment } from '#app/domain/assessments/opening.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { AT_NIGHT } from '#tests/support/by-day.ts'
import {
  type AssessmentsWorld,
  createAssessmentsWorld,
  ITEMS,
  LONG_AGO,
  SOMEDAY,
  STEPS,
} from './assessments-world.ts'

let world: AssessmentsWorld
beforeAll(async () => {
  world = await createAssessmentsWorld()
})
afterAll(() => world?.drop())

const states = async (assessment: number) => (await world.forms(assessment)).map((form) => form.state)

describe('Writing an assessment', () => {
  it('stores the given fields, and names the field that is wrong', async () => {
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

  it('changes the given fields, keeps the rest, and answers a stale edit with what is stored', async () => {
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

  it('creates one per idempotency key, and at most twelve per journey', async () => {
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
  it('once for each rater, and notifies them with a link', async () => {
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

  it('in the to-do list sorted by closing time, then by opening time', async () => {
    const ann = await world.person('Turner')
    const { id } = await world.run([ann], 'In turn')
    const made = [
      { name: 'Never closes, opened later', opens: { ...LONG_AGO, date: '2020-02-01' } },
      { name: 'Closes last', closes: { ...SOMEDAY, date: '2031-07-01' } },
      { name: 'Never closes, opened first' },
      { name: 'Closes first', closes: SOMEDAY },
    ]
    for (const one of made) {
      await world.create(id, one)
      await world.work()
    }
    const owed = await world.ask(ann, 'GET', '/learner/assessments')
    expect(owed.json.data.map((one: { name: string }) => one.name)).toEqual([
      ...['Closes first', 'Closes last'],
      ...['Never closes, opened first', 'Never closes, opened later'],
    ])
  })

  it('without a notification for people who muted it, and not at all for deactivated people', async () => {
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

  it('at the local time of each rater, even after they move to another time zone', async () => {
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
    // The sponsor of the learner in Tokyo is in New York's zone. People without a zone get Vienna's.
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
    // By the journey's zone it is the same hour for everyone; counted from joining, each has their own day.
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    const mode = { timezone_mode: 'journey', timezone: 'UTC', lock_version }
    await world.must('adam', 'PUT', `/lljs/${id}`, mode)
    await world.work()
    expect(new Set((await times()).map(([, , opens]) => opens))).toEqual(
      // At that hour it is evening in Tokyo, when nobody is notified.
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
    // At night in Tokyo nobody is notified: the assessment opens there in the morning.
    expect((await times())[0]?.[2]).toBe('2031-05-08T00:00:00.000Z')
  })

  it('in the morning if its time had passed at launch and it is night for the rater', async () => {
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

  it('in the morning for more people than one statement has room for', async () => {
    const { id } = await world.draft([], { name: 'All asleep' })
    const made = await world.create(id, { raters: ['peers'] })
    const [FORMS, PEOPLE] = [66_000, 257]
    const admin = await world.database.connectAdmin()
    // These rows do not need the triggers.
    await admin.query('set session_replication_role = replica')
    await admin.query(
      `with made as (insert into users (tenant_id, email, first_name, last_name, activation_status, timezone)
          select $1, 'asleep-' || n || '@acme.example', 'Asleep', n::text, 'active', $2 from generate_series(1, ${PEOPLE}) n
          returning tenant_id, id)
        insert into members (tenant_id, journey_id, user_id, role, state)
          select tenant_id, $3, id, 'learner', 'active' from made`,
      [world.acme, AT_NIGHT, id],
    )
    await admin.query(
      `insert into assessment_forms (tenant_id, journey_id, assessment_id, subject_id, rater, rater_id, opens_at)
        select s.tenant_id, s.journey_id, $1, s.id, 'peers', r.id, now() from members s
          join members r on r.journey_id = s.journey_id where s.journey_id = $2`,
      [made.id, id],
    )
    await admin.query(`update journeys set status = 'active' where id = $1`, [id])
    await admin.query(`update assessments set is_stale = false where id = $1`, [made.id])
    await admin.query('analyze users, members, assessment_forms')
    await inScope(world.database.worker, systemActor(world.acme), (scope) =>
      lookAfterAssessment(scope, made.id),
    )
    const waiting = 'select from assessment_forms where assessment_id = $1 and opens_at > now()'
    expect((await admin.query(waiting, [made.id])).rowCount).toBeGreaterThan(FORMS)
    await admin.query('delete from assessments where id = $1', [made.id])
    await admin.query('delete from assessment_forms where assessment_id = $1', [made.id])
    await admin.end()
  }, 60_000)

  it('only after a paused journey resumes, and closes when the journey is archived', async () => {
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

  it('only once it has questions', async () => {
    const ann = await world.person('Ann30')
    const { id } = await world.run([ann], 'Empty')
    const made = await world.create(id, { items: [] })
    await world.work()
    expect([await states(made.id), await world.told(ann)]).toEqual([['not_open'], []])
    await world.must('adam', 'PUT', `/assessments/${made.id}`, { items: ITEMS, lock_version: 0 })
    await world.work()
    expect([await states(made.id), (await world.told(ann)).length]).toEqual([['open'], 1])
  })

  it('never if it would close first, which prevents the launch', async () => {
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
          (name) => `“${name}” would close before anybody could fill it in: choose a later end.`,
        ),
      },
    ])
  })

  it('neither in a draft journey nor after its closing time', async () => {
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

  it('again for learners who have not submitted, once its closing time is moved', async () => {
    const [ann, ben, eve] = [
      await world.person('Ann4'),
      await world.person('Ben4'),
      await world.person('Eve4'),
    ]
    const { id, members } = await world.run([ann, ben, eve], 'Extended')
    const made = await world.create(id)
    await world.work()
    const say = (who: typeof ann, submit: boolean) =>
      world.ask(who, 'PUT', `/assessments/${made.id}/forms/${who.user_id}`, {
        answers: [{ item_id: made.items[0].id, value: 4 }],
        submit,
      })
    await say(ann, true)
    await say(ben, false)
    const end = async (closes: object | null, lock_version: number) => {
      await world.must('adam', 'PUT', `/assessments/${made.id}`, { closes, lock_version })
      await world.work()
      return states(made.id)
    }
    const over = { ...LONG_AGO, date: '2020-02-01' }
    expect(await end(over, 0)).toEqual(['submitted', 'closed', 'closed'])
    expect(await end({ ...over, time: '10:00' }, 1)).toEqual(['submitted', 'closed', 'closed'])
    expect(await end(SOMEDAY, 2)).toEqual(['submitted', 'in_progress', 'open'])
    expect([await world.told(ann), await world.told(eve)].map((told) => told.length)).toEqual([1, 2])
    expect((await say(ben, true)).status).toBe(200)
    // A learner who left meanwhile is not asked again.
    expect(await end(over, 3)).toEqual(['submitted', 'submitted', 'closed'])
    await world.call('adam', 'DELETE', `/lljs/${id}/members/${members[2]?.id}`)
    expect(await end(null, 4)).toEqual(['submitted', 'submitted', 'closed'])
  })
})
