/** Steps on the sign-in screens. */
import type { Page } from '@playwright/test'
import { settled } from '../people.ts'

export const PASSWORD = 'words of my own 4'

/** Each run of a story has its own people. */
export const fresh = (name: string, project: string) => `${name}-${project}-${Date.now()}@testing.example`

export async function goToPassword(page: Page, email: string, query = ''): Promise<void> {
  await page.goto(`/login${query}`)
  await typeEmail(page, email)
}

export async function typeEmail(page: Page, email: string): Promise<void> {
  await settled(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/login/*')
  await settled(page)
}

export async function typePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password').first().fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

export async function typeCode(page: Page, code: string, button: string): Promise<void> {
  await settled(page)
  await page.getByLabel(/^(Confirmation )?Code/).fill(code)
  await page.getByRole('button', { name: button, exact: true }).click()
}

export async function choosePassword(page: Page, password: string, button: string): Promise<void> {
  await settled(page)
  await page.getByLabel('New Password').fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: button, exact: true }).click()
}

/** Fills in the form that creates an account, without submitting it. */
export async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Create Account' }).click()
  await page.waitForURL('**/login/signUp')
  await settled(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').first().fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
}

export const expectIn = (page: Page) => page.waitForURL((url) => !/^\/(login|auth|idp)/.test(url.pathname))
export const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
