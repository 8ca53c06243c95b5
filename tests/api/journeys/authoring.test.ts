import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createJourneysWorld, type JourneysWorld, QUESTION } from './journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const MANUAL = { kind: 'manual', at_launch: true }

describe('A journey’s author', () => {
  it('can be changed only by administrators, and only to someone who can write journeys', async () => {
    const { id } = await world.draft([])
    const { aya, uri } = world.people
    expect((await world.call('adam', 'PATCH', `/lljs/${id}/author`, { author_id: uri.user_id })).status).toBe(
      422,
    )
    expect((await world.call('aya', 'PATCH', `/lljs/${id}/author`, { author_id: aya.user_id })).status).toBe(
      403,
    )
    const given = await world.must('adam', 'PATCH', `/lljs/${id}/author`, { author_id: aya.user_id })
    expect(given.author_id).toBe(aya.user_id)
    expect((await world.call('aya', 'GET', `/lljs/${id}`)).status).toBe(200)
    expect((await world.call('greta', 'PATCH', `/lljs/${id}/author`, { author_id: 1 })).status).toBe(404)
  })

  it('must be able to open it; a sub-tenant’s administrator cannot be author of a company journey', async () => {
    const { adam, nora } = world.people
    const inNorth = { sub: world.north }
    const there = (await world.call('nora', 'POST', '/lljs', { name: 'Of the north' }, inNorth)).json
    const give = async (id: number, { user_id }: { user_id: number }) =>
      (await world.call('adam', 'PATCH', `/lljs/${id}/author`, { author_id: user_id })).status
    expect([await give(there.id, adam), await give(there.id, nora)]).toEqual([200, 200])
    const { id } = await world.draft([])
    expect(await give(id, nora)).toBe(422)
  })

  it('is an administrator of the whole company if a super admin creates the journey', async () => {
    const { adam, aya } = world.people
    const make = async () => {
      const { json } = await world.call('sofia', 'POST', '/lljs', { name: 'Ours' }, { as: world.acme })
      return json.author_id
    }
    expect(await make()).toBe(adam.user_id)
    const hold = ({ user_id }: typeof adam, role: string, sub_tenant_id: string | null) =>
      inScope(world.database.app, systemActor(world.acme), ({ db }) =>
        db
          .updateTable('user_general_roles')
          .set({ role, sub_tenant_id })
          .where('user_id', '=', user_id)
          .execute(),
      )
    await hold(adam, 'admin', world.north)
    await hold(aya, 'admin', null)
    expect(await make()).toBe(aya.user_id)
    await hold(adam, 'admin', null)
    await hold(aya, 'author', null)
  })
})

