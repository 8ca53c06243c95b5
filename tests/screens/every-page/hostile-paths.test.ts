/**
 * A visitor's text in an address stays one segment of one path: it never selects another call of the API. Each text is
 * sent to each screen by an administrator, who passes its guard, and by the others in turn.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import routes from '#app/routes.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const HOSTILE = [
  '..%2Fusers%2Fme%3Fx=',
  '..%2F..%2Fusers%2Fme%23',
  '1%2Flaunch%3Fx=',
  '1%2Fschedule',
  '%252e%252e',
  '..%5Cusers',
  'x%3Fdeleted=true',
  '%00',
]

type Entry = (typeof routes)[number]

const pathsOf = (entries: readonly Entry[], above = ''): string[] =>
  entries.flatMap((entry) => {
    const path = entry.path ? `${above}/${entry.path}` : above
    return entry.children ? pathsOf(entry.children, path) : [path]
  })

/** Files and sign-in follow other rules; the sponsor's page has no data yet. */
const PATHS = pathsOf(routes).filter(
  (path) => /:/.test(path) && !/^\/(api|files|login|auth|sponsors-journey)\//.test(path),
)

let site: Site
let visitors: Visitor[]
beforeAll(async () => {
  site = await openSite()
  visitors = await Promise.all(
    [
      'sofia@liftwell.example',
      'adam@northwind.example',
      'aya@northwind.example',
      'uri@northwind.example',
    ].map((email) => site.visitor(email)),
  )
})
afterAll(() => site?.close())

/** The administrator sends every text; each other visitor sends one in seven. */
function sendersOf(path: string, nth: number): Visitor[] {
  const administrator = path.startsWith('/tenants') ? 0 : 1
  return visitors.filter((_, i) => i === administrator || (PATHS.indexOf(path) + nth + i) % 7 === 0)
}

describe('A hostile part of an address', () => {
  it('is tried on every screen that takes one', () => expect(PATHS.length).toBeGreaterThan(12))

  it.each(PATHS)('finds nothing at %s', async (path) => {
    const answers: string[] = []
    for (const [nth, hostile] of HOSTILE.entries())
      for (const visitor of sendersOf(path, nth)) {
        const to = path.replace(/:\w+/, hostile).replace(/:\w+/g, '1')
        const { status } = await visitor.visit(to)
        const posted = await visitor.submit(to, { intent: 'launch', name: 'Reached' })
        if (![302, 400, 403, 404].includes(status)) answers.push(`GET ${to}: ${status}`)
        if (![302, 400, 403, 404, 405, 409].includes(posted.status))
          answers.push(`POST ${to}: ${posted.status}`)
      }
    expect(answers).toEqual([])
  })
})
