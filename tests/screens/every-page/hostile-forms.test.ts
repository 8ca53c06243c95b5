/**
 * Every action refuses forms that no page of ours sends, for every visitor, with our own error page. None answers a
 * 500, and a large index blocks nobody. To save time, not every form meets every action and visitor: forms whose answer
 * depends on the action are sent by all visitors whose forms it reads, the others in turn.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, openAuthoring } from '#tests/screens/journeys/authoring-world.ts'
import { arrive } from '#tests/screens/sign-in/sign-in-world.ts'
import type { Visitor } from '#tests/support/visitor.ts'

type World = Awaited<ReturnType<typeof openAuthoring>>
let world: World
let visitors: Visitor[]
let paths: string[]
/** Per address: the visitors whose forms are read there. */
const readers = new Map<string, Visitor[]>()
beforeAll(async () => {
  world = await openAuthoring()
  const { site, adam, draft } = world
  const sofia = await site.visitor('sofia@liftwell.example')
  const uri = await site.visitor('uri@northwind.example')
  const { visitor: arriving } = await arrive(site, 'uri@northwind.example')
  visitors = [arriving, adam, sofia, uri]
  const { id, lifts } = await draft('Hostile', [{ title: 'One', when: 'launch' }])
  const first = async (who: Visitor, page: string, pattern: RegExp) =>
    pattern.exec(await html(who, page))?.[1] ?? ''
  const tenantId = await first(sofia, '/tenants', /\/tenants\/edit\/([0-9a-f-]{36})/)
  const subTenantId = await first(adam, '/subtenants', /\/subtenants\/([0-9a-f-]{36})\/edit/)
  const userId = await first(adam, '/users', /\/users\/edit\/(\d+)/)
  const things: Record<string, string> = {
    ...{ journeyId: id, lljId: id, liftId: lifts[0] ?? '', tenantId, subTenantId, userId },
    ...{ screen: 'signIn', importId: '1', pool: tenantId, fileId: '1' },
  }
  paths = (await actions())
    .map((path) => path.replace(/:(\w+)/g, (_, name) => things[name] ?? name))
    .filter((one) => !READS_NO_FORM.test(one))
  for (const path of paths) readers.set(path, await whoIsRead(path))
})
afterAll(() => world?.site.close())

/** Ends or begins a session without reading the form. */
const READS_NO_FORM = /\/(logout|enter)$/

/** The addresses of all actions. */
async function actions(): Promise<string[]> {
  const build: ServerBuild = await import(pathToFileURL(resolve('build/server/index.js')).href)
  const routes = build.routes
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    return route ? `${pathOf(route.parentId)}/${route.path ?? ''}`.replace(/\/+/g, '/') : ''
  }
  const taking = Object.values(routes).filter((route) => route?.module.action && !route.path?.endsWith('*'))
  // A layout and its index share an address; `?index` selects the index.
  return taking.map((route) => `${pathOf(route?.id).replace(/(?<=.)\/$/, '')}${route?.index ? '?index' : ''}`)
}

/** The visitors who get back a form with an unknown field; if there are none, those who are not redirected. */
async function whoIsRead(path: string): Promise<Visitor[]> {
  const statuses: number[] = []
  for (const visitor of visitors) statuses.push((await post(visitor, path, fields('x=1'))).status)
  const [, adam, sofia] = visitors as [Visitor, Visitor, Visitor]
  const ways = [
    [400, 409, 422],
    [404, 405],
  ].map((those) => visitors.filter((_, i) => those.includes(statuses[i] ?? 0)))
  return [...ways, [path.startsWith('/tenants') ? sofia : adam]].find(({ length }) => length > 0) ?? []
}

/** A visitor whose forms the action reads sends one form in `step`; any other visitor sends one in seven. */
const sendersOf = (path: string, nth: number, step: number) =>
  visitors.filter((visitor, i) => {
    const turn = paths.indexOf(path) + nth
    return readers.get(path)?.includes(visitor) ? turn % step === 0 : (turn + i) % 7 === 0
  })

