/** Who reads which answers of an assessment: authors, sponsors, learners, peers, and a sub-tenant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '#app/auth/principal.ts'
import type { Rater } from '#app/domain/assessments/assessment.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { whoReads } from '#app/routes/assessments/who-reads.ts'
import { BY_DAY } from '#tests/support/by-day.ts'
import { type AssessmentsWorld, createAssessmentsWorld } from './assessments-world.ts'

let world: AssessmentsWorld
let uri: Principal
beforeAll(async () => {
  world = await createAssessmentsWorld()
  uri = world.people.uri
})
afterAll(() => world?.drop())

const idsOf = (assessment: { items: { id: number }[] }) => assessment.items.map((item) => item.id)

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

  it('a learner and a sponsor read each other’s answers only after submitting their own', async () => {
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

  it('a sponsor reads a learner’s answers only after submitting their own', async () => {
    const { ann, sponsor, say, read } = await rated()
    await say(ann, ann, 4, 'My own words')
    expect((await read(sponsor, ann)).text).not.toContain('My own words')
    await say(sponsor, ann, 4, 'Yes')
    expect((await read(sponsor, ann)).text).toContain('My own words')
  })

  it.each([{ raters: ['self', 'sponsor'] }, { raters: ['self'] }, { raters: ['sponsor'] }] as const)(
    'is what the form promises its raters: $raters',
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
        // The first rater has submitted already, so the second one sees those answers.
        const isHeld = promise.includes('after submitting theirs') && rater === raters[0]
        expect([promise, await reads(other, `words of ${rater}`)]).toEqual([promise, !isHeld])
      }
    },
  )

  it('an archived journey stays readable for the learner and the sponsor, but takes no answers', async () => {
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

  it('other learners, sponsors, authors, sub-tenants and companies cannot read or fill in a form', async () => {
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
    // Aya does not learn in this journey, though Adam can see the journey.
    expect((await read(adam, aya)).status).toBe(404)
    for (const who of ['uri', 'aya'] as const) {
      expect((await world.call(who, 'GET', `/lljs/${id}/assessments`)).status).toBe(403)
      expect(
        (await world.call(who, 'PUT', `/assessments/${made.id}`, { name: 'X', lock_version: 0 })).status,
      ).toBe(403)
      expect((await world.call(who, 'DELETE', `/assessments/${made.id}`)).status).toBe(403)
    }
    // A former sponsor can no longer read anything.
    await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
      member_ids: [members[0]?.id],
      sponsor_id: null,
    })
    expect((await read(sponsor, ann)).status).toBe(403)
  })

  it('an administrator reopens a form with a reason, and the earlier answers are kept', async () => {
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
    // Pressed twice, it is reopened and announced once.
    expect((await world.call('adam', 'POST', path, { reason: 'You asked to think again.' })).status).toBe(200)
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
  it('are shown as a group, five at a time, and never by name', async () => {
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
      // A peer reads only their own form about a colleague.
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
    // Two more answers, added alone, would reveal what those two peers said.
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

  it('keep an answer hidden if only one of the next five peers answered that question', async () => {
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

  it('have a score of the shown levels only, so that nobody can work out a hidden answer', async () => {
    const people: Principal[] = []
    for (let nth = 0; nth < 6; nth++) people.push(await world.person(`Scored${nth}`))
    const [ann] = people as [Principal, ...Principal[]]
    const { id } = await world.run(people, 'Scored peers')
    const made = await world.create(id, { raters: ['peers'] })
    await world.work()
    const [scale, choice] = idsOf(made)
    for (const [nth, peer] of people.slice(1).entries()) {
      const alone = nth === 0 ? [{ item_id: choice, value: 'b' }] : []
      const body = { answers: [{ item_id: scale, value: 3 }, ...alone], submit: true }
      await world.ask(peer, 'PUT', `/assessments/${made.id}/forms/${ann.user_id}`, body)
    }
    const { json } = await world.ask(ann, 'GET', `/lljs/${id}/assessments/${ann.user_id}`)
    expect(json.assessments[0].peers).toMatchObject({
      counted: 5,
      score: 0.5,
      levels: [{ item_id: scale, level: 0.5, answers: 5 }],
    })
  })

  it('are learners with the same sponsor if there are enough, otherwise all other learners', async () => {
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

  it('do not include the learner’s sponsor, even if the sponsor learns in the same journey', async () => {
    const people: Principal[] = []
    for (let nth = 0; nth < 12; nth++) people.push(await world.person(`Led${nth}`))
    const [led, boss] = people as [Principal, Principal]
    const { id, members } = await world.run(people, 'Led by a learner')
    await world.sponsor(id, boss, members.slice(0, 1))
    const made = await world.create(id, { raters: ['sponsor', 'peers'] })
    await world.work()
    const about = (await world.forms(made.id)).filter((form) => form.subject === led.user_id)
    expect(about.map(({ person }) => person).filter((one) => one === boss.user_id)).toHaveLength(1)
    expect(about).toHaveLength(11)
  })

  it('do not include a learner while they sponsor the person who is assessed', async () => {
    const people = await Promise.all(['Ann51', 'Ben51', 'Cid51'].map((name) => world.person(name)))
    const [ann, ben] = people as [Principal, Principal]
    const { id, members } = await world.run(people, 'Promoted')
    await world.create(id, { raters: ['sponsor', 'peers'] })
    const asked = async () => {
      await world.work()
      const { json } = await world.ask(ben, 'GET', '/learner/assessments')
      const about = json.data.filter((one: { learner: { id: number } }) => one.learner.id === ann.user_id)
      return about.map(({ rater }: { rater: string }) => rater)
    }
    expect(await asked()).toEqual(['peers'])
    const ofAnn = members.filter(({ user_id }) => user_id === ann.user_id)
    await world.sponsor(id, ben, ofAnn)
    expect(await asked()).toEqual(['sponsor'])
    await world.sponsor(id, await world.person('Dan51'), ofAnn)
    expect(await asked()).toEqual(['peers'])
  })

  it('are at most ten, even when more learners join', async () => {
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

describe('Inside a sub-tenant', () => {
  it('participants of a company-wide journey fill in their forms, but cannot change the assessment', async () => {
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
    // A sponsor who is asked about a learner of another sub-tenant sees that learner's name.
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
