/**
 * No role is offered what it is then refused: each visits all pages that link to each other, and every form's address.
 * Forms that end or send something are not submitted.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { type Form, intentOf, isOutside, REFUSAL, walk } from './walking.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** Forms that end something for good, send something, or change who the visitor is. */
const NOT_SENT =
  /delete|restore|opt_out|STOP|remove|erase|activate|archive|complete|revoke|stop|log[ _]?out|withdraw|reset|launch|pause|resume|send|invite|export|add-group|enter_sub_tenant|\/switch|\/logout|take_second_factor|sessions/i

/** Submits the harmless forms as they are; the addresses of the others must have been visited, or are requested. */
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

async function subTenantAdminInside(): Promise<Visitor> {
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
    not: ['/settings/company', '/settings/audit', '/users/add', '/lljs/manage/new', '/testing'],
  },
  {
    who: 'an administrator',
    comesIn: as('adam@northwind.example'),
    start: '/',
    sees: ['/users/edit/*', '/settings/audit', '/settings/audit/export', '/subtenants/*/edit'],
    not: ['/tenants', '/testing'],
  },
  {
    who: 'an administrator of sub-tenants who has yet to choose one',
    comesIn: as('eva@northwind.example'),
    start: '/subtenants',
    sees: ['/subtenants'],
    not: ['/users', '/settings/company', '/subtenants/add'],
  },
  {
    who: 'an administrator inside a sub-tenant',
    comesIn: subTenantAdminInside,
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

describe('Links and forms on all pages', () => {
  it.each(WHO)('are not refused to $who', { timeout: 300_000 }, async ({ comesIn, start, sees, not }) => {
    const visitor = await comesIn()
    const { refused, forms, pages, hasSeen } = await walk(visitor, start)
    expect(refused).toEqual([])
    expect(pages).toEqual(expect.arrayContaining([...sees]))
    expect(pages.filter((page) => not.includes(page))).toEqual([])
    expect(await tryForms(visitor, forms, hasSeen)).toEqual([])
  })
})
