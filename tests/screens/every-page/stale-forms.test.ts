/** A form changes the place for which it was rendered, or nothing; its text is kept until the sender returns there. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { type Offer, offersOf } from './page-controls.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

type Form = Extract<Offer, { kind: 'form' }>
const textOf = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()
const formsOn = async (visitor: Visitor, path: string): Promise<Form[]> =>
  offersOf(await textOf(visitor, path), path).filter((offer) => offer.kind === 'form')

async function enter(visitor: Visitor, name: string): Promise<void> {
  const page = await textOf(visitor, '/switch')
  const [, place = ''] = new RegExp(`value="([^"]*)"(?:(?!<label).)*${name}`, 's').exec(page) ?? []
  await visitor.submit('/switch', { place, reason: 'To look after it' })
}
async function partsOf(visitor: Visitor): Promise<string[]> {
  const page = await textOf(visitor, '/subtenants')
  return [...new Set([...page.matchAll(/name="sub_tenant_id" value="([^"]*)"/g)].map(([, id]) => id ?? ''))]
}
const enterPart = (visitor: Visitor, id = '') => visitor.submit('/subtenants', { sub_tenant_id: id })

const fieldsOf = (form: Form, typed: Record<string, string> = {}): Record<string, string | string[]> => {
  const all: Record<string, string[]> = {}
  for (const [name, value] of form.fields) all[name] = [...(all[name] ?? []), value]
  return { ...all, ...typed }
}

const SCREENS = [
  ...['/', '/users', '/users/add', '/users/import', '/settings/company', '/settings/profile'],
  ...['/settings/security', '/settings/sessions', '/settings/contact', '/settings/privacy', '/notifications'],
  ...['/lljs/manage', '/lljs/manage/new', '/lljs/manage/import', '/subtenants', '/subtenants/add'],
  ...['/testing', '/todo', '/learner', '/analytics', '/messages/unconfirmed', '/switch'],
]

/** The pages to which these link, and those to which schedules and people link: one address of each kind. */
async function screensOf(visitor: Visitor): Promise<string[]> {
  const found = new Map(SCREENS.map((path) => [path, path]))
  const addFrom = async (path: string, under: string) => {
    for (const offer of offersOf(await textOf(visitor, path), path)) {
      const kind = offer.to.replace(/\d+|[0-9a-f-]{36}/g, '*')
      const isScreen = offer.kind === 'link' && offer.to.startsWith(under) && !NO_SCREEN.test(offer.to)
      if (isScreen && !found.has(kind)) found.set(kind, offer.to)
    }
  }
  for (const path of SCREENS) await addFrom(path, '/')
  for (const path of [...found.values()].filter((one) => /\/schedule$|\/users\/edit\/\d+$/.test(one)))
    await addFrom(path, path)
  return [...found.values()]
}
const NO_SCREEN = /logout|export|file|api\/|data$/