describe('Learning objectives', () => {
  it('can be added, tagged to a question, edited and deleted by people who manage the journey', async () => {
    const { id, prompt } = await world.draft([])
    const made = await world.must('adam', 'POST', `/lljs/${id}/learning_objectives`, {
      code: 'LO1',
      text: 'Listens',
      target_level: 0.8,
    })
    expect(made).toMatchObject({ code: 'LO1', target_level: 0.8, position: 1, uses: 0 })
    expect(
      (await world.call('adam', 'POST', `/lljs/${id}/learning_objectives`, { code: 'LO1', text: 'Again' }))
        .json.detail.code,
    ).toBeTruthy()
    const tagged = await world.must('adam', 'PUT', `/prompts/${prompt}`, {
      ...QUESTION,
      objective_ids: [made.id],
    })
    expect(tagged.objective_ids).toEqual([made.id])
    expect((await world.must('adam', 'PUT', `/prompts/${prompt}`, QUESTION)).objective_ids).toEqual([made.id])
    await world.must('adam', 'PUT', `/learning_objectives/${made.id}`, {
      ...{ code: 'LO1', text: 'Listens well', lock_version: made.lock_version },
    })
    expect(
      (
        await world.call('aya', 'PUT', `/learning_objectives/${made.id}`, {
          code: 'x',
          text: 'y',
          lock_version: 0,
        })
      ).status,
    ).toBe(403)
    expect((await world.call('greta', 'DELETE', `/learning_objectives/${made.id}`)).status).toBe(404)
    await world.must('adam', 'DELETE', `/learning_objectives/${made.id}`)
    expect((await world.must('adam', 'GET', `/lljs/${id}/learning_objectives`)).data).toEqual([])
    const other = await world.draft([])
    const refused = await world.call('adam', 'PUT', `/prompts/${other.prompt}`, {
      ...QUESTION,
      objective_ids: [made.id],
    })
    expect(refused.json.detail.objective_ids).toBeTruthy()
  })

  it('need codes that differ by more than case, but existing duplicates can be saved and copied', async () => {
    const { id } = await world.draft([])
    const path = `/lljs/${id}/learning_objectives`
    const made = await world.must('adam', 'POST', path, { code: 'LO1', text: 'Listens' })
    const refused = await world.call('adam', 'POST', path, { code: 'lo1', text: 'Asks' })
    expect([refused.status, refused.json.detail.code]).toEqual([
      409,
      ['Another objective has the code “LO1”.'],
    ])
    const second = await world.must('adam', 'POST', path, { code: 'LO2', text: 'Asks' })
    const admin = await world.database.connectAdmin()
    await admin.query(`update learning_objectives set code = 'lo1' where id = $1`, [second.id])
    const change = (one: { id: number; lock_version: number }, code: string) =>
      world.call('adam', 'PUT', `/learning_objectives/${one.id}`, {
        ...{ code, text: 'Again', lock_version: one.lock_version },
      })
    expect((await change(made, 'LO1')).status).toBe(200)
    expect((await change(second, 'Lo1')).status).toBe(409)
    expect((await change(second, 'lo1')).status).toBe(200)
    const copy = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, {})
    const copied = await world.must('adam', 'GET', `/lljs/${copy.id}/learning_objectives`)
    expect(copied.data.map(({ code }: { code: string }) => code)).toEqual(['LO1', 'lo1'])
  })
})

describe('The order of lifts and questions', () => {
  it('can be changed, and has to name each of them once', async () => {
    const { id, lift } = await world.draft([])
    const second = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'Second',
      schedule: MANUAL,
    })
    const ordered = await world.must('adam', 'PATCH', `/lljs/${id}/lifts/order`, {
      lift_ids: [second.id, lift],
    })
    expect(ordered.data.map((one: { title: string }) => one.title)).toEqual(['Second', 'Listen first'])
    for (const lift_ids of [[lift], [lift, lift], [lift, second.id, 999], []])
      expect((await world.call('adam', 'PATCH', `/lljs/${id}/lifts/order`, { lift_ids })).status).toBe(422)
    const more = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, {
      kind: 'number',
      text: 'How many?',
    })
    const [first] = (await world.must('adam', 'GET', `/lifts/${lift}`)).prompts
    const turned = await world.must('adam', 'PATCH', `/lifts/${lift}/prompts/order`, {
      prompt_ids: [more.id, first.id],
    })
    expect(turned.prompts.map((one: { kind: string }) => one.kind)).toEqual(['number', 'single_choice'])
    const path = `/lifts/${lift}/prompts/order`
    for (const prompt_ids of [[more.id], [more.id, more.id], [more.id, first.id, 999], []])
      expect((await world.call('adam', 'PATCH', path, { prompt_ids })).status).toBe(422)
  })
})

describe('A question that two authors edit', () => {
  it('refuses the second save, and shows what the first author saved', async () => {
    const { prompt } = await world.draft([])
    await world.must('adam', 'PUT', `/prompts/${prompt}`, { ...QUESTION, text: 'First', version: 1 })
    const late = await world.call('adam', 'PUT', `/prompts/${prompt}`, {
      ...QUESTION,
      text: 'Second',
      version: 1,
    })
    expect([late.status, late.json.current.text]).toEqual([409, 'First'])
  })
})

