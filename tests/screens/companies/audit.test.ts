/** The audit log's screen and its CSV file: the same filters, the same rows, readable names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import { withAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const LOG = '/settings/audit'
const COMPANY = {
  name: 'Northwind Logistics',
  categories: 'Safety',
  timezone: 'Europe/Amsterdam',
  'quiet_hours.from': '20:00',
  'quiet_hours.to': '09:00',
}

let site: Site
let adam: Visitor
let northwind = ''

beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  await save(adam)
  const sofia = await site.visitor('sofia@liftwell.example')
  const [, place = ''] =
    /value="([^"]*)"(?:(?!<label).)*Northwind Logistics/s.exec(await html(sofia, '/switch')) ?? []
  northwind = place
  await sofia.submit('/switch', { place, reason: 'A new time zone' })
  await save(sofia)
})
afterAll(() => site?.close())

async function save(visitor: Visitor) {
  const lock_version = valueIn(await html(visitor, '/settings/company'), 'lock_version')
  const saved = await visitor.submit('/settings/company', { ...COMPANY, lock_version })
  expect(saved.status).toBe(302)
}
/** The texts of the cells of each row. */
const rows = (page: string) =>
  [...(/<tbody.*?<\/tbody>/s.exec(page)?.[0] ?? '').matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    row
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
const fileOf = async (visitor: Visitor, page: string) => {
  const [, address = ''] = /href="(\/settings\/audit\/export[^"]*)"/.exec(page) ?? []
  const lines = (await (await visitor.visit(address.replaceAll('&amp;', '&'))).text()).trimEnd().split('\r\n')
  return lines.slice(1)
}

