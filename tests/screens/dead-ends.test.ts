/**
 * Nobody is offered what they are then refused: every role walks all that the pages link to, and every form's address
 * is asked for as that role. Forms that end or send something are looked at, not sent.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { type Offer, offersOf } from './page-controls.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const REFUSAL = /no permission|not have permission|is for administrators|not allowed|form has no field/i
/** Ends something for good, sends something, or makes the visitor somebody else. */
const NOT_SENT =
  /delete|restore|opt_out|STOP|remove|erase|activate|archive|complete|revoke|stop|log ?out|withdraw|reset|launch|pause|resume|send|invite|export|add-group|enter_sub_tenant|\/switch|\/logout|take_second_factor|sessions/i

/** Which row or which filter is named makes no other kind of address; some of each kind are visited. */
const LISTS = /^(order|page|q|name|role|category|author|status|user_ids|actor|action|subject|from|to)$/
/** A new question of one kind is asked for like one of another, and so is a part of a lift. */
const NEW_PARTS = /^(prompt|block)$/
function kindsOf(address: string): string[] {
  const url = new URL(address, site.origin)
  const path = url.pathname.replace(/[0-9a-f-]{36}|\d+/g, '*')
  const kinds = [...url.searchParams].map(([name, value]) => {
    if (LISTS.test(name) || /^\d|^$|-/.test(value)) return `${path}?${name}`
    return `${path}?${name}=${NEW_PARTS.test(name) ? 'new' : value}`
  })
  return kinds.length > 0 ? kinds : [path]
}
const ofKind = (kind: string) => (kind.includes('?') ? 1 : 2)

type Form = Extract<Offer, { kind: 'form' }> & { on: string }
const isOutside = (path: string) => /^\/(login|error)/.test(path)
const intentOf = ({ fields }: Pick<Form, 'fields'>) =>
  fields.filter(([name]) => name === 'intent' || name === 'way').join()

/** Goes everywhere that pages lead to; answers what was refused on the way, and the forms that stood there. */
async function walk(visitor: Visitor, start: string) {
  const refused: string[] = []
  const forms = new Map<string, Form>()
  const isNew = newAddresses()
  const queue: Step[] = [{ to: start, on: 'the address bar', words: '' }]
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (!isNew.ask(next.to)) continue
    const { refusal, offers } = await take(visitor, next)
    if (refusal) refused.push(refusal)
    for (const offer of offers)
      if (offer.kind === 'link') queue.push({ ...offer, on: next.to })
      else forms.set(`${kindsOf(offer.to)} ${intentOf(offer)}`, { ...offer, on: next.to })
  }
  return { refused, forms: [...forms.values()], pages: isNew.kinds(), hasSeen: isNew.hasSeen }
}

type Step = { to: string; on: string; words: string }

async function take(visitor: Visitor, { to, on, words }: Step) {
  const { response, path, html } = await visitor.follow(await visitor.visit(to))
  const isRefused = response.status >= 400 || REFUSAL.test(html) || (isOutside(path) && !isOutside(to))
  const isPage = response.headers.get('content-type')?.includes('html')
  return {
    refusal: isRefused
      ? `${on}: “${words}” leads to ${to}, which ends at ${path} with ${response.status}`
      : null,
    offers: isPage ? offersOf(html, path === '/' ? to : path) : [],
  }
}

/** Which addresses are worth a visit: on this site, and not the tenth of their kind. */
function newAddresses() {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  const ask = (to: string): boolean => {
    if (!to.startsWith('/') || seen.has(to)) return false
    const kinds = kindsOf(to)
    if (kinds.every((kind) => (counts.get(kind) ?? 0) >= ofKind(kind))) return false
    seen.add(to)
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return true
  }
  return { ask, kinds: () => [...counts.keys()], hasSeen: (to: string) => seen.has(to) }
}

