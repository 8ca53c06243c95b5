/** `npm run screenshots`: takes the pictures of README.md, from its own demo. */
import { rmSync } from 'node:fs'
import { type Browser, chromium, type Page } from '@playwright/test'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, readAccounts, startProcess, stopProcess } from '#tests/support/process.ts'
import { BROWSER_ARGUMENTS, findBrowser } from './browser.ts'

type Shot = { name: string; as?: string; path: string; open?: (page: Page) => Promise<unknown> }

const SHOTS: readonly Shot[] = [
  { name: 'login', path: '/login' },
  { name: 'tenants', as: 'sofia@liftwell.example', path: '/tenants' },
  { name: 'tenant', as: 'sofia@liftwell.example', path: '/tenants/add' },
  { name: 'home', as: 'adam@northwind.example', path: '/' },
  { name: 'users', as: 'adam@northwind.example', path: '/users' },
  { name: 'company', as: 'adam@northwind.example', path: '/settings/company' },
  { name: 'profile', as: 'adam@northwind.example', path: '/settings/profile' },
  { name: 'journeys', as: 'adam@northwind.example', path: '/lljs/manage' },
  { name: 'schedule', as: 'adam@northwind.example', path: '/lljs/1/schedule' },
  { name: 'analytics', as: 'adam@northwind.example', path: '/analytics' },
  {
    name: 'lift',
    as: 'uri@northwind.example',
    path: '/todo',
    open: async (page) => {
      await page.getByRole('link', { name: 'Feedback within a day' }).click()
      await page.waitForURL('**/lift/*')
    },
  },
]
const DEVICES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

const dataDir = makeDataDir('screenshots')
const running = await startProcess(dataDir, await freePort())
const executablePath = findBrowser()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: BROWSER_ARGUMENTS })
try {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const device of Object.keys(DEVICES) as (keyof typeof DEVICES)[])
      await takeAll(browser, device, colorScheme)
} finally {
  await browser.close()
  await stopProcess(running)
  rmSync(dataDir, { recursive: true, force: true })
}

async function takeAll(
  browser: Browser,
  device: keyof typeof DEVICES,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const states = new Map<string, Awaited<ReturnType<typeof signIn>>>()
  for (const { name, as, path, open } of SHOTS) {
    if (as && !states.has(as)) states.set(as, await signIn(browser, as))
    const storageState = as ? states.get(as) : undefined
    const context = await browser.newContext({
      baseURL: running.origin,
      viewport: DEVICES[device],
      colorScheme,
      locale: 'en-US',
      ...(storageState && { storageState }),
    })
    const page = await context.newPage()
    await page.goto(path, { waitUntil: 'networkidle' })
    await open?.(page)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: `docs/screenshots/${name}-${device}-${colorScheme}.png` })
    await context.close()
  }
}

async function signIn(browser: Browser, email: string) {
  const password = readAccounts(dataDir).find((account) => account.email === email)?.password ?? ''
  const context = await browser.newContext({ baseURL: running.origin, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('input[type=password]').fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL((url) => !/^\/(login|auth|idp)/.test(url.pathname))
  const state = await context.storageState()
  await context.close()
  return state
}