describe('A stale form', () => {
  it('changes no other company: every form on every screen is refused there', {
    timeout: 600_000,
  }, async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    await enter(sofia, 'Liftwell Testing')
    const forms = new Map<string, Form & { on: string }>()
    for (const on of await screensOf(sofia))
      for (const form of await formsOn(sofia, on)) {
        const intent = form.fields.filter(([name]) => name === 'intent').join()
        forms.set(`${form.to.replace(/\d+/g, '*')} ${intent} ${form.words}`, { ...form, on })
      }
    await enter(sofia, 'Harbor')
    const taken: string[] = []
    for (const form of forms.values()) {
      const answer = await sofia.submit(form.to, fieldsOf(form))
      const page = await answer.text()
      const isRefused = answer.status === 409 && /belongs to Liftwell Testing.*you are in Harbor/.test(page)
      if (!isRefused) taken.push(`${form.on}: “${form.words}” to ${form.to}: ${answer.status}`)
    }
    expect(forms.size).toBeGreaterThan(30)
    expect(taken).toEqual([])
  })

  it('changes no other sub-tenant, even with a file, and is accepted back in its own', async () => {
    const eva = await site.visitor('eva@northwind.example')
    const [first, second] = await partsOf(eva)
    await enterPart(eva, first)
    const [form] = (await formsOn(eva, '/settings/company')).filter(({ to }) => to === '/settings/company')
    if (!form) throw new Error('There is no form.')
    await enterPart(eva, second)
    const before = await textOf(eva, '/settings/company')
    const typed = { name: 'Typed by Eva' }
    const withFile = { ...fieldsOf(form, typed), logo: new File(['x'], 'logo.png', { type: 'image/png' }) }
    for (const fields of [fieldsOf(form, typed), withFile]) {
      const answer = await eva.submit(form.to, fields)
      expect(answer.status).toBe(409)
      const page = await answer.text()
      expect(page).toContain('You switched before this was sent')
      expect(page).toContain('value="Typed by Eva"')
    }
    expect((await textOf(eva, '/settings/company')).includes('Typed by Eva')).toBe(
      before.includes('Typed by Eva'),
    )
    // Back in its sub-tenant, the form is accepted as it is on the page.
    const refused = offersOf(await (await eva.submit(form.to, fieldsOf(form, typed))).text(), form.to)
    const again = refused.find((one): one is Form => one.kind === 'form' && one.words.includes('Send it now'))
    await enterPart(eva, first)
    expect((await eva.submit(again?.to ?? '', fieldsOf(again as Form))).status).toBe(302)
    expect(await textOf(eva, '/settings/company')).toContain('Typed by Eva')
  })

  it('is kept when the impersonation ended before it was sent', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    await enter(sofia, 'Harbor')
    const [form] = (await formsOn(sofia, '/users/add')).filter(({ to }) => to === '/users/add')
    await sofia.submit('/tenants', { intent: 'stop_impersonating' })
    const answer = await sofia.submit('/users/add', fieldsOf(form as Form, { first_name: 'Kept' }))
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('value="Kept"')
  })

  it('that ends an impersonation leads home when sent twice, but not out of another company', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    await enter(sofia, 'Harbor')
    const [form] = (await formsOn(sofia, '/users')).filter(({ to }) => to === '/tenants')
    const home = fieldsOf(form as Form, { intent: 'stop_impersonating' })
    for (let pressed = 0; pressed < 2; pressed += 1) {
      const answer = await sofia.submit('/tenants', home)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/tenants'])
    }
    await enter(sofia, 'Northwind')
    expect((await sofia.submit('/tenants', home)).status).toBe(409)
  })

  it('is kept when its sender is signed out, and refused from anyone else', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const [form] = (await formsOn(adam, '/settings/profile')).filter(({ to }) => to === '/settings/profile')
    const fields = fieldsOf(form as Form, { first_name: 'Kept' })
    const stranger = await site.visitor()
    const answer = await stranger.submit('/settings/profile', fields)
    expect(answer.status).toBe(401)
    const page = await answer.text()
    expect(page).toContain('You are logged out')
    expect(page).toContain('value="Kept"')
    const eva = await site.visitor('eva@northwind.example')
    const refused = await eva.submit('/settings/profile', fields)
    expect(refused.status).toBe(409)
    const said = await refused.text()
    expect(said, 'she gets there by no change of place').toMatch(/href="\/logout"[^>]*>Log out here/)
    expect(said).not.toContain('Go back there')
    expect((await adam.submit('/settings/profile', fields)).status).toBe(302)
  })

  it('is kept when its sub-tenant was deactivated, and the page says why', async () => {
    const eva = await site.visitor('eva@northwind.example')
    const [part] = await partsOf(eva)
    await enterPart(eva, part)
    const [form] = (await formsOn(eva, '/settings/company')).filter(({ to }) => to === '/settings/company')
    const fields = fieldsOf(form as Form, { name: 'Typed by Eva' })
    const database = connect(site.adminUrl, { max: 1 })
    const set = (status: string) =>
      sql`update sub_tenants set status = ${status} where id = ${part}`.execute(database)
    try {
      await set('inactive')
      const answer = await eva.submit('/settings/company', fields)
      const page = await answer.text()
      expect(answer.status).toBe(409)
      for (const words of ['You can no longer work there', 'That place is inactive', 'value="Typed by Eva"'])
        expect([words, page.includes(words)]).toEqual([words, true])
      expect(page).not.toMatch(/session ended|You switched/)

      // A person without another sub-tenant is logged out, and reads why.
      await set('active')
      await enterPart(eva, part)
      const roles = sql`user_general_roles where sub_tenant_id <> ${part}
        and user_id = (select id from users where email = 'eva@northwind.example')`
      await sql`delete from ${roles}`.execute(database)
      await set('inactive')
      const last = await eva.submit('/settings/company', fields)
      const told = await last.text()
      expect(last.status).toBe(401)
      for (const words of ['Your sub-tenant is not active at the moment', 'value="Typed by Eva"'])
        expect([words, told.includes(words)]).toEqual([words, true])
      expect(told).not.toContain('session ended')
    } finally {
      await set('active')
      await database.destroy()
    }
  })

  it('is not assumed when a script sends no place', async () => {
    const adam = await site.visitor('adam@northwind.example')
    expect((await adam.submit('/settings/sessions', { intent: 'end_others' })).status).toBe(302)
  })
})

