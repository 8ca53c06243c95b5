/** The demo's people in a browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { DemoAccount } from '#app/demo/accounts.server.ts'
import { Visitor } from '../support/visitor.ts'

const OF_THE_SITE = { domain: 'localhost', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const

export function accountOf(email: string): DemoAccount {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'demo-accounts.json')
  const account = (JSON.parse(readFileSync(file, 'utf8')) as DemoAccount[]).find((one) => one.email === email)
  if (!account) throw new Error(`${email} has no account in the demo`)
  return account
}

/** A worker's stories share a session per person. */
const sessions = new Map<string, Visitor>()

/** Signs in and opens the first page; on a sign-in page, through its form. */
export async function signIn(page: Page, email: string): Promise<void> {
  if (isOutside(pathOf(page))) return typeInto(page, email, accountOf(email).password)
  const known = sessions.get(email)
  if (known) await openAs(page, known)
  if (!known || isOutside(pathOf(page))) sessions.set(email, await signInAnew(page, email))
}

/** For stories that change their session, such as the company it is in. */
export async function signInAnew(page: Page, email: string): Promise<Visitor> {
  const visitor = new Visitor(process.env.E2E_ORIGIN ?? '')
  await visitor.signIn(email, accountOf(email).password)
  await openAs(page, visitor)
  return visitor
}

async function openAs(page: Page, visitor: Visitor): Promise<void> {
  await page.context().addCookies(cookiesOf(visitor))
  await page.goto('/')
}

const pathOf = (page: Page) => new URL(page.url(), 'http://x')

export const cookiesOf = ({ cookies }: Visitor) =>
  [...cookies].map(([name, value]) => ({ name, value, ...OF_THE_SITE }))

async function typeInto(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  const secret = page.getByLabel('Password', { exact: false }).first()
  // On the page of a lift's link one form asks for both.
  if (!(await secret.isVisible())) await page.getByRole('button', { name: 'Continue' }).click()
  await secret.fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL((url) => !isOutside(url))
}

const isOutside = ({ pathname }: URL) => /^\/(login|auth|idp)/.test(pathname)

export async function logOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await expect(page.getByText('Are you sure you want to log out?')).toBeVisible()
  await page.getByRole('button', { name: 'Yes, log out' }).click()
  await page.waitForURL('**/login**')
}

/** Waits until the page has hydrated, so that typed text is not lost, and its requests have ended. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  const waiting = { intervals: [20, 50, 100], timeout: 15_000 }
  await expect(async () => expect(await page.evaluate(isSettled)).toBe(true)).toPass(waiting)
}

/** Runs in the page. Without scripts, or without React, there is nothing to wait for. */
export function isSettled(): boolean {
  type Root = { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } }
  type Router = { state: { navigation: { state: string }; fetchers: Map<string, { state: string }> } }
  const { __remixContext, __remixRouter } = window as unknown as {
    __remixContext?: object
    __remixRouter?: Router
  }
  if (!__remixContext) return true
  const key = Object.keys(document).find((name) => name.startsWith('__reactContainer$'))
  const root = key && (document as unknown as Record<string, Root>)[key]
  if (!root || root.stateNode.current.memoizedState.isDehydrated || !__remixRouter) return false
  const { navigation, fetchers } = __remixRouter.state
  return [navigation, ...fetchers.values()].every(({ state }) => state === 'idle')
}