describe('A question that was answered', () => {
  it('keeps its kind, correct answers and chosen options, and cannot become more visible', async () => {
    const { id, lift, prompt } = await world.draft(['uri'])
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true, expected_recipients: 1 })
    await world.must('uri', 'POST', `/lifts/${lift}/responses`, {
      responses: [{ prompt_id: prompt, value: 'b' }],
    })
    const change = (more: object) => world.call('adam', 'PUT', `/prompts/${prompt}`, { ...QUESTION, ...more })
    expect((await change({ visibility: 'sponsor' })).json.detail.visibility).toBeTruthy()
    expect((await change({ kind: 'multiple_choice' })).json.detail.kind).toBeTruthy()
    const [a, b] = QUESTION.options
    expect(
      (
        await change({
          options: [
            { ...a, correct: false },
            { ...b, correct: true },
          ],
        })
      ).json.detail.options,
    ).toBeTruthy()
    const changed = await change({ visibility: 'learner_only', options: [a, { id: 'c', text: 'Waiting' }] })
    expect(changed.status).toBe(200)
    expect(
      changed.json.options.map((one: { id: string; retired?: boolean }) => [one.id, one.retired ?? false]),
    ).toEqual([
      ['a', false],
      ['c', false],
      ['b', true],
    ])
  })
})