describe('A form that is sent twice', () => {
  it('adds one block to a lift, and removes one question', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const drawn = async (on: string, words: string, typed: Record<string, string>) => {
      const form = (await formsOn(adam, on)).find((one) => one.words === words)
      if (!form) throw new Error(`${on} has no form “${words}”.`)
      return async () => (await adam.submit(form.to, fieldsOf(form, typed))).headers.get('location') ?? ''
    }
    const begin = await drawn('/lljs/manage/new', 'Create journey', { name: 'Blocks', category: 'Safety' })
    const schedule = (await begin()).replace(/\?.*/, '')
    await (await drawn(`${schedule}/lifts/new`, 'Save lift', { title: 'Its lift' }))()
    const lift = /\/lljs\/\d+\/lifts\/\d+/.exec(await textOf(adam, schedule))?.[0] ?? ''
    const add = await drawn(`${lift}/blocks/text`, 'Save text', { markdown: 'Said once' })
    for (const _ of [1, 2]) expect(await add()).toBe(lift)
    const page = await textOf(adam, lift)
    expect([page.includes('/blocks/0'), page.includes('/blocks/1')]).toEqual([true, false])
    await (await drawn(`${lift}/prompts/short_text`, 'Save question', { text: 'Asked once?' }))()
    const form = (await formsOn(adam, lift)).find(({ to }) => /\/prompts\/\d+$/.test(to)) as Form
    const remove = () => adam.submit(form.to, fieldsOf(form, { way: 'remove', confirmed: 'true' }))
    for (const answer of await Promise.all([remove(), remove()]))
      expect([answer.status, answer.headers.get('location')]).toEqual([302, lift])
    expect(await textOf(adam, lift)).not.toContain('Asked once?')
  })

  it('creates one journey; different text or another page creates another', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const drawn = async () =>
      /name="__key__" value="([^"]+)"/.exec(await textOf(adam, '/lljs/manage/new'))?.[1]
    const key = (await drawn()) ?? 'none'
    const create = async (name: string, __key__: string) =>
      (await adam.submit('/lljs/manage/new', { name, category: 'Safety', __key__ })).headers.get('location')
    const both = await Promise.all([create('Pressed twice', key), create('Pressed twice', key)])
    expect(both[0]).toMatch(/^\/lljs\/\d+\/schedule/)
    expect(both[1]).toBe(both[0])
    expect(await create('Pressed twice', key)).toBe(both[0])
    const others = [
      await create('Other words', key),
      await create('Pressed twice', (await drawn()) ?? 'none'),
    ]
    expect(new Set([...both, ...others]).size).toBe(3)
  })

  it('creates one journey after it was kept for its signed-out sender', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const to = '/lljs/manage/new'
    const [form] = (await formsOn(adam, to)).filter((one) => one.to === to)
    const typed = { name: 'Kept and pressed twice', category: 'Safety' }
    const refused = await (await site.visitor()).submit(to, fieldsOf(form as Form, typed))
    expect(refused.status).toBe(401)
    const kept = offersOf(await refused.text(), to).find((one) => one.kind === 'form' && one.to === to)
    const send = async () => (await adam.submit(to, fieldsOf(kept as Form))).headers.get('location')
    const once = await send()
    expect(once).toMatch(/^\/lljs\/\d+\/schedule/)
    expect(await send()).toBe(once)
  })
})
