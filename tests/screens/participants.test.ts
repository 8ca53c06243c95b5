/** Participants of a journey with more than a page of them, as people without JavaScript look after them. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from '#tests/support/visitor.ts'
import { html, onDay, openAuthoring, plain } from './authoring-world.ts'

const MANY = 120
let world: Awaited<ReturnType<typeof openAuthoring>>
let adam: Visitor
let schedule = ''
beforeAll(async () => {
  world = await openAuthoring()
  adam = world.adam
  const made = await world.draft('Crowded', [{ title: 'One', ...onDay(9) }])
  schedule = made.schedule
  const admin = new pg.Client({ connectionString: world.site.adminUrl })
  await admin.connect()
  await admin.query(
    `with made as (
       insert into users (tenant_id, email, first_name, last_name, activation_status)
       select tenant_id, kind || '-' || lpad(n::text, 3, '0') || '@northwind.example', kind, lpad(n::text, 3, '0'), 'active'
       from journeys, generate_series(1, ${MANY}) n, unnest(array['learner', 'sponsor']) kind where id = $1
       returning tenant_id, id, first_name)
     insert into members (tenant_id, journey_id, user_id, role)
     select tenant_id, $1::bigint, id, first_name from made`,
    [made.id],
  )
  // Those with early numbers have sponsors with late ones.
  await admin.query(
    `update members m set sponsor_id = s.id from users u, members s join users su on su.id = s.user_id
     where u.id = m.user_id and m.journey_id = $1 and s.journey_id = $1 and s.role = 'sponsor' and m.role = 'learner'
       and u.last_name in ('001', '002') and su.last_name = '120'`,
    [made.id],
  )
  await admin.end()
})
afterAll(() => world?.site.close())

const dialog = (more = '') => `${schedule}?participantsModal=true${more}`
const find = async (words: string) => plain(await html(adam, dialog(`&find=${words}`)))
const idOf = async (words: string) => (await find(words)).match(/member=(\d+)/)?.[1] ?? ''
const remove = (id: string, successor_id = '') =>
  adam.submit(dialog(`&member=${id}`), { intent: 'remove-member', member_id: id, successor_id })

describe('Among many participants', () => {
  it('one is found by name, and shows a sponsor of another page', async () => {
    const first = plain(await html(adam, dialog()))
    expect(first).toContain(`Participants (${2 * MANY})`)
    expect(first).toContain('Sponsor: sponsor 120')
    expect(first).not.toContain('learner-120@')
    const found = await find('learner-120')
    expect(found).toContain('learner-120@')
    expect(found).not.toContain('learner-119@')
    expect(await find('no+such+person')).toContain('Nobody matches “no such person”.')
  })

  it('a sponsor is sought by name and chosen; the form has the e-mail of the present one', async () => {
    const id = await idOf('learner-001')
    expect(await html(adam, dialog(`&member=${id}`))).toContain('value="sponsor-120@northwind.example"')
    const sought = plain(await html(adam, dialog(`&member=${id}&seek=sponsor+119`)))
    const [, choose = ''] = sought.match(/href="([^"]*sponsor=sponsor-119[^"]*)"/) ?? []
    const chosen = await html(adam, choose.replaceAll('&amp;', '&'))
    expect(chosen).toContain('value="sponsor-119@northwind.example"')
    await adam.submit(dialog(`&member=${id}`), {
      ...{ intent: 'save-member', role: 'learner', sponsor: 'sponsor-119@northwind.example' },
    })
    expect(await find('learner-001')).toContain('Sponsor: sponsor 119')
    expect(plain(await html(adam, dialog(`&member=${id}&seek=zzz`)))).toContain('Nobody matches “zzz”.')
  })

  it('a sponsor leaves after the question who follows, whoever that is', async () => {
    const [leaving, next] = [await idOf('sponsor-120'), await idOf('sponsor-118')]
    // Not from the list, where nobody would be asked.
    expect(await find('sponsor-120')).not.toContain('value="remove-member"')
    const page = await html(adam, dialog(`&member=${leaving}&seek=sponsor-118`))
    expect(page).toContain('Who looks after their learners then')
    expect(page).toContain(`<option value="${next}"`)
    const refused = await remove(leaving, await idOf('learner-003'))
    expect(refused.status).toBe(422)
    expect(plain(await refused.text())).toContain('This person is not a sponsor of the journey.')
    expect((await remove(leaving, next)).status).toBe(302)
    expect(await find('learner-002')).toContain('Sponsor: sponsor 118')
    expect((await remove(next)).status).toBe(302)
    expect(await find('learner-002')).not.toContain('Sponsor:')
  })

  it('the time machine looks at anybody', async () => {
    const preview = (more: string) => html(adam, `${schedule}?preview=true${more}`)
    const named = await preview('&who=learner-119')
    const [, user = ''] = named.match(/<option value="(\d+)"[^>]*>learner 119/) ?? []
    expect(user).not.toBe('')
    expect(await preview('')).not.toContain(`<option value="${user}"`)
    expect(await preview(`&user=${user}`)).toMatch(new RegExp(`<option value="${user}" selected`))
    // Words lead away from whom one looked at before.
    expect(await preview(`&user=${user}&who=learner-118`)).toMatch(/selected=""[^>]*>learner 118/)
  })
})

describe('After the launch', () => {
  it('somebody leaves, stands among those who left, and comes back', async () => {
    const learners =
      /(\d+) learners will take part/.exec(await html(adam, `${schedule}?launch=send`))?.[1] ?? ''
    await adam.submit(schedule, { intent: 'launch', expected_recipients: learners, skip_past: 'false' })
    const id = await idOf('learner-007')
    expect((await remove(id)).status).toBe(302)
    const left = await find('learner-007')
    expect(left).toMatch(/<h3 id="withdrawn">Left<\/h3>[\s\S]*learner-007@/)
    expect(left).not.toMatch(/<h3 id="members">[\s\S]*learner-007@[\s\S]*<h3 id="withdrawn">/)
    const back = await adam.follow(await adam.submit(dialog(), { intent: 'return-member', member_id: id }))
    expect(back.html).toContain('They are back')
    const again = await find('learner-007')
    expect(again).toContain('learner-007@')
    expect(again).not.toContain('id="withdrawn"')
  })

  it('nobody comes back to a journey that is over, and it is said why', async () => {
    const id = await idOf('learner-008')
    await remove(id)
    await adam.submit(schedule, { intent: 'complete' })
    const refused = await adam.submit(dialog(), { intent: 'return-member', member_id: id })
    expect(refused.status).toBe(409)
    expect(plain(await refused.text())).toContain('A journey that is completed takes nobody back.')
  })
})
