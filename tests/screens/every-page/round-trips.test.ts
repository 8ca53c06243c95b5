/** From a list to one of its rows and back: the page, the order, the search and the filters are kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
let adam: Visitor
let sofia: Visitor
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  sofia = await site.visitor('sofia@liftwell.example')
})
afterAll(() => site?.close())

const html = async (visitor: Visitor, path: string) =>
  (await (await visitor.visit(path)).text()).replaceAll('&amp;', '&')
const location = (response: Response) => response.headers.get('location')

async function first(visitor: Visitor, path: string, pattern: RegExp): Promise<string> {
  return pattern.exec(await html(visitor, path))?.[0] ?? `no ${pattern} on ${path}`
}

describe('The list of people', () => {
  const list = '/users?order=name%3Adesc&role=user&page=2'

  it('keeps its search and order after a person was added, saved, deactivated or deleted', async () => {
    const add = { last_name: 'Zz', 'user_general_roles[0].role': 'user' }
    const email = 'zora.round@northwind.example'
    const found = `/users?order=name%3Adesc&q=zora.round`
    const added = await adam.submit(
      await first(adam, '/users?q=zora.round&order=name%3Adesc', /\/users\/add\?list=[^"]+/),
      { ...add, first_name: 'Zora', email },
    )
    expect(location(added)).toBe('/users?q=zora.round&order=name%3Adesc')
    const edit = await first(adam, found, /\/users\/edit\/\d+\?list=[^"]+/)
    const page = await html(adam, edit)
    expect(page).toContain(`href="${found}"`)
    const asked = await first(adam, edit, /\?list=[^"]+&ask=deactivate/)
    expect(await html(adam, edit.replace(/\?.*/, asked))).toContain(`href="${edit}"`)

    for (const intent of ['resend_welcome', 'deactivate', 'activate'])
      expect([intent, location(await adam.submit(edit, { intent }))]).toEqual([intent, edit])
    const saved = await adam.submit(edit, { ...add, first_name: 'Zoe', email })
    expect(location(saved)).toBe(found)
    for (const _ of ['pressed', 'pressed again'])
      expect(location(await adam.submit(`${edit}&ask=delete`, { intent: 'delete' }))).toBe(found)
  })

  it('links from its second page to a person, and back', async () => {
    const edit = await first(adam, list, /\/users\/edit\/\d+\?list=[^"]+/)
    expect(await html(adam, edit)).toContain(`href="${list}"`)
  })

  it.each(['//evil.example/x', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'is where Cancel leads, not %s',
    async (wanted) => {
      const [edit] = (await first(adam, '/users', /\/users\/edit\/\d+/)).split('?')
      const page = await html(adam, `${edit}?list=${encodeURIComponent(wanted)}`)
      const cancel = /<a [^>]*href="([^"]*)"[^>]*>Cancel</.exec(page)?.[1] ?? ''
      expect(cancel.startsWith('/users?')).toBe(true)
    },
  )
})

describe('The lists of tenants, sub-tenants and journeys', () => {
  it('keep the search for tenants, through the form and the sign-in settings', async () => {
    const list = '/tenants?q=harbor&order=name%3Aasc'
    const edit = await first(sofia, list, /\/tenants\/edit\/[^"?]+\?list=[^"]+/)
    const page = await html(sofia, edit)
    expect(page).toContain(`href="${list}"`)
    const beside = /href="(\/tenants\/[^"]*\/sign-in\?list=[^"]+)"/.exec(page)?.[1] ?? ''
    expect(await html(sofia, beside)).toContain(`href="${edit}"`)
    const value = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? ''
    const saved = await sofia.submit(edit, {
      name: 'Harbor Health',
      customer_type: 'Single Tenant',
      timezone: 'UTC',
      status: 'active',
      lock_version: value('lock_version'),
    })
    expect(location(saved)).toBe(list)
  })

  it('keep the search for sub-tenants, after one was saved', async () => {
    const list = '/subtenants?q=europe&order=name%3Aasc'
    const edit = await first(adam, list, /\/subtenants\/[^"]+\/edit\?list=[^"]+/)
    const page = await html(adam, edit)
    expect(page).toContain(`href="${list}"`)
    const lock_version = /name="lock_version" value="(\d+)"/.exec(page)?.[1] ?? ''
    const saved = await adam.submit(edit, { name: 'Northwind Europe', status: 'active', lock_version })
    expect(location(saved)).toBe(list)
  })

  it('keep the filter of journeys, after one was deleted in a dialog', async () => {
    const list = '/lljs/manage?status=draft&order=name%3Adesc'
    await adam.submit('/lljs/manage/new', { name: 'Round trip', category: 'Safety' })
    const [, id = ''] = /lljs\/(\d+)\/schedule"[^>]*><bdi>Round trip</.exec(await html(adam, list)) ?? []
    const deleted = await adam.submit(list.replace('?', `/${id}/delete?`), {})
    expect([deleted.status, location(deleted)]).toEqual([302, list])
  })
})