describe('The audit log', () => {
  it('names the super admin who acted, and the company they acted for', async () => {
    const all = rows(await html(adam, `${LOG}?action=company.updated`))
    expect(all).toHaveLength(2)
    expect(all[0]).toMatch(/sofia@liftwell\.example for Northwind Logistics/)
    expect(all[1]).toContain('Adam Visser')
    expect(all[1]).not.toContain('for Northwind')
  })

  it('is filtered by action, actor, company, subject and day, and its file has the same rows', async () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const [query, count] of [
      ['action=Company+updated', 2],
      ['action=company.updated&actor=sofia', 1],
      ['action=company.updated&actor=nobody', 0],
      [`action=company.updated&on_behalf_of=${northwind}`, 1],
      ['action=company.updated&subject=tenant', 2],
      ['action=company.updated&subject=lift', 0],
      ['action=company.updated&from=2020-01-01&to=2999-12-31', 2],
      ['action=company.updated&to=2020-01-01', 0],
      [`action=company.updated&from=2999-01-01&to=${today}`, 0],
    ] as const) {
      const page = await html(adam, `${LOG}?${query}`)
      expect([query, rows(page).length]).toEqual([query, count])
      expect([query, (await fileOf(adam, page)).length]).toEqual([query, count])
    }
  })

  it('names and links what was changed, and shows old and new values', async () => {
    const people = await html(adam, '/users?q=uri@northwind.example')
    const [, id = ''] = /\/users\/edit\/(\d+)["?]/.exec(people) ?? []
    const form = await html(adam, `/users/edit/${id}`)
    const lock_version = valueIn(form, 'lock_version')
    const [first_name, last_name] = [valueIn(form, 'first_name'), valueIn(form, 'last_name')]
    const job_title = valueIn(form, 'job_title')
    expect(job_title).not.toBe('')
    const saved = await adam.submit(`/users/edit/${id}`, {
      ...{ first_name, last_name, lock_version, job_title: 'Night dispatcher' },
      ...{ email: 'uri@northwind.example', 'user_general_roles[0].role': 'user' },
    })
    expect(saved.status).toBe(302)
    const page = await html(adam, `${LOG}?action=user.updated&subject=${first_name}+${last_name}`)
    expect(page).toMatch(new RegExp(`<a[^>]*href="/users/edit/${id}"[^>]*>${first_name} ${last_name}</a>`))
    expect(page).toMatch(new RegExp(`<del>${job_title}</del>.{0,99}<ins>Night dispatcher</ins>`))
    expect(page).toMatch(
      new RegExp(
        `<summary>Show details<span[^>]*> of User updated: ${first_name} ${last_name}</span></summary>`,
      ),
    )
    expect(await html(adam, LOG)).not.toMatch(
      /&quot;role&quot;|<dt>sub tenant|>Sub tenant|<dd>[^<]*\d{4}-\d\d-\d\dT/,
    )
    expect(await fileOf(adam, page)).toEqual([
      expect.stringContaining(`user,${id},${first_name} ${last_name},`),
    ])
    const company = await html(adam, `${LOG}?action=company.updated&subject=northwind`)
    expect(company).toMatch(/<a[^>]*href="\/settings\/company"[^>]*>Northwind Logistics<\/a>/)
  })

  it('names the sub-tenant of its new administrator', async () => {
    await adam.submit('/subtenants/add', {
      ...{ name: 'Harbor side', status: 'active' },
      ...{ 'admins[0].first_name': 'Hana', 'admins[0].email': 'hana@northwind.example' },
    })
    const [line = ''] = rows(await html(adam, `${LOG}?action=user.made_admin`))
    expect(line).toContain('sub-tenant Harbor side')
    expect(line).not.toMatch(/sub-tenant id|[0-9a-f]{8}-/)
  })

  it('of the platform lists what super admins do outside companies, for super admins only', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    const path = '/tenants/audit'
    expect(await html(sofia, '/tenants')).toContain(`href="${path}"`)
    const page = await html(sofia, `${path}?action=user.signed_in`)
    expect(rows(page)[0]).toMatch(/^User signed in user .*sofia@liftwell\.example/)
    expect(page).not.toContain('Only by people of the platform')
    expect(page).not.toMatch(/href="\/(users\/edit|settings\/audit)/)
    expect(rows(await html(sofia, `${path}?action=company.updated`))).toEqual([])
    const file = await (await sofia.visit(`${path}/export?action=user.signed_in`)).text()
    expect(file).toContain('sofia@liftwell.example')
    expect(file).not.toContain('northwind')
    for (const one of [path, `${path}/export`]) {
      const other = await adam.visit(one)
      expect([other.status, other.headers.get('location')]).toEqual([302, '/users'])
    }
  })

  it.each([
    ['from=bad', '“From” was ignored: it is not a date.'],
    [`actor=${'x'.repeat(3000)}`, '“Who” was ignored: it is too long.'],
    ['on_behalf_of=acme', 'it names no company'],
  ])('says that it ignored %s', async (query, words) => {
    expect(await html(adam, `${LOG}?${query}`)).toContain(words)
    expect(await html(adam, LOG)).not.toContain(words)
  })

  it.each(['on', 'true'])('accepts on_behalf_of=%s', async (value) => {
    const page = await html(adam, `${LOG}?action=company.updated&on_behalf_of=${value}`)
    expect(rows(page)).toHaveLength(1)
  })

  it('keeps the filters in its form and in the link to its file', async () => {
    const page = await html(
      adam,
      `${LOG}?actor=a&action=user&subject=user&from=2020-01-01&on_behalf_of=${northwind}`,
    )
    expect(valueIn(page, 'actor')).toBe('a')
    expect(/<input[^>]*type="date"[^>]*>/.exec(page)?.[0]).toContain('value="2020-01-01"')
    expect(page).toMatch(/name="on_behalf_of"[^>]*checked=""/)
    expect(page).toContain(
      `export?actor=a&amp;action=user&amp;subject=user&amp;from=2020-01-01&amp;on_behalf_of=${northwind}`,
    )
  })

  it('says when the first day is after the last one, or nothing of a kind happened', async () => {
    expect(await html(adam, `${LOG}?from=2026-11-28&to=2026-11-01`)).toContain(
      'The first day is after the last one, so no day is left.',
    )
    expect(await html(adam, `${LOG}?action=nothing`)).toContain('Nothing of this kind happened.')
  })

  it.each(['from=0000-01-01', 'to=9999-12-31', 'from=yesterday', 'on_behalf_of=acme', 'page=0'])(
    'still shows its rows for ?%s',
    async (query) => {
      expect(rows(await html(adam, `${LOG}?${query}&action=company.updated`)).length).toBe(2)
    },
  )

  it('names the first of thousands of people added at once, and says how many more there are', async () => {
    await withAdmin(site.adminUrl, (admin) =>
      admin.query(
        `insert into audit_events (tenant_id, action, subject_type, subject_id, changes) values ($1, 'members.added',
         'journey', '999999', jsonb_build_object('members', (select jsonb_agg(n) from generate_series(700001, 720000) n)))`,
        [northwind.split(':').at(-1)],
      ),
    )
    const page = await html(adam, `${LOG}?action=members.added&subject=journey:999999`)
    expect(page).toContain('700050, and 19,950 more')
    expect(page).not.toContain('700051')
  })

  it('shows administrators of a sub-tenant that part only, and is refused to authors and users', async () => {
    const eva = await site.visitor('eva@northwind.example')
    const [, sub_tenant_id = ''] =
      /name="sub_tenant_id" value="([^"]*)"/.exec(await html(eva, '/subtenants')) ?? []
    await eva.submit('/subtenants', { sub_tenant_id })
    expect(rows(await html(eva, `${LOG}?action=company.updated`))).toEqual([])
    for (const query of ['action=Sub-tenant+entered', 'action=sub-tenant', 'subject=sub-tenant'])
      expect([query, rows(await html(eva, `${LOG}?${query}`)).length]).toEqual([query, 1])
    for (const email of ['aya@northwind.example', 'uri@northwind.example']) {
      const other = await site.visitor(email)
      expect((await other.visit(LOG)).status).toBe(403)
      expect((await other.visit(`${LOG}/export`)).status).toBe(403)
    }
  })
})
