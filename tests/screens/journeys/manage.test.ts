/** The list of journeys: every filter, every order, and who can do what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listedJourney } from '#tests/support/listed-journey.ts'
import { asAdmin } from '#tests/support/postgres.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { html, openAuthoring } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let aya: Visitor
let mine = ''
beforeAll(async () => {
  world = await openAuthoring()
  aya = await world.site.visitor('aya@northwind.example')
  for (const name of ['Zebra crossing', 'Apple picking', 'Apple pie'])
    mine = (await world.draft(name, [{ title: 'One', when: 'launch' }])).id
})
afterAll(() => world?.site.close())

const names = async (query: string, who: Visitor = world.adam) => {
  const page = await html(who, `/lljs/manage?${query}`)
  return [...page.matchAll(/href="\/lljs\/\d+\/schedule"[^>]*><bdi>([^<]+)</g)].map((found) => found[1] ?? '')
}

describe('The list of journeys', () => {
  it('is filtered by name, status, category and author, alone and together', async () => {
    const all = await names('')
    expect(await names('name=apple')).toEqual(['Apple pie', 'Apple picking'])
    const drafts = await names('status=draft')
    expect(drafts).toEqual(expect.arrayContaining(['Apple pie', 'Apple picking', 'Zebra crossing']))
    const active = await names('status=active')
    expect(active.length).toBeGreaterThan(0)
    expect(active.some((name) => drafts.includes(name))).toBe(false)
    expect((await names('status=active&status=draft')).length).toBe(active.length + drafts.length)
    expect(await names('category=Safety')).toEqual(expect.arrayContaining(['Apple pie']))
    expect(await names('category=No%20such')).toEqual([])
    const page = await html(world.adam, '/lljs/manage')
    expect(page).toMatch(/\/author"[^>]*>Reassign</)
    const authors = [...page.matchAll(/author=(\d+)/g)].map((found) => found[1] ?? '')
    const byAuthor = await Promise.all([...new Set(authors)].map((id) => names(`author=${id}`)))
    expect(byAuthor.length).toBeGreaterThan(1)
    expect(byAuthor.flat().toSorted()).toEqual(all.toSorted())
    expect(await names('name=apple&category=Safety&status=draft&order=name:desc')).toEqual([
      'Apple pie',
      'Apple picking',
    ])
  })

  it('ignores unknown values of a filter beside known ones', async () => {
    expect(await names('status=draft&status=x')).toEqual(await names('status=draft'))
    expect(await names('author=abc&author=99999')).toEqual([])
    expect(await names('category=&category=%20')).toEqual(await names(''))
  })

  it('offers to clear a filter that has no chip', async () => {
    const clear = /href="\/lljs\/manage\??"[^>]*>Clear all</
    expect(await html(world.adam, '/lljs/manage?author=99999')).toMatch(clear)
    expect(await html(world.adam, '/lljs/manage?category=No%20such')).toMatch(clear)
    expect(await html(world.adam, '/lljs/manage')).not.toContain('Clear all')
  })

  it.each(['name:asc', 'name:desc', 'date:asc', 'status:asc', 'category:asc', 'author:asc'])(
    'is sorted by %s',
    async (order) => {
      const [column, way] = order.split(':')
      const found = await names(`order=${order}&status=draft`)
      expect(found.length).toBeGreaterThan(2)
      const sorted = found.toSorted((one, other) => one.toLowerCase().localeCompare(other.toLowerCase()))
      if (column === 'name') expect(found).toEqual(way === 'asc' ? sorted : sorted.toReversed())
      if (column === 'date') expect(found.slice(-3)).toEqual(['Zebra crossing', 'Apple picking', 'Apple pie'])
      expect(found.toSorted()).toEqual((await names('status=draft')).toSorted())
    },
  )

  it('says whether there are no journeys at all, or none that match the filters', async () => {
    await asAdmin(
      world.site.adminUrl,
      `update journeys set author_id = (select id from users where email = 'grace@harbor.example')
        where author_id = (select id from users where email = 'theo@harbor.example')`,
    )
    const theo = await world.site.visitor('theo@harbor.example')
    expect(await html(theo, '/lljs/manage')).toContain('No journeys yet')
    // Only people who can create a journey are told to.
    expect(await html(theo, '/lljs/manage?name=apple')).toContain('No journey matches. Change the filters.')
    expect(await html(world.adam, '/lljs/manage?name=nothing')).toContain('or create a journey.')
  })

  it('is empty beyond its last page, and counts lifts and learners', async () => {
    expect(await names('page=9999')).toEqual([])
    const row = await html(world.adam, '/lljs/manage?name=Apple%20pie')
    expect(row.replace(/<[^>]+>/g, ' ')).toMatch(/Apple pie[\s\S]*?\s1\s+0\s/)
  })

  it('archives a completed journey after a question, but not a running one', async () => {
    const list = await html(world.adam, '/lljs/manage?status=completed')
    const id = listedJourney(list)
    expect(list).toContain(`/lljs/manage/${id}/archive`)
    expect(await html(world.adam, `/lljs/manage/${id}/archive`)).toContain('Yes, archive')
    await world.adam.submit(`/lljs/manage/${id}/archive`, {})
    expect(await html(world.adam, '/lljs/manage?status=archived')).toContain(`/lljs/${id}/schedule`)
    const active = await html(world.adam, '/lljs/manage?status=active')
    const running = listedJourney(active)
    expect(active).not.toContain(`/lljs/manage/${running}/archive`)
    const refused = await world.adam.follow(await world.adam.submit(`/lljs/manage/${running}/archive`, {}))
    expect(refused.html).toContain('Not archived')
  })
})

describe('An author', () => {
  it('sees only their own journeys, and cannot create one unless the company allows it', async () => {
    expect(await names('', aya)).not.toContain('Apple pie')
    for (const path of [`/lljs/${mine}/schedule`, `/lljs/manage/${mine}/details`, `/lljs/${mine}/file`])
      expect([path, (await aya.visit(path)).status]).toEqual([path, 403])
    const page = await html(aya, '/lljs/manage/new')
    expect(page).toContain('You do not have permission to create journeys.')
    expect(page).not.toContain('Create journey</button>')
    const made = await aya.submit('/lljs/manage/new', {
      name: 'X',
      category: 'Safety',
    })
    expect([made.status, made.headers.get('location')]).toEqual([403, null])
    expect((await aya.visit('/lljs/manage/1/author')).status).toBe(403)
  })
})

describe('An administrator inside a sub-tenant', () => {
  it('sees an author from the whole company as “Someone outside this sub-tenant”', async () => {
    const eva = await world.site.visitor('eva@northwind.example')
    const [, sub_tenant_id = ''] =
      /name="sub_tenant_id" value="([^"]*)"/.exec(await html(eva, '/subtenants')) ?? []
    await eva.submit('/subtenants', { sub_tenant_id })
    const id = listedJourney(await html(eva, '/lljs/manage'))
    const author = /Author:(?:<!-- -->|[\s\u2066-\u2069])*Someone outside this sub-tenant/
    expect(await html(eva, `/lljs/${id}/schedule`)).toMatch(author)
    expect(await html(eva, `/analytics/report?journey=${id}`)).toMatch(author)
    expect(await html(eva, `/lljs/manage/${id}/author`)).toMatch(
      /<option value="\d+" selected="">Someone outside this sub-tenant</,
    )
  })
})
