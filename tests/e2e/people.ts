/** The demo's people at a browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { DemoAccount } from '#app/demo/accounts.server.ts'

export function accountOf(email: string): DemoAccount {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'demo-accounts.json')
  const account = (JSON.parse(readFileSync(file, 'utf8')) as DemoAccount[]).find((one) => one.email === email)
  if (!account) throw new Error(`${email} has no account in the demo`)
  return account
}

/** From wherever the browser is: `/login`, or a page that asked for it. */
export async function signIn(page: Page, email: string): Promise<void> {
  const { password } = accountOf(email)
  if (!new URL(page.url(), 'http://x').pathname.startsWith('/login')) await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: false }).first().fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL((url) => !/^\/(login|auth|idp)/.test(url.pathname))
}

export async function logOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await expect(page.getByText('Are you sure you want to log out?')).toBeVisible()
  await page.getByRole('button', { name: 'Yes, log out' }).click()
  await page.waitForURL('**/login**')
}

/** With scripts on: the page has taken over, so what is typed is not lost. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
}