type Body = { body: BodyInit; type?: string }
const post = (visitor: Visitor, path: string, { body, type }: Body) =>
  visitor.visit(path, {
    method: 'POST',
    body,
    headers: type ? { 'content-type': type } : {},
    signal: AbortSignal.timeout(20_000),
  })

const fields = (text: string): Body => ({ body: text, type: 'application/x-www-form-urlencoded' })
const parts = (name: string): Body => {
  const form = new FormData()
  form.append(name, 'v')
  return { body: form }
}

const REFUSED: Record<string, Body> = {
  'an index that no form has': fields('x[30000000]=1'),
  'an index after a dot': fields('x.30000000=1'),
  'an index in the rows of a form': fields('user_general_roles[99999].role=admin'),
  'an index in a form with parts': parts('admins[99999].email'),
  'a field name of 5,000 characters': fields(`${'x'.repeat(5000)}=1`),
  'more fields than any form has': fields('x=1&'.repeat(5000)),
  'JSON instead of a form': { body: '{"email":"a@b.example"}', type: 'application/json' },
  'a form without a boundary': { body: 'x', type: 'multipart/form-data' },
  'a form cut short': { body: '--x\r\nContent-Disposition: form', type: 'multipart/form-data; boundary=x' },
}

const numbered = (bodies: Record<string, Body>, step: number) =>
  Object.entries(bodies).map(([what, body], nth) => [what, body, nth, step] as const)

describe('Every action refuses', () => {
  // They are refused before any action runs, so one address in four is enough.
  it.each(numbered(REFUSED, 4))('%s', { timeout: 120_000 }, async (_what, body, nth, step) => {
    const missed: string[] = []
    for (const path of paths) {
      const answers = []
      const senders = sendersOf(path, nth, step)
      for (const visitor of senders) answers.push(await post(visitor, path, body))
      const pages = await Promise.all(answers.map((answer) => answer.text()))
      // Visitors without access are redirected or refused; nobody's form is taken.
      const isRead = senders.some((one) => readers.get(path)?.includes(one))
      const isRefused = answers.some(
        ({ status }, i) => [400, 415].includes(status) && /could not be accepted/i.test(pages[i] ?? ''),
      )
      const wrong = answers.filter(({ status }) => status < 300 || status >= 500)
      if ((isRead && !isRefused) || wrong.length > 0)
        missed.push(`${path}: ${answers.map(({ status }) => status)}`)
    }
    expect(paths.length).toBeGreaterThan(20)
    expect(missed).toEqual([])
  })
})

const ROWS = (value: unknown): Body =>
  fields(
    new URLSearchParams({ __intent__: typeof value === 'string' ? value : JSON.stringify(value) }).toString(),
  )
const insert = (payload: unknown) => ROWS({ type: 'insert', payload })
/** All actions read steps in one place. One that reads steps itself fails on the first two of STRANGE. */
const STEPS: Record<string, Body> = {
  'a step that is a number': ROWS('1'),
  'a step that is a list': ROWS('[]'),
  'a step of an unknown kind': ROWS({ type: 'zzz' }),
  'a step without a row': ROWS({ type: 'insert' }),
  'a row in a field without rows': insert({ name: 'email' }),
  'a row with a large index': insert({ name: 'user_general_roles', index: 30_000_000 }),
  'a row of lists': insert({ name: 'user_general_roles', defaultValue: { role: [[]] } }),
  'a value with a large index': ROWS({ type: 'update', payload: { name: 'x[30000000]', value: '1' } }),
}
const STRANGE: Record<string, Body> = {
  'a step that is not JSON': ROWS('{bad'),
  'a step that is null': ROWS('null'),
  'two steps': fields('__intent__=%7B%7D&__intent__=%7B%7D'),
  'a state that is not JSON': fields('__state__=%7Bbad'),
  'a value instead of rows': fields('user_general_roles=v&admins=v'),
  'the length of rows': fields('user_general_roles.length=v&admins.length=9'),
  'rows with gaps': fields('user_general_roles[90].role=admin&admins[90].email=x'),
  'the same field twice': fields('email=a&email=b&name=a&name=b&title=a&title=b&first_name=a&first_name=b'),
  'a prototype': fields('__proto__.x=1&constructor.prototype.x=1&toString=1'),
  'a button named like a property of every object': fields('intent=toString'),
  'a choice named like a property of every object': fields(
    new URLSearchParams(
      [
        'when',
        'kind',
        'type',
        'status',
        'plan',
        'role',
        'category',
        'completion_rule',
        'weekday',
        'channel',
      ].map((name) => [name, '__proto__']),
    ).toString(),
  ),
  'an unknown button': fields('intent=foo'),
  'a button that is a file': (() => {
    const form = new FormData()
    for (const name of ['intent', 'email', 'name', 'logo', 'file', '__intent__'])
      form.append(name, new File(['x'], 'x.txt'))
    return { body: form }
  })(),
  nothing: { body: '' },
}

