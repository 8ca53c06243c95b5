/** The bell and the page of notifications: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const html = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()
const popover = (page: string) => /<details class="popover">[\s\S]*?<\/details>/.exec(page)?.[0] ?? ''

const tell = (email: string, title: string) =>
  withAdmin(site.adminUrl, (admin) =>
    admin.query(
      `insert into notifications (tenant_id, user_id, notification_type, content)
       select tenant_id, id, 'info', jsonb_build_object('title', $2::text, 'message', 'm') from users where email = $1`,
      [email, title],
    ),
  )

describe('The bell and its page', () => {
  it('show the number of unread notifications, and at most ten of them', async () => {
    const lena = await site.visitor('uri@northwind.example')
    const bell = popover(await html(lena, '/todo'))
    const [, count = ''] = /class="unread-count"[^>]*>(\d+)</.exec(bell) ?? []
    expect(Number(count)).toBeGreaterThan(0)
    expect(bell).toContain(`, ${count} not read yet`)
    expect(bell.match(/class="notification"/g)?.length).toBeLessThanOrEqual(10)
    expect(bell).toMatch(/<time dateTime="[^"]+">(Today, |Yesterday, |[A-Z][a-z]{2} \d+, \d{4})/i)
  })

  it('mark all as read, delete one, and return to the page where that was asked', async () => {
    const uri = await site.visitor('uri@northwind.example')
    const before = popover(await html(uri, '/todo'))
    const [, id = ''] = /name="id" value="(\d+)"/.exec(before) ?? []
    const deleted = await uri.submit('/notifications', { intent: 'delete', id, from: '/todo' })
    expect([deleted.status, deleted.headers.get('location')]).toEqual([302, '/todo'])
    expect(popover(await html(uri, '/todo'))).not.toContain(`name="id" value="${id}"`)
    const read = await uri.submit('/notifications', { intent: 'read_all', from: '/learner' })
    expect(read.headers.get('location')).toBe('/learner')
    const after = popover(await html(uri, '/todo'))
    expect(after).not.toContain('unread-count')
    expect(after).not.toContain('Mark all as read')
  })

  it('mark as read only the notifications that were shown', async () => {
    const aya = await site.visitor('aya@northwind.example')
    for (const place of ['/todo', '/notifications']) {
      await tell('aya@northwind.example', 'Seen')
      const [, newest = ''] = /name="newest" value="([^"]+)"/.exec(await html(aya, place)) ?? []
      await tell('aya@northwind.example', 'Not seen yet')
      await aya.submit('/notifications', { intent: 'read_all', from: place, newest })
      const bell = popover(await html(aya, '/todo'))
      expect([place, /class="unread-count"[^>]*>(\d+)</.exec(bell)?.[1]]).toEqual([place, '1'])
      expect(bell).toMatch(/Not seen yet<span class="hidden-words"> \(not read yet\)/)
    }
  })

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example'])(
    'do not redirect to %s',
    async (from) => {
      const adam = await site.visitor('adam@northwind.example')
      const response = await adam.submit('/notifications', { intent: 'read_all', from })
      expect(response.headers.get('location')).toBe('/notifications')
    },
  )

  it('link the demo’s notifications to the journeys and changes they name', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const page = await html(adam, '/notifications')
    const [all = [], linked = []] = [
      /name="id" value=/g,
      /href="\/(lljs\/\d+\/schedule|settings\/audit)"/g,
    ].map((what) => page.slice(page.indexOf('<main')).match(what) ?? [])
    expect([linked.length, all.length > 0]).toEqual([all.length, true])
    expect(page).toMatch(/Leading your first team<\/a>/)
  })

  it('say when there are no notifications', async () => {
    const adam = await site.visitor('grace@harbor.example')
    let page = await html(adam, '/notifications')
    for (const [, id = ''] of page.matchAll(/name="id" value="(\d+)"/g))
      await adam.submit('/notifications', { intent: 'delete', id })
    page = await html(adam, '/notifications')
    expect(page).toContain('No notifications to show')
  })

  it('are also there for a super admin outside all tenants', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    expect(popover(await html(sofia, '/tenants'))).toContain('No notifications to show')
    expect(await html(sofia, '/notifications')).toContain('News about your journeys and your company.')
    expect((await sofia.visit('/users')).headers.get('location')).toBe('/tenants')
  })
})

it('the error page links back to the previous page of this site, and to no other site', async () => {
  const uri = await site.visitor('uri@northwind.example')
  const retryFrom = async (referer?: string) => {
    const page = await (await uri.visit('/error', { headers: referer ? { referer } : {} })).text()
    expect(page).toMatch(/href="\/"[^>]*>\s*Go back home/)
    return /href="([^"]*)"[^>]*>\s*Retry/.exec(page)?.[1]
  }
  expect(await retryFrom(`${site.origin}/users?q=x`)).toBe('/users?q=x')
  for (const other of ['https://evil.example/users', `${site.origin}/error`, 'nowhere', undefined])
    expect(await retryFrom(other)).toBe('/error')
})