describe('Participants', () => {
  it('can be added by role or sub-tenant, given sponsors, excluded, removed and restored', async () => {
    const { id, lift } = await world.draft(['uri'])
    const { uri, aya, adam } = world.people
    const group = await world.must('adam', 'POST', `/lljs/${id}/members`, {
      group: { general_role: 'author' },
    })
    expect(group.data.map((one: { user_id: number }) => one.user_id)).toEqual([aya.user_id])
    expect((await world.call('adam', 'POST', `/lljs/${id}/members`, { group: {} })).status).toBe(422)
    const north = await world.must('adam', 'POST', `/lljs/${id}/members`, {
      group: { sub_tenant_id: world.north },
      role: 'facilitator',
    })
    expect(north.added).toBe(2)

    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    const member = (who: { user_id: number }) =>
      data.find(
        (one: { user_id: number; role: string }) => one.user_id === who.user_id && one.role === 'learner',
      )
    const patch = (change: object) => world.call('adam', 'PATCH', `/lljs/${id}/members`, change)
    expect(
      (await patch({ member_ids: [member(uri).id], sponsor_user_id: uri.user_id })).json.detail.sponsor_id,
    ).toEqual(['A person cannot be their own sponsor.'])
    expect(
      (await patch({ member_ids: [member(uri).id, member(aya).id], sponsor_user_id: adam.user_id })).status,
    ).toBe(200)
    expect(
      (await patch({ member_ids: [member(uri).id], exclude_data: true })).json.data[0].exclude_data,
    ).toBe(true)
    const sponsors = await world.must('adam', 'GET', `/lljs/${id}/sponsors`)
    const shape = ({ user_id, email, first_name }: typeof uri) => ({
      id: user_id,
      email,
      name: `${first_name} Test`,
      sponsorId: adam.user_id,
    })
    expect(sponsors.data).toEqual([
      {
        id: adam.user_id,
        email: adam.email,
        name: 'Adam Test',
        learners: expect.arrayContaining([shape(uri), shape(aya)]),
      },
    ])

    const [sponsor] = (await world.must('adam', 'GET', `/lljs/${id}/members?role=sponsor`)).data
    const next = await world.must('adam', 'POST', `/lljs/${id}/members`, {
      user_ids: [world.people.nora.user_id],
      role: 'sponsor',
    })
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${sponsor.id}?successor_id=${next.data[0].id}`)
    expect((await world.must('adam', 'GET', `/lljs/${id}/sponsors`)).data[0].learners).toHaveLength(2)

    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true, expected_recipients: 2 })
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${member(uri).id}`)
    expect((await world.call('uri', 'GET', `/lifts/${lift}/page`)).status).toBe(404)
    expect((await world.must('adam', 'GET', `/lljs/${id}/members?withdrawn=true`)).data).toHaveLength(1)
    expect((await patch({ member_ids: [member(uri).id], state: 'active' })).status).toBe(200)
    expect((await world.must('adam', 'GET', `/lljs/${id}/members?role=learner`)).pagination.total).toBe(2)
  })

  it('can be imported from a table after a dry run, all of them or none', async () => {
    const { id } = await world.draft([])
    const { uri, aya } = world.people
    const bring = (csv: string, dry_run = false) =>
      world.must('adam', 'POST', `/lljs/${id}/members/import`, { csv, dry_run })
    const wrong = await bring(
      `email,role,sponsor\n${uri.email},learner,${uri.email}\nnobody@x.example,,\n${aya.email},boss,\n${uri.email},,`,
    )
    expect(
      wrong.problems.map((one: { line: number; message: string }) => `${one.line} ${one.message}`),
    ).toEqual([
      '2 A person cannot be their own sponsor.',
      '3 nobody@x.example is not in your company; add them as a user first.',
      '4 Role: please write learner, sponsor or facilitator',
      `5 ${uri.email} is in line 2 already.`,
    ])
    for (const csv of ['email\n', 'name\nx', '"', 'email;role;shoe\na@b.example;learner;42', '\0'])
      expect((await bring(csv)).problems).toHaveLength(1)
    const right =
      `E-Mail;Role;Sponsor;Exclude data\n${uri.email.toUpperCase()};learner;${aya.email};yes`.replace(
        'E-Mail',
        'Email',
      )
    expect(await bring(right, true)).toMatchObject({
      ...{ done: false, rows: [{ outcome: 'added' }] },
      joining_sponsors: [expect.stringContaining('Aya')],
    })
    expect((await world.must('adam', 'GET', `/lljs/${id}/members`)).data).toEqual([])
    expect(await bring(right)).toMatchObject({ done: true, problems: [] })
    const [same, other] = [
      await bring(right, true),
      await bring(`email,sponsor,exclude_data\n${uri.email},,no`, true),
    ]
    expect(same.joining_sponsors).toEqual([])
    expect(same.rows).toMatchObject([{ outcome: 'same', changes: [] }])
    expect(other.rows).toMatchObject([
      { outcome: 'changed', changes: [{ field: 'exclude_data', before: 'yes', after: 'no' }] },
    ])
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members?role=learner`)
    expect(data[0]).toMatchObject({
      user_id: uri.user_id,
      exclude_data: true,
      sponsor_id: expect.any(Number),
    })
  })
})

describe('A journey as a file', () => {
  it('is the same after an import and export; a duplicate copies the parts that are chosen', async () => {
    const { id, lift } = await world.draft(['uri'], { description: 'Two\nlines' })
    await world.must('adam', 'POST', `/lljs/${id}/learning_objectives`, { code: 'LO1', text: 'Listens' })
    const [objective] = (await world.must('adam', 'GET', `/lljs/${id}/learning_objectives`)).data
    await world.must('adam', 'POST', `/lljs/${id}/assessments`, {
      ...{ name: 'Before', phase: 'pre', raters: ['self', 'sponsor'] },
      opens: { kind: 'offset', from: 'start', days: 0 },
      items: [
        { text: 'I listen.', kind: 'scale', anchors: ['never', '', 'always'], objective_id: objective.id },
        { text: 'Why?', kind: 'text' },
      ],
    })
    const later = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'Later',
      schedule: { kind: 'after_lift', lift_id: lift, min_hours: 24 },
      objective_ids: [objective.id],
    })
    const commitment = { kind: 'commitment', text: 'What will you try?', visibility: 'sponsor' }
    await world.must('adam', 'POST', `/lifts/${later.id}/prompts`, commitment)
    const tagged = { ...QUESTION, text: 'Did it work?', objective_ids: [objective.id] }
    await world.must('adam', 'POST', `/lifts/${later.id}/prompts`, tagged)
    const file = await world.call('adam', 'GET', `/lljs/${id}/file`)
    expect(file.headers.get('content-type')).toContain('text/markdown')
    const dry = await world.must('adam', 'POST', '/lljs/import', { text: file.text })
    expect(dry).toMatchObject({ journey_id: null, lifts: 2, prompts: 3, objectives: 1, assessments: 1 })
    expect(dry.problems).toEqual([])
    const wrong = file.text.replace('objective: LO1', 'objective: LO9')
    expect((await world.must('adam', 'POST', '/lljs/import', { text: wrong })).problems[0].message).toBe(
      'There is no objective “LO9” in the settings at the top.',
    )
    const { journey_id } = await world.must('adam', 'POST', '/lljs/import', {
      text: file.text,
      dry_run: false,
    })
    expect((await world.call('adam', 'GET', `/lljs/${journey_id}/file`)).text).toBe(file.text)
    const { data: made } = await world.must('adam', 'GET', '/audit_events?action=prompt.created&per_page=3')
    const names = made.map(({ subject }: { subject: { name: string } }) => subject.name)
    expect(names).toEqual(['Did it work?', 'What will you try?', QUESTION.text])

    const copy = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, {})
    expect(copy).toMatchObject({
      name: 'Better talks (copy)',
      status: 'draft',
      source_journey_id: id,
      learners: 0,
      lifts: 2,
    })
    // A long name is truncated between characters.
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    const long = await world.must('adam', 'PUT', `/lljs/${id}`, {
      name: `${'x'.repeat(112)}😀 twice`,
      lock_version,
    })
    const again = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, {})
    expect(again.name).toBe(`${'x'.repeat(112)} (copy)`)
    await world.must('adam', 'PUT', `/lljs/${id}`, { name: 'Better talks', lock_version: long.lock_version })
    const asked = async (journey: number) =>
      (await world.must('adam', 'GET', `/lljs/${journey}/assessments`)).assessments
    const [copied] = await asked(copy.id)
    expect(copied).toMatchObject({ name: 'Before', raters: ['self', 'sponsor'], submitted: 0 })
    expect(copied.items[0]).toMatchObject({ anchors: ['never', '', 'always'], text: 'I listen.' })
    expect(copied.items[0].objective_id).not.toBe(objective.id)
    const bare = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, {
      name: 'Bare',
      lifts: false,
      objectives: false,
    })
    expect(bare).toMatchObject({ name: 'Bare', lifts: 0 })
    expect((await asked(bare.id))[0].items[0].objective_id).toBeNull()
    const barest = await world.must('adam', 'POST', `/lljs/${id}/duplicate`, { assessments: false })
    expect(await asked(barest.id)).toEqual([])
    const elsewhere = await world.must('adam', 'POST', '/lljs/import', {
      text: file.text.replace('Sales', 'Gone'),
      dry_run: false,
    })
    expect(elsewhere.problems).toContainEqual({
      line: 7,
      severity: 'warning',
      message: 'There is no category “Gone” here. The draft has none: choose one before you launch it.',
    })
    expect((await world.must('adam', 'GET', `/lljs/${elsewhere.journey_id}`)).category).toBeNull()
    for (const path of ['import', `${id}/duplicate`])
      expect(
        (
          await world.call(
            'aya',
            'POST',
            `/lljs/${path}`,
            path === 'import' ? { text: file.text, dry_run: false } : {},
          )
        ).status,
      ).toBe(403)
  })

  it('can have at most 200 lifts', async () => {
    const lift = (n: number) =>
      `# Lift: Lift ${n}\n\n~~~settings\nsms_text: "{{link}}"\nschedule:\n  kind: manual\n~~~\n\nText ${n}\n`
    const text = (count: number) =>
      `---\nliftwell: 1\nname: Long\n---\n\n${Array.from({ length: count }, (_, n) => lift(n)).join('\n')}`
    const { journey_id } = await world.must('adam', 'POST', '/lljs/import', {
      text: text(200),
      dry_run: false,
    })
    expect(
      (await world.must('adam', 'GET', `/lljs/${journey_id}/schedule?per_page=100&page=2`)).lifts,
    ).toHaveLength(100)
    expect(
      (await world.call('adam', 'POST', `/lljs/${journey_id}/lifts`, { title: 'One more' })).status,
    ).toBe(409)
    expect(
      (await world.must('adam', 'POST', '/lljs/import', { text: text(201) })).problems[0].message,
    ).toContain('at most 200 lifts')
  }, 60_000)
})