describe('No action fails on', () => {
  const all = [...numbered(STEPS, 3), ...numbered(STRANGE, 1)]
  it.each(all)('%s', { timeout: 120_000 }, async (_what, body, nth, step) => {
    const failed: string[] = []
    const titles = new Set<string>()
    for (const path of paths)
      for (const visitor of sendersOf(path, nth, step)) {
        const answer = await post(visitor, path, body)
        if (answer.status >= 500) failed.push(`${path}: ${answer.status}`)
        const page = await answer.text()
        if (page.includes('class="form-errors"')) titles.add(`${path}: ${/<title>(\w+:)?/.exec(page)?.[1]}`)
      }
    expect(titles.size).toBeGreaterThan(5 / step)
    expect([...titles].filter((title) => !title.endsWith(': Error:'))).toEqual([])
    expect(failed).toEqual([])
  })
})

/** Pages whose buttons have no name: there `intent` is an unknown field, or ignored. */
const WITHOUT_BUTTONS =
  /^\/(todo|testing\/start-again$|sponsors-journey|unsubscribe\/|answers\/|lljs\/(?!\d+\/(people\/add|lifts\/\d+\/send))|login$|switch$|lift\/|users\/(add|import|groups(\?|$|\/\w+\/delete))|subtenants\/add|settings\/(profile|company|security|contact\/remove)|tenants\/(add|[0-9a-f-]{36}\/subtenants\/))/

it.each(['foo', 'toString', ''])('An unknown button is refused: %j', { timeout: 120_000 }, async (intent) => {
  const missed: string[] = []
  for (const path of paths.filter((one) => !WITHOUT_BUTTONS.test(one))) {
    const answers = []
    for (const visitor of visitors) answers.push(await visitor.submit(path, { intent }))
    const pages = await Promise.all(answers.map((answer) => answer.text()))
    // Sign-in counts every attempt, and these exceed its limit.
    const isLimited = answers.every(({ status }) => status === 429)
    const isRefused =
      isLimited || answers.some(({ status }, i) => status === 400 && pages[i]?.includes('has no button'))
    // Visitors without access are redirected; nobody gets a success message.
    const isDone = answers.some((answer) =>
      answer.headers.getSetCookie().some((one) => /^__Host-toast=e/.test(one)),
    )
    if (!isRefused || isDone) missed.push(`${path}: ${answers.map(({ status }) => status)}`)
  }
  expect(missed).toEqual([])
})

describe('An address without a page', () => {
  it.each([
    ['/users/export', 403],
    ['/users/import/template', 403],
    ['/users/import/1/result', 403],
    ['/notifications/change', 405],
    ['/settings/audit/export', 403],
    ['/lljs/99999/file', 403],
    ['/files/x/1', 404],
  ])('is refused with an HTML page: %s', async (path, status) => {
    const answer = await (visitors.at(-1) as Visitor).visit(path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(await answer.text()).toContain('<h1>')
  })
})
