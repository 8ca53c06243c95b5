/** The frame of every screen, without JavaScript. */
import { readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shown } from '#tests/support/shown.ts'
import { openSite, type Site } from '#tests/support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

async function page(path: string, email?: string) {
  const visitor = await site.visitor(email)
  const response = await visitor.visit(path)
  return { status: response.status, html: await response.text() }
}

/** The texts of the main navigation, in order. */
function navigation(html: string): string[] {
  const [, nav = ''] = html.match(/<nav class="side".*?<\/a>(.*?)<\/nav>/s) ?? []
  return [...nav.matchAll(/<a class="nav-link"[^>]*>.*?<\/svg>(.*?)<\/a>/gs)].map(([, words = '']) => words)
}

describe('The side navigation', () => {
  it.each([
    ['sofia@liftwell.example', '/tenants', ['Dashboard']],
    [
      'adam@northwind.example',
      '/',
      ['Dashboard', 'User Management', 'Manage LLJs', 'Create New LLJ', 'Analytics', 'Settings'],
    ],
    ['uri@northwind.example', '/', ['Dashboard']],
  ])('shows %s the links of their role', async (email, path, words) => {
    const { html } = await page(path, email)
    expect(navigation(html)).toEqual(words)
  })

  it('shows an author journeys and analytics, but neither people nor settings', async () => {
    const words = navigation((await page('/', 'aya@northwind.example')).html)
    expect(words.filter((word) => word !== 'Create New LLJ')).toEqual([
      'Dashboard',
      'Manage LLJs',
      'Analytics',
    ])
  })

  it('marks the current place', async () => {
    const { html } = await page('/users', 'adam@northwind.example')
    expect(html).toMatch(/href="\/users" aria-current="page"|aria-current="page"[^>]*href="\/users"/)
    const log = await page('/settings/audit', 'adam@northwind.example')
    expect(log.html).toMatch(/aria-current="page"[^>]*href="\/settings\/company"/)
  })
})

describe('Every page', () => {
  it('begins with a link to its content, and states its language', async () => {
    const { html } = await page('/users', 'adam@northwind.example')
    // Without a doctype browsers lay pages out in quirks mode.
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en">/)
    expect(html).toContain('href="#main"')
    expect(html).toContain('id="main"')
    expect(html.match(/<h1/g)).toHaveLength(1)
  })

  it('has the nonce of its answer on every script', async () => {
    const { html } = await page('/users', 'adam@northwind.example')
    const scripts = html.match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((script) => !/nonce="[^"]+"/.test(script))).toEqual([])
  })

  it('is a 404 with a way home when it does not exist, for strangers and inside the frame', async () => {
    const stranger = await page('/no/such/place')
    expect(stranger.status).toBe(404)
    expect(stranger.html).toContain('Not Found')
    expect(stranger.html).toMatch(/<a[^>]*href="\/"/)
    for (const path of ['/lift/', '/invitation/default'])
      expect((await page(path)).html).toContain('open it in your message again')
    for (const path of ['/users/edit/999999', '/users/edit/abc', '/no/such/place']) {
      const inside = await page(path, 'adam@northwind.example')
      expect([path, inside.status]).toEqual([path, 404])
      expect(inside.html).toContain('Not Found')
      expect(navigation(inside.html)).toContain('User Management')
    }
  })
})

describe('The list of people', () => {
  it.each([
    '?page=-1',
    '?page=1e308',
    '?page=x',
    '?order=drop:table',
    '?order=',
    '?role=king',
    `?q=${'x'.repeat(5000)}`,
  ])('falls back to the default for %s', async (search) => {
    const { status, html } = await page(`/users${search}`, 'adam@northwind.example')
    expect(status).toBe(200)
    expect(html).toContain('adam@northwind.example'.slice(4))
  })

  it('finds people by name, and filters them by role', async () => {
    const { html } = await page('/users?q=adam&role=admin', 'adam@northwind.example')
    expect(shown(html)).toContain('adam@northwind.example')
    expect(html).not.toContain('uri@northwind.example')
    const none = await page('/users?q=nobody-is-called-so', 'adam@northwind.example')
    expect(none.html).toContain('No results')
  })
})

