import { expect, type Page } from '@playwright/test'
import { generate } from 'otplib'
import { changeAccount, forgiveGuesses } from '../behind-the-scenes.ts'
import { accountOf, logOut, settled } from '../people.ts'
import { test } from '../product.ts'

/** Each run of the story has its own person. */
const WHO: Record<string, string> = {
  'with-javascript': 'lena@testing.example',
  'without-javascript': 'ravi@testing.example',
}
const HERE = '/settings/security'

test('a person sets up an authenticator app, signs in with its code, and removes it', async ({
  page,
}, info) => {
  const email = WHO[info.project.name] ?? ''
  const { password } = accountOf(email)
  await enterPassword(page, email, password)
  await page.waitForURL((url) => !/^\/(login|auth|idp)/.test(url.pathname))
  await page.goto(HERE)
  await settled(page)
  // A new person first accepts the terms, and then returns here.
  if (new URL(page.url()).pathname === '/settings/profile') {
    await page.getByRole('checkbox', { name: /terms/i }).check()
    await page.getByRole('button', { name: /^(Save|Accept|Continue)/ }).click()
    await page.waitForURL(`**${HERE}`)
    await settled(page)
  }
  await expect(page.getByText('Off', { exact: true })).toBeVisible()

  await choose(page, /A code from an authenticator app/, 'not my password')
  await expect(page.getByText('Incorrect password.').first()).toBeVisible()
  await choose(page, /A code from an authenticator app/, password)
  await expect(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible()
  await settled(page)
  const secret = (await page.locator('#totp-secret').textContent())?.trim() ?? ''
  await page.getByRole('textbox', { name: /^Code/ }).fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Invalid code received for user').first()).toBeVisible()
  // The secret is unchanged, for people who have already scanned it.
  expect((await page.locator('#totp-secret').textContent())?.trim() ?? '').toBe(secret)
  await page.getByRole('textbox', { name: /^Code/ }).fill(await generate({ secret }))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('On: authenticator app')).toBeVisible()

  await logOut(page)
  await forgiveGuesses()
  await enterPassword(page, email, password)
  await page.waitForURL(/confirmSignIn/)
  // A code works once; let time pass for the next one.
  await changeAccount(email, 'totp_last_step = totp_last_step - 10')
  await settled(page)
  await page.getByLabel(/code/i).fill(await generate({ secret }))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.waitForURL((url) => !/^\/(login|auth|idp)/.test(url.pathname))

  await page.goto(HERE)
  await settled(page)
  await choose(page, 'Nothing else', password)
  await expect(page.getByText('Second factor removed')).toBeVisible()
  await expect(page.getByText('Off', { exact: true })).toBeVisible()
})

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: false }).first().fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function choose(page: Page, label: string | RegExp, password: string): Promise<void> {
  await page.getByLabel(label).check()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Save second factor' }).click()
}
