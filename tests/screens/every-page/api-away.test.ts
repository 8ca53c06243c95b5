/**
 * Every screen while its API calls fail: each one alone, and each before all others. The answer says so, and no rejection
 * is left unhandled.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FailingApi, type Fault, startFailingApi } from '#tests/support/failing-api.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { walk } from './walking.ts'

const AT_ONCE = 0
const LATE_MS = 30
const SAID = 'There was an error, please try again later.'
/** Concurrent sessions of one person. */
const LANES = 6

let site: Site
let api: FailingApi
const unhandled: unknown[] = []
const keep = (error: unknown) => unhandled.push(error)
beforeAll(async () => {
  api = await startFailingApi()
  site = await openSite({ apiBaseUrl: api.origin })
  api.target = site.origin
  process.on('unhandledRejection', keep)
})
afterAll(async () => {
  process.off('unhandledRejection', keep)
  await site?.close()
  await api?.close()
})

type Lane = { visitor: Visitor; token: string }

/** Signs in, and finds the session's token. */
async function openLane(email: string): Promise<Lane> {
  const known = new Set(api.calls.keys())
  const visitor = await site.visitor(email)
  await visitor.follow(await visitor.visit('/settings/profile'))
  const token = [...api.calls.keys()].find((one) => !known.has(one))
  if (token === undefined) throw new Error(`the session of ${email} called nothing`)
  return { visitor, token }
}

type Screen = { path: string; calls: string[] }

const patternOf = (text: string) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '*')

/** The screens to which pages link, once for each kind of address and set of calls. */
async function findScreens({ visitor, token }: Lane, start: string): Promise<Screen[]> {
  const screens = new Map<string, Screen>()
  api.calls.delete(token)
  await walk(visitor, start, ({ to, path, status, type }) => {
    const calls = [...(api.calls.get(token) ?? [])].filter((call) => call.startsWith('GET '))
    api.calls.delete(token)
    const [pathname = ''] = to.split('?')
    if (status !== 200 || path !== pathname || !type.includes('html') || calls.length === 0) return
    const kind = [patternOf(pathname), ...calls.map(patternOf).sort()].join(' ')
    if (!screens.has(kind)) screens.set(kind, { path: to, calls })
  })
  return [...screens.values()]
}

type Trial = { screen: Screen; faults: Map<string, Fault> }

/**
 * Each call alone, and each before all others: what was started and is not waited for fails then, whichever of its own
 * calls it needed first.
 */
function trialsOf(screen: Screen): Trial[] {
  const fault = (status: Fault['status'], afterMs: number): Fault => ({ status, afterMs })
  const trial = (...faults: [string, Fault][]): Trial => ({ screen, faults: new Map(faults) })
  const { calls } = screen
  return calls.flatMap((call) => [
    trial([call, fault(503, AT_ONCE)]),
    trial([call, fault(503, LATE_MS)]),
    trial([call, fault(404, AT_ONCE)]),
    trial(
      [call, fault(503, AT_ONCE)],
      ...calls.flatMap((other): [string, Fault][] => (other === call ? [] : [[other, fault(503, LATE_MS)]])),
    ),
  ])
}

/** The error of the answer, if there is one. */
async function attempt({ visitor, token }: Lane, { screen, faults }: Trial): Promise<string[]> {
  const before = unhandled.length
  api.faults.set(token, (call) => faults.get(call))
  const answer = await visitor.visit(screen.path)
  const html = await answer.text()
  const isAway = [...faults.values()].every(({ status }) => status === 503)
  const wrong = [
    ...(answer.status >= 500 && answer.status !== 503 ? [`answers ${answer.status}`] : []),
    ...(answer.status === 503 && !answer.headers.has('retry-after') ? ['does not say when again'] : []),
    ...(answer.status === 503 && !/<title>[^<]+<\/title>/.test(html) ? ['has no title'] : []),
    ...(answer.status === 503 && !html.includes(SAID) ? ['does not say that there was an error'] : []),
    ...(isAway && answer.status >= 400 && answer.status !== 503 ? [`says ${answer.status}`] : []),
    ...(unhandled.length > before
      ? [`leaves ${unhandled.length - before} failures that nobody waits for`]
      : []),
  ]
  const what = [...faults].map(([call, { status, afterMs }]) => `${call} ${status} after ${afterMs} ms`)
  return wrong.map((one) => `${screen.path} ${one}, with ${what.join(' and ')}`)
}

async function attemptAll(lanes: readonly Lane[], trials: readonly Trial[]): Promise<string[]> {
  const queue = [...trials]
  const wrong: string[] = []
  await Promise.all(
    lanes.map(async (lane) => {
      for (let next = queue.shift(); next; next = queue.shift()) wrong.push(...(await attempt(lane, next)))
      api.faults.delete(lane.token)
    }),
  )
  return wrong
}

const WHO = [
  { email: 'adam@northwind.example', start: '/', atLeast: 25 },
  { email: 'uri@northwind.example', start: '/', atLeast: 8 },
  { email: 'sofia@liftwell.example', start: '/tenants', atLeast: 5 },
]

it.each(WHO)(
  'no screen answers a 500 or leaves a rejection unhandled while API calls fail: $email',
  { timeout: 600_000 },
  async ({ email, start, atLeast }) => {
    const lanes: Lane[] = []
    for (let lane = 0; lane < LANES; lane++) lanes.push(await openLane(email))
    const [first] = lanes
    const screens = first ? await findScreens(first, start) : []
    expect(screens.length).toBeGreaterThanOrEqual(atLeast)
    const trials = screens.flatMap(trialsOf)
    api.repeats = true
    expect(await attemptAll(lanes, trials)).toEqual([])
    api.repeats = false
    expect(unhandled).toEqual([])
  },
)

it('an unknown page is a 404, even while the API fails', async () => {
  const { visitor, token } = await openLane('uri@northwind.example')
  api.faults.set(token, () => ({ status: 503, afterMs: AT_ONCE }))
  const answer = await visitor.visit('/no-such-page')
  api.faults.delete(token)
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('Go back home')])
})

it('a notification that could not be deleted stays, and the page says so', async () => {
  const { visitor, token } = await openLane('uri@northwind.example')
  const bell = async () => (await visitor.visit('/todo')).text()
  const [, id = ''] = /name="id" value="(\d+)"/.exec(await bell()) ?? []
  api.faults.set(token, (call) =>
    call.startsWith('DELETE ') ? { status: 503, afterMs: AT_ONCE } : undefined,
  )
  const answer = await visitor.submit('/notifications', { intent: 'delete', id, from: '/todo' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/todo'])
  const page = await bell()
  expect(page).toContain('The notification could not be deleted. Please try again.')
  expect(page).toContain(`name="id" value="${id}"`)
})