/** Sends what may be sent, as it stands; the addresses of the rest are among the pages that were walked, or are asked for. */
async function tryForms(
  visitor: Visitor,
  forms: readonly Form[],
  hasSeen: (to: string) => boolean,
): Promise<string[]> {
  const refused: string[] = []
  for (const form of forms) {
    const isSent = !NOT_SENT.test(`${form.to} ${form.words} ${intentOf(form)}`)
    if (!isSent && hasSeen(form.to)) continue
    const answer = isSent
      ? await visitor.submit(form.to, gathered(form.fields))
      : await visitor.visit(form.to)
    const { response, path, html } = await visitor.follow(answer)
    const isRefused = [401, 403, 404, 405].includes(answer.status) || response.status === 403
    if (isRefused || response.status >= 500 || REFUSAL.test(html) || (isOutside(path) && !isOutside(form.to)))
      refused.push(`${form.on}: “${form.words}” posts to ${form.to}: ${answer.status}, then ${path}`)
  }
  return refused
}

function gathered(fields: readonly [string, string][]): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  for (const [name, value] of fields) all[name] = [...(all[name] ?? []), value]
  return all
}

async function superAdminInside(): Promise<Visitor> {
  const sofia = await site.visitor('sofia@liftwell.example')
  const page = await (await sofia.visit('/switch')).text()
  const [, place = ''] = /value="([^"]*)"(?:(?!<label).)*Liftwell Testing/s.exec(page) ?? []
  await sofia.submit('/switch', { place, reason: 'To see all of it' })
  return sofia
}

async function partAdminInside(): Promise<Visitor> {
  const eva = await site.visitor('eva@northwind.example')
  const page = await (await eva.visit('/subtenants')).text()
  const [, sub_tenant_id = ''] = /name="sub_tenant_id" value="([^"]*)"/.exec(page) ?? []
  await eva.submit('/subtenants', { sub_tenant_id })
  return eva
}

type Who = {
  who: string
  comesIn: () => Promise<Visitor>
  start: string
  sees: readonly string[]
  not: readonly string[]
}
const as = (email: string) => () => site.visitor(email)

const WHO: readonly Who[] = [
  {
    who: 'a stranger',
    comesIn: () => site.visitor(),
    start: '/login',
    sees: ['/login'],
    not: ['/users', '/'],
  },
  {
    who: 'a user',
    comesIn: as('uri@northwind.example'),
    start: '/',
    sees: ['/lift/*', '/learner', '/settings/security'],
    not: ['/analytics', '/lljs/manage', '/settings/audit', '/users/add', '/tenants'],
  },
  {
    who: 'an author',
    comesIn: as('aya@northwind.example'),
    start: '/',
    sees: ['/lljs/*/schedule', '/analytics'],
    not: ['/settings/company', '/settings/audit', '/users/add', '/lljs/manage?create=true', '/testing'],
  },
  {
    who: 'an administrator',
    comesIn: as('adam@northwind.example'),
    start: '/',
    sees: ['/users/edit/*', '/settings/audit', '/settings/audit/export', '/subtenants/*/edit'],
    not: ['/tenants', '/testing'],
  },
  {
    who: 'an administrator of parts who has yet to choose one',
    comesIn: as('eva@northwind.example'),
    start: '/subtenants',
    sees: ['/subtenants'],
    not: ['/users', '/settings/company', '/subtenants/add'],
  },
  {
    who: 'an administrator inside a part',
    comesIn: partAdminInside,
    start: '/',
    sees: ['/users/edit/*', '/settings/audit'],
    not: ['/subtenants/add', '/tenants', '/testing'],
  },
  {
    who: 'a super admin outside every tenant',
    comesIn: as('sofia@liftwell.example'),
    start: '/tenants',
    sees: ['/tenants/edit/*', '/tenants/*/subtenants'],
    not: ['/users', '/lljs/manage'],
  },
  {
    who: 'a super admin inside the testing tenant',
    comesIn: superAdminInside,
    start: '/',
    sees: ['/testing', '/users/edit/*', '/lljs/*/schedule', '/settings/audit'],
    not: ['/tenants/add'],
  },
]

describe('Nothing that is offered is refused', () => {
  it.each(WHO)('to $who', { timeout: 300_000 }, async ({ comesIn, start, sees, not }) => {
    const visitor = await comesIn()
    const { refused, forms, pages, hasSeen } = await walk(visitor, start)
    expect(refused).toEqual([])
    expect(pages).toEqual(expect.arrayContaining([...sees]))
    expect(pages.filter((page) => not.includes(page))).toEqual([])
    expect(await tryForms(visitor, forms, hasSeen)).toEqual([])
  })
})
