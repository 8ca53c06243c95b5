/** Managing the participants of a journey with more than one page of them: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asAdmin, withAdmin } from '#tests/support/postgres.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { beside, html, onDay, openAuthoring, plain, words } from './authoring-world.ts'

const MANY = 120
let world: Awaited<ReturnType<typeof openAuthoring>>
let adam: Visitor
let schedule = ''
beforeAll(async () => {
  world = await openAuthoring()
  adam = world.adam
  const made = await world.draft('Crowded', [{ title: 'One', ...onDay(9) }])
  schedule = made.schedule
  await withAdmin(world.site.adminUrl, async (admin) => {
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
    // The sponsors of the first learners are on the last page.
    await admin.query(
      `update members m set sponsor_id = s.id from users u, members s join users su on su.id = s.user_id
     where u.id = m.user_id and m.journey_id = $1 and s.journey_id = $1 and s.role = 'sponsor' and m.role = 'learner'
       and u.last_name in ('001', '002') and su.last_name = '120'`,
      [made.id],
    )
  })
})
afterAll(() => world?.site.close())

const people = (more = '') => beside(schedule, `people${more}`)
const find = async (words: string) => plain(await html(adam, people(`?find=${words}`)))
const idOf = async (words: string) => (await find(words)).match(/people\/(\d+)\?find/)?.[1] ?? ''
const remove = (id: string, successor_id = '') => adam.submit(people(`/${id}/remove`), { successor_id })

describe('Among many participants', () => {
  it('one is found by name, and a sponsor from another page is named', async () => {
    const first = plain(await html(adam, people()))
    expect(first).toContain(`Participants (${2 * MANY})`)
    expect(plain(await html(adam, schedule))).not.toContain(`Participants (${MANY})`)
    expect(words(first)).toContain('@northwind.example (sponsor: sponsor 120)')
    expect(first).not.toContain('learner-120@')
    const found = await find('learner-120')
    expect(found).toContain('learner-120@')
    expect(found).not.toContain('learner-119@')
    expect(await find('no+such+person')).toContain('Nobody matches “no such person”.')
  })

  it('the form to add people says how to add one sponsor', async () => {
    expect(words(plain(await html(adam, people('/add'))))).toContain('A sponsor is added with a learner')
  })

  it('a sponsor is searched by name and chosen, and nothing typed or selected is lost', async () => {
    const id = await idOf('learner-001')
    const page = people(`/${id}?find=learner-00&members=1`)
    expect(await html(adam, page)).toContain('value="sponsor-120@northwind.example"')
    const save = (sponsor: string, more = {}) =>
      adam.submit(page, {
        ...{ role: 'learner', sponsor, exclude_data: 'on' },
        ...more,
      })
    const many = await save('sponsor')
    expect(many.status).toBe(422)
    const asked = plain(await many.text())
    expect(asked).toContain(`${MANY} people match. Choose below, or type more of the name.`)
    expect(asked).toContain('value="sponsor"')
    expect(asked).toMatch(/name="exclude_data"[^>]*checked|checked=""[^>]*name="exclude_data"/)
    const one = plain(await (await save('sponsor-119')).text())
    expect(one).toContain('One person matches. Confirm below.')
    expect(one).toMatch(/type="radio"[^>]*name="chosen"[^>]*value="sponsor-119@northwind.example"/)
    expect(plain(await (await save('zzz')).text())).toContain('Nobody in your company matches “zzz”.')
    // The full name of one person selects them, in any case and spacing.
    expect((await save('SPONSOR   119')).status).toBe(302)
    // A selection that the current search text does not match is not accepted.
    expect((await save('sponsor 118', { chosen: 'sponsor-119@northwind.example' })).status).toBe(422)
    const saved = await save('sponsor 119', { chosen: 'sponsor-119@northwind.example' })
    expect(saved.headers.get('location')).toBe(people('?find=learner-00&members=1'))
    const row = await find('learner-001')
    expect(row).toContain('sponsor: sponsor 119')
    expect(row).toContain('excluded from analytics')
  })

  it('a role is kept while a sponsor is searched, and other roles need no sponsor', async () => {
    const id = await idOf('learner-002')
    const page = people(`/${id}`)
    const wrong = await adam.submit(page, { role: 'learner', sponsor: 'zzz' })
    expect(await wrong.text()).toMatch(/<option value="learner" selected/)
    // Other roles have no sponsor, so the text in that field is ignored.
    const saved = await adam.submit(page, { role: 'facilitator', sponsor: 'zzz' })
    expect(saved.status).toBe(302)
    const found = await find('learner-002')
    expect(found).toContain('(facilitator)')
    // A person can take part twice, so screen readers are told which entry this is.
    expect(found).toMatch(/Edit<span class="hidden-words"> [^<]+ \(facilitator\)<\/span>/)
    await adam.submit(page, {
      role: 'learner',
      sponsor: 'sponsor-120@northwind.example',
    })
    expect(await find('learner-002')).toContain('sponsor: sponsor 120')
  })

  it('a search keeps at most 100 people selected, and says so', async () => {
    const ids = await withAdmin(world.site.adminUrl, async (admin) => {
      const sponsors = await admin.query<{ id: string }>(`select id from users where first_name = 'sponsor'`)
      return sponsors.rows.map(({ id }) => id)
    })
    const add = (ticked: readonly string[]) =>
      people(`/add?people=nobody${ticked.map((id) => `&user_ids=${id}`).join('')}`)
    const told = 'A search keeps 100 people selected. Add these first, then select others.'
    const few = plain(await html(adam, add(ids.slice(0, 99))))
    expect([few.match(/checked/g)?.length, few.includes(told)]).toEqual([99, false])
    const many = plain(await html(adam, add(ids)))
    expect([many.match(/checked/g)?.length, many.includes(told)]).toEqual([100, true])
  })

  it('people selected to be added stay selected during a search', async () => {
    const found = await html(adam, people('/add?people=sponsor-001'))
    // Sponsors of the journey are among them.
    expect(found).toContain('People who are not learners here yet')
    const [, user = ''] = found.match(/name="user_ids" value="(\d+)"/) ?? []
    const next = await html(adam, people(`/add?people=sponsor-002&user_ids=${user}&members=2&find=sponsor`))
    const boxes = [...next.matchAll(/<input[^>]*type="checkbox" name="user_ids"[^>]*>/g)].map(([box]) => box)
    expect(boxes.map((box) => [box.includes(`value="${user}"`), /checked/.test(box)])).toEqual([
      [true, true],
      [false, false],
    ])
    expect(next).toContain('name="find" value="sponsor"')
    const refused = await adam.submit(people('/add?people=sponsor-001'), {
      ...{ intent: 'add-members', user_ids: [user, '999999999'] },
    })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringMatching(new RegExp(`name="user_ids"[^>]*checked[^>]*value="${user}"`)),
    ])
    const added = await adam.submit(
      people(`/add?people=sponsor-002&user_ids=${user}&members=2&find=sponsor`),
      {
        ...{ intent: 'add-members', user_ids: user, people: 'sponsor-002' },
      },
    )
    expect(added.headers.get('location')).toBe(people('?members=2&find=sponsor'))
    expect(await find('sponsor-001')).toContain('sponsor-001@')
  })

  it('selected people stay while a group is added, and a group during a search or while people are added', async () => {
    const found = await html(adam, people('/add?people=sponsor-003'))
    const [, user = ''] = found.match(/name="user_ids" value="(\d+)"/) ?? []
    const [form = ''] = /<form(?:(?!<\/form>).)*name="user_ids".*?<\/form>/s.exec(found) ?? []
    for (const name of ['general_role', 'role']) expect(form).toContain(`name="${name}"`)
    const isTicked = new RegExp(`name="user_ids"[^>]*checked[^>]*value="${user}"`)
    const isAuthors = /<option value="author" selected/
    const isFacilitator = /<option value="facilitator" selected/
    const group = { general_role: 'author', role: 'facilitator' }

    const search = `/add?people=sponsor-004&user_ids=${user}&${new URLSearchParams(group)}`
    for (const kept of [isTicked, isAuthors, isFacilitator])
      expect(await html(adam, people(search))).toMatch(kept)

    const here = people('/add?people=sponsor-003&find=sponsor')
    const sent = { people: 'sponsor-003', find: 'sponsor', user_ids: [user, '999999999'] }
    const refused = await adam.submit(here, { ...sent, ...group, intent: 'add-members' })
    const page = await refused.text()
    for (const kept of [isTicked, isAuthors, isFacilitator]) expect(page).toMatch(kept)
    const none = await adam.submit(here, { ...sent, role: 'facilitator', intent: 'add-group' })
    expect([none.status, await none.text()]).toEqual([422, expect.stringMatching(isTicked)])

    const added = await adam.follow(
      await adam.submit(here, { ...sent, user_ids: user, ...group, intent: 'add-group' }),
    )
    expect(added.path).toBe(`${here}&user_ids=${user}`)
    expect(added.html).toMatch(isTicked)
    const rest = await adam.submit(here, { ...sent, user_ids: user, ...group, intent: 'add-members' })
    expect(rest.headers.get('location')).toBe(`${here}&${new URLSearchParams(group)}`)
  })

  it('a page beyond the last one shows the last one', async () => {
    const shown = plain(await html(adam, people('?members=9')))
    expect(shown).toMatch(/Page 3 of 3/)
    expect(shown).not.toContain('No participants yet.')
  })

  it('a sponsor is removed on a page that asks for a successor, who must be a sponsor', async () => {
    const [leaving, next] = [await idOf('sponsor-120'), await idOf('sponsor-118')]
    // The list removes nobody directly: each person is removed on a page that asks first.
    for (const words of ['sponsor-120', 'learner-001']) {
      const list = await find(words)
      expect(list).not.toContain('method="post" action="/lljs')
      expect(list).toMatch(/people\/\d+\/remove\?[^"]*"[^>]*>Remove/)
    }
    const page = await html(adam, people(`/${leaving}/remove?seek=sponsor-118`))
    expect(page).toContain('New sponsor of their learners')
    expect(page).toContain(`<option value="${next}"`)
    const refused = await remove(leaving, await idOf('learner-003'))
    expect(refused.status).toBe(422)
    expect(plain(await refused.text())).toContain('This person is not a sponsor of the journey.')
    expect((await remove(leaving, next)).status).toBe(302)
    expect(await find('learner-002')).toContain('sponsor: sponsor 118')
    expect((await remove(next)).status).toBe(302)
    expect(await find('learner-002')).not.toContain('Sponsor:')
  })

  it('the schedule can be previewed for any learner, found by name', async () => {
    const preview = (more: string) => html(adam, `${schedule}/preview${more}`)
    const named = await preview('?who=learner-119')
    const [, user = ''] = named.match(/<option value="(\d+)"[^>]*>learner 119/) ?? []
    expect(user).not.toBe('')
    expect(await preview('')).not.toContain(`<option value="${user}"`)
    expect(await preview(`?user=${user}`)).toMatch(new RegExp(`<option value="${user}" selected`))
    // A search replaces the learner shown before.
    expect(await preview(`?user=${user}&who=learner-118`)).toMatch(/selected=""[^>]*>learner 118/)
  })
})

it('A workbook of participants is refused with what to do', async () => {
  const file = new File([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])], 'team.xlsx')
  const answer = await adam.submit(people('/import'), { text: '', file })
  expect(answer.status).toBe(422)
  expect(plain(await answer.text())).toContain('team.xlsx: Please save the table as CSV first.')
})

describe('After launch', () => {
  it('a learner is removed, listed as having left, and added back unless deactivated', async () => {
    const learners = /(\d+) learners will take part/.exec(await html(adam, `${schedule}/launch`))?.[1] ?? ''
    await adam.submit(`${schedule}/launch`, {
      expected_recipients: learners,
      skip_past: 'false',
      send_now: 'true',
    })
    const id = await idOf('learner-007')
    expect((await remove(id)).status).toBe(302)
    const left = await find('learner-007')
    expect(left).toMatch(/<h2 id="withdrawn">Left<\/h2>[\s\S]*learner-007@/)
    expect(left).not.toMatch(/<h2 id="participants">[\s\S]*learner-007@[\s\S]*<h2 id="withdrawn">/)
    const status = (is: string) =>
      asAdmin(
        world.site.adminUrl,
        `update users set activation_status = '${is}' where email like 'learner-007@%'`,
      )
    await status('disabled')
    const refused = await adam.submit(people(), { member_id: id })
    expect(refused.status).toBe(409)
    expect(plain(await refused.text())).toContain('You can’t add back people who are deactivated or erased.')
    await status('active')
    const back = await adam.follow(await adam.submit(people(), { member_id: id }))
    expect(back.html).toContain('Added back')
    const again = await find('learner-007')
    expect(again).toContain('learner-007@')
    expect(again).not.toContain('id="withdrawn"')
  })

  it('nobody can be added back to a completed journey, and the page says why', async () => {
    const id = await idOf('learner-008')
    await remove(id)
    await adam.submit(`${schedule}/complete`, {})
    const refused = await adam.submit(people(), { member_id: id })
    expect(refused.status).toBe(409)
    expect(plain(await refused.text())).toContain('You can’t add people back to a journey that is completed.')
  })
})

it('When there are more participants than are counted, the page says that there are more', async () => {
  const { id, schedule: place } = await world.draft('Whole company', [])
  await withAdmin(world.site.adminUrl, async (admin) => {
    await admin.query(
      `with made as (
         insert into users (tenant_id, email, first_name, activation_status)
         select tenant_id, 'one-of-' || n || '@northwind.example', 'One', 'active'
         from journeys, generate_series(1, 10200) n where id = $1 returning tenant_id, id)
       insert into members (tenant_id, journey_id, user_id, role)
       select tenant_id, $1::bigint, id, 'learner' from made`,
      [id],
    )
    await admin.query('analyze')
  })
  expect(plain(await html(adam, beside(place, 'people')))).toContain('Participants (10,000+)')
  await withAdmin(world.site.adminUrl, async (admin) => {
    await admin.query(`update members set state = 'withdrawn', left_at = now() where journey_id = $1`, [id])
    await admin.query('analyze')
  })
  expect(plain(await html(adam, beside(place, 'people')))).toContain(
    'and 9,900+ more: find them above by name.',
  )
}, 60_000)