describe('Notifications', () => {
  /** In the main part of the page, since the bell lists the newest too. */
  const idsIn = (html: string) =>
    [...html.slice(html.indexOf('<main')).matchAll(/name="id" value="(\d+)"/g)].map(([, id = '']) => id)

  it('are read and deleted without scripts, and only by their owner', async () => {
    const uri = await site.visitor('uri@northwind.example')
    const before = await (await uri.visit('/notifications')).text()
    expect(before).toContain(`${idsIn(before).length} not read yet.`)
    const [id = ''] = idsIn(before)

    const adam = await site.visitor('adam@northwind.example')
    await adam.submit('/notifications', { intent: 'delete', id })
    expect(await (await adam.visit('/notifications')).text()).toContain('That notification is gone.')

    await uri.submit('/notifications', { intent: 'delete', id })
    expect(idsIn(await (await uri.visit('/notifications')).text())).not.toContain(id)

    await uri.submit('/notifications', { intent: 'read_all' })
    expect(await (await uri.visit('/notifications')).text()).toContain('You have read everything.')
  })

  it.each([{ intent: 'delete', id: 'abc' }, { intent: 'delete' }, { intent: 'read_all', id: ['x', '-1'] }])(
    'ignore malformed fields: %o',
    async (fields) => {
      const adam = await site.visitor('adam@northwind.example')
      const response = await adam.submit('/notifications', fields)
      expect(response.status).toBe(302)
    },
  )
})

describe('The stylesheet', () => {
  const folder = 'build/client/assets'
  const css = readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(`${folder}/${name}`))

  it('takes at most 20 kB compressed, including the parts of single screens', () => {
    const sizes = css.map((text) => brotliCompressSync(text).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000)
  })

  it('is accompanied by icons that scale with the text size', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const icons = (await (await adam.visit('/notifications')).text()).match(/<svg class="icon"[^>]*>/g) ?? []
    expect(icons.length).toBeGreaterThan(3)
    expect(icons.filter((icon) => !/ width="[\d.]+rem"/.test(icon))).toEqual([])
  })

  it('scales with the text size of the browser', () => {
    const text = css.join('\n')
    // A drawing scales its own text.
    const fixed = text.match(/(?<! text)\{[^{}]*font-size:\s*[\d.]+px/g) ?? []
    expect(fixed).toEqual([])
    expect(text.match(/@media[^{]*\dpx/g)).toBeNull()
    expect(text).toMatch(/--font-size-3:\s*1rem/)
  })

  it('is dark by the browser’s preference, not by a class that a script would set', () => {
    const text = css.join('')
    expect(/@media screen and ?\(prefers-color-scheme: ?dark\)/.test(text)).toBe(true)
    expect(/\.dark\b/.test(text)).toBe(false)
  })
})

it('the title of a page is the question that its address asks', async () => {
  const ask = async (email: string, list: string, edit: RegExp, question: string) => {
    const visitor = await site.visitor(email)
    const [, path = list] = edit.exec(await (await visitor.visit(list)).text()) ?? []
    const page = await (await visitor.visit(`${path}?${question}`)).text()
    const [, title] = /<title>([^<]+)<\/title>/.exec(page) ?? []
    const [, asked] = /<h2 class="dialog-title[^>]*>([^<]+)</.exec(page) ?? []
    expect([path, title]).toEqual([path, `${asked} · Liftwell`])
  }
  const adam = 'adam@northwind.example'
  await ask(adam, '/users?q=uri', /"(\/users\/edit\/\d+)/, 'ask=deactivate')
  await ask(adam, '/users', /$^/, 'ask=deactivate&user_ids=1&user_ids=2')
  await ask(adam, '/subtenants', /"(\/subtenants\/[0-9a-f-]{36}\/edit)/, 'delete=true')
  for (const path of ['/users', '/nowhere']) await ask(adam, path, /$^/, 'log_out=true')
  await ask('sofia@liftwell.example', '/switch', /$^/, 'log_out=true')
  await ask('sofia@liftwell.example', '/tenants', /"(\/tenants\/edit\/[0-9a-f-]{36})/, 'delete=true')
})
