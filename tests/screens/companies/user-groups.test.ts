/** Groups of people, created and used through the forms: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, html, openAuthoring, plain, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let adam: Visitor
let group: string

beforeAll(async () => {
  world = await openAuthoring()
  adam = world.adam
  const made = await adam.submit('/users/groups', { name: 'Started in May' })
  group = made.headers.get('location') ?? ''
})
afterAll(() => world?.site.close())

const isAt = (answer: Response) => [answer.status, answer.headers.get('location')]
async function idOf(name: string, from = group): Promise<string> {
  const page = await html(adam, `${from}/add?people=${name}`)
  return /name="user_ids" value="(\d+)"/.exec(page)?.[1] ?? ''
}

it('The demo has groups with people in them', async () => {
  const page = plain(await html(adam, '/users/groups'))
  const [, leads = ''] = /href="(\/users\/groups\/\d+)">People who lead a team</.exec(page) ?? []
  expect(plain(await html(adam, leads))).toContain('Uri Cohen')
})

describe('A group', () => {
  it('is created with a name that no other group has, and linked from the people', async () => {
    expect(group).toMatch(/^\/users\/groups\/\d+$/)
    expect(await html(adam, '/users')).toContain('href="/users/groups"')
    expect(await html(adam, '/users/groups')).toContain(`href="${group}">Started in May</a>`)
    expect(await html(adam, group)).toContain('Nobody is in this group')
    const nameless = await adam.submit('/users/groups', { name: ' ' })
    expect([nameless.status, plain(await nameless.text()).includes('This field is required')]).toEqual([
      400,
      true,
    ])
    const taken = await adam.submit('/users/groups', { name: 'started in may' })
    const page = plain(await taken.text())
    expect(taken.status).toBe(409)
    expect(page).toContain('There is a group with this name already.')
    expect(page).toContain('value="started in may"')
  })

  it('is filled by selecting people or typing addresses, and keeps what was typed wrong', async () => {
    const nobody = await adam.submit(`${group}/add`, { intent: 'add-people', add_emails: ' ' })
    expect([nobody.status, (await nobody.text()).includes('Please choose at least one person')]).toEqual([
      422,
      true,
    ])
    const uri = await idOf('uri')
    const isTicked = new RegExp(`name="user_ids"[^>]*checked[^>]*value="${uri}"`)
    const gone = await adam.submit(`${group}/add?people=uri`, {
      intent: 'add-people',
      user_ids: [uri, '999999999'],
    })
    expect([gone.status, await gone.text()]).toEqual([422, expect.stringMatching(isTicked)])
    expect(isAt(await adam.submit(`${group}/add`, { intent: 'add-people', user_ids: uri }))).toEqual([
      302,
      group,
    ])
    expect(await html(adam, `${group}/add?people=uri`)).toContain('Nobody else matches.')
    for (const [status, typed, why] of [
      [400, 'sam@northwind.example, sam', '“sam” is not an e-mail address'],
      [422, 'sam@northwind.example nobody@x.example', 'the account is deactivated: nobody@x.example'],
    ] as const) {
      const wrong = await adam.submit(`${group}/add`, { intent: 'add-people', add_emails: typed })
      const page = plain(await wrong.text())
      expect(wrong.status).toBe(status)
      expect(page).toContain(why)
      expect(page).toContain(`${typed}</textarea>`)
    }
    const add_emails = 'sam@northwind.example;\r\nURI@northwind.example\r\n'
    const added = await adam.follow(await adam.submit(`${group}/add`, { intent: 'add-people', add_emails }))
    expect(added.html).toContain('1 person added')
    const page = await html(adam, group)
    for (const name of ['Uri', 'Sam']) expect(page).toContain(`Select ${name}`)
    const log = plain(await html(adam, '/settings/audit?action=user_group.people_changed'))
    const [, names = ''] = /added<\/dt><dd[^>]*>([^<]*)/.exec(log) ?? []
    expect(names).toBe('Sam de Boer')
  })

  it('is filled with one form, which keeps selections and addresses during a search', async () => {
    const made = await adam.submit('/users/groups', { name: 'One form' })
    const other = made.headers.get('location') ?? ''
    const add = `${other}/add`
    const [form = ''] = /<form(?:(?!<\/form>).)*name="user_ids".*?<\/form>/s.exec(await html(adam, add)) ?? []
    expect(form).toContain('name="add_emails"')
    const uri = await idOf('uri', other)
    const sent = { user_ids: uri, add_emails: 'sam@northwind.example, sa' }
    for (const [intent, status] of [
      ['search', 200],
      ['add-people', 400],
    ] as const) {
      const answer = await adam.submit(add, { ...sent, intent, people: 'aya' })
      const page = plain(await answer.text())
      expect([intent, answer.status, page.includes('class="form-errors"')]).toEqual([
        intent,
        status,
        intent === 'add-people',
      ])
      expect(page).toMatch(new RegExp(`name="user_ids"[^>]*checked[^>]*value="${uri}"`))
      expect(page).toContain('aya@northwind.example')
      expect(page.match(/type="checkbox"/g)).toHaveLength(2)
      expect(page).toMatch(/name="people"[^>]*value="aya"|value="aya"[^>]*name="people"/)
      expect(page).toContain('sam@northwind.example, sa</textarea>')
    }
    const both = { intent: 'add-people', people: 'aya', user_ids: uri, add_emails: 'sam@northwind.example' }
    expect((await adam.follow(await adam.submit(add, both))).html).toContain('2 people added')
  })

  it('is renamed, and shows both names when another person renamed it first', async () => {
    const seen = valueIn(await html(adam, group), 'lock_version')
    const rename = (name: string, lock_version = seen) =>
      adam.submit(group, { intent: 'rename', name, lock_version })
    expect(isAt(await rename('May'))).toEqual([302, group])
    const late = await rename('Newcomers')
    const page = plain(await late.text())
    expect(late.status).toBe(409)
    expect(page).toContain('<td>May</td><td>Newcomers</td>')
    expect(isAt(await rename('Newcomers', valueIn(page, 'lock_version')))).toEqual([302, group])
    expect(await html(adam, group)).toContain('<h1 class="page-title" dir="auto">Newcomers</h1>')
  })

  it('is refused to authors and users, and 404 when it does not exist', async () => {
    for (const who of ['aya', 'uri']) {
      const visitor = await world.site.visitor(`${who}@northwind.example`)
      for (const path of ['/users/groups', group, `${group}/add`, `${group}/delete`])
        expect([path, (await visitor.visit(path)).status]).toEqual([path, 403])
      expect((await visitor.submit(group, { intent: 'remove', user_ids: '1' })).status).toBe(403)
    }
    for (const path of ['/users/groups/999999', '/users/groups/x', '/users/groups/999999/delete'])
      expect([path, (await adam.visit(path)).status]).toEqual([path, 404])
  })
})

it('Everyone in a group is added to a journey, and stays there when they leave the group', async () => {
  const { schedule } = await world.draft('For the group', [{ title: 'One', when: 'launch' }])
  const add = beside(schedule, 'people/add')
  const [, id = ''] = /groups\/(\d+)/.exec(group) ?? []
  expect(await html(adam, add)).toContain(`<option value="${id}">Newcomers (2 people)</option>`)
  const added = await adam.follow(
    await adam.submit(add, { intent: 'add-group', group_id: id, role: 'learner' }),
  )
  expect(added.html).toContain('2 learners added')
  for (const name of ['Uri', 'Sam']) expect(added.html).toContain(name)

  const [, uri = ''] = /name="user_ids"[^>]* value="(\d+)"/.exec(await html(adam, group)) ?? []
  const nobody = await adam.submit(group, { intent: 'remove' })
  expect([nobody.status, (await nobody.text()).includes('Please select at least one person.')]).toEqual([
    422,
    true,
  ])
  const removed = await adam.follow(await adam.submit(group, { intent: 'remove', user_ids: uri }))
  expect(removed.html).toContain('1 person removed')

  const question = await html(adam, `${group}/delete`)
  expect(question).toContain('Its people stay, and stay in their journeys.')
  const lock_version = valueIn(question, 'lock_version')
  expect(isAt(await adam.submit(`${group}/delete`, { lock_version: '0' }))).toEqual([302, '/users/groups'])
  expect(await html(adam, '/users/groups')).toContain('Newcomers')
  expect(isAt(await adam.submit(`${group}/delete`, { lock_version }))).toEqual([302, '/users/groups'])
  expect(await html(adam, '/users/groups')).not.toContain('Newcomers')
  expect(await html(adam, beside(schedule, 'people'))).toContain('Uri')
  expect(await html(adam, add)).not.toContain(`<option value="${id}">`)
})
