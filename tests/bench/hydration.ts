/** How long a page's scripts keep a phone from answering a tap: 390 wide, at a quarter of this machine's speed. */
import { type BrowserContext, chromium } from '@playwright/test'
import { BROWSER_ARGUMENTS, findBrowser } from '#tests/e2e/browser.ts'
import { cookiesOf, settled } from '#tests/e2e/people.ts'
import { table } from './table.ts'
import type { World } from './world.ts'

const PAGES = ['/', '/users', '/lljs/manage', '/todo']
const TIMES_SLOWER = 4
const ROUNDS = 5
/** Total blocking time in milliseconds: the part of each task beyond 50 ms, as Lighthouse counts. */
const MAX_BLOCKED = 200
const NOT_FELT = 50

export type Hydration = { path: string; blocked: number; longest: number }

export async function measureHydration({ people, site }: World): Promise<Hydration[]> {
  const [person] = people.values()
  if (!person) return []
  const executablePath = findBrowser()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: BROWSER_ARGUMENTS,
  })
  try {
    const found: Hydration[] = []
    for (const path of PAGES) {
      const rounds: Hydration[] = []
      for (let round = 0; round < ROUNDS; round++) {
        // A new context has an empty cache.
        const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
        await phone.addCookies(cookiesOf(person.visitor))
        rounds.push(await open(phone, site.origin, path).finally(() => phone.close()))
      }
      rounds.sort((one, other) => one.blocked - other.blocked)
      found.push(rounds[Math.floor(ROUNDS / 2)] as Hydration)
    }
    return found
  } finally {
    await browser.close()
  }
}

async function open(phone: BrowserContext, origin: string, path: string): Promise<Hydration> {
  const page = await phone.newPage()
  await page.addInitScript(watchLongTasks)
  const session = await phone.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER })
  const answer = await page.goto(`${origin}${path}`)
  if (answer?.status() !== 200) throw new Error(`${path}: ${answer?.status()}`)
  await settled(page)
  const tasks = await page.evaluate(() => (window as unknown as Watched).longTasks)
  return {
    path,
    blocked: tasks.reduce((sum, one) => sum + one - NOT_FELT, 0),
    longest: Math.max(0, ...tasks),
  }
}

type Watched = { longTasks: number[] }

/** Runs in the page, before anything else in it. */
function watchLongTasks(): void {
  const longTasks: number[] = []
  Object.assign(window, { longTasks })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

export const hydrationTable = (found: readonly Hydration[]): string =>
  table(
    ['A page on a phone', 'total blocking time, ms', 'longest task, ms', 'goal'],
    found.map(({ path, blocked, longest }) => [
      path,
      blocked.toFixed(0),
      longest.toFixed(0),
      `${MAX_BLOCKED} ms`,
    ]),
  )

export const blockedTooLong = (found: readonly Hydration[]): string[] =>
  found
    .filter(({ blocked }) => blocked > MAX_BLOCKED)
    .map(({ path, blocked }) => `${path} blocks a phone for ${blocked.toFixed(0)} ms (goal: ${MAX_BLOCKED})`)
