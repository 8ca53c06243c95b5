/**
 * `npm run prove:webkit`: every kind of page that the demo's people reach by links, in WebKit, on a phone and on a
 * desktop: it hydrates, reports no failure, and does not scroll sideways.
 */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled } from '#tests/e2e/people.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, readAccounts, startProcess, stopProcess } from '#tests/support/process.ts'
import { type Browser, openWebKit } from './webkit/driver.ts'
import { openTlsFront } from './webkit/tls-front.ts'

const PEOPLE = [
  'sofia@liftwell',
  'adam@northwind',
  'aya@northwind',
  'sam@northwind',
  'uri@northwind',
  'tess@testing',
]
const [PHONE, DESKTOP] = [390, 1280]
const SETTLED_MS = 15_000
const LINKS = `return [...document.querySelectorAll('a[href]:not([download])')].map(({ href }) => href.split('#')[0])
  .filter((href) => href.startsWith(location.origin))`

const dataDir = makeDataDir('webkit')
const [port, sitePort] = [await freePort(), await freePort()]
const origin = `https://localhost:${port}`
const site = await startProcess(dataDir, sitePort, {
  PUBLIC_ORIGIN: origin,
  TRUSTED_PROXIES: '127.0.0.1',
  // Pages report their failures only where a monitor is configured; nothing needs to arrive there.
  SENTRY_DSN: 'http://key@127.0.0.1:9/1',
})
const front = openTlsFront(dataDir, port, sitePort)
const browser = await openWebKit()
let pages = 0
const misses: string[] = []
try {
  for (const { email, password } of readAccounts(dataDir))
    if (PEOPLE.some((one) => email.startsWith(one))) {
      await signIn(browser, email, password)
      const before = pages
      await walk(browser, email)
      console.log(`${pages - before} pages as ${email}`)
    }
} finally {
  await browser.close()
  front.close()
  await stopProcess(site)
  rmSync(dataDir, { recursive: true, force: true })
}
misses.push(...front.reports.map(({ kind, message, path }) => `${path}: ${kind}, ${message}`))
for (const miss of misses) console.log(`MISSED ${miss}`)
console.log(`${pages} pages at two widths, ${misses.length} missed.`)
process.exitCode = misses.length === 0 && pages > 0 ? 0 : 1

async function signIn({ open, forgetCookies, type }: Browser, email: string, password: string) {
  await open(`${origin}/login`)
  await forgetCookies()
  await open(`${origin}/login`)
  await settle()
  await type('input[type=email]', `${email}\uE007`)
  await until('document.querySelector("input[type=password]")')
  await settle()
  await type('input[type=password]', `${password}\uE007`)
  await until('!location.pathname.startsWith("/login")')
}

/** Visits one page of each kind, whatever its ids and the value of its parameter; filters combine into too many. */
async function walk({ open, run, resize }: Browser, email: string): Promise<void> {
  const queue = ['/']
  const known = new Set<string>()
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    await resize(PHONE, 900)
    // A file has no page to wait for.
    if (!(await open(`${origin}${path}`).catch(() => false))) continue
    await look(browser, `${email} ${path}`)
    for (const link of await run<string[]>(LINKS)) {
      const { pathname, searchParams } = new URL(link)
      const kind = `${pathname.replaceAll(/\d+/g, '#')}?${[...searchParams.keys()]}`
      if (known.has(kind) || searchParams.size > 1 || /^\/(logout|api|files)/.test(pathname)) continue
      known.add(kind)
      queue.push(link.slice(origin.length))
    }
  }
}

async function look({ run, resize }: Browser, page: string): Promise<void> {
  pages += 1
  if (!(await settle())) misses.push(`${page}: does not hydrate`)
  if (!(await run<boolean>('return document.compatMode === "CSS1Compat"')))
    misses.push(`${page}: quirks mode`)
  for (const width of [PHONE, DESKTOP]) {
    await resize(width, 900)
    await sleep(200)
    const wide = await run<number>('return document.documentElement.scrollWidth - innerWidth')
    if (wide > 0) misses.push(`${page} at ${width}: ${wide} px too wide`)
  }
}

function settle(): Promise<boolean> {
  return until(`document.readyState === 'complete' && (${isSettled})()`)
}

async function until(condition: string): Promise<boolean> {
  for (const end = Date.now() + SETTLED_MS; Date.now() < end; await sleep(100))
    if (await browser.run<boolean>(`return Boolean(${condition})`).catch(() => false)) return true
  return false
}
