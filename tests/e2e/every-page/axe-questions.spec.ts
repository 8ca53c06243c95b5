/** Dialogs and questions that appear on a page only after a choice or a submitted form. */
import { expect, type Page } from '@playwright/test'
import { expectCleanOnBoth } from '../clean.ts'
import { accountOf, settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const ADAM = 'adam@northwind.example'

test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'axe is a script itself')
// Dozens of screens each: a slow machine needs this long.
test.setTimeout(480_000)

test('axe finds no violations in the dialogs and forms of journeys', async ({ page }) => {
  await signIn(page, ADAM)
  const [active, draft] = [await journeyOf(page, 'active'), await journeyOf(page, 'draft')]
  for (const opened of ['new', 'import', `${draft}/details`, `${active}/details`])
    await visit(page, `/lljs/manage/${opened}`)
  for (const opened of [`${active}/duplicate`, `${active}/author`, `${active}/archive`, `${draft}/delete`])
    await visit(page, `/lljs/manage/${opened}`)
  for (const opened of ['schedule/launch', 'schedule/launch?past=skip', 'people', 'people/add', 'details'])
    await visit(page, `/lljs/${draft}/${opened}`)
})

test('axe finds no violations in the questions of a running journey before it changes', async ({ page }) => {
  await signIn(page, ADAM)
  const schedule = `/lljs/${await journeyOf(page, 'active')}/schedule`
  await page.goto(schedule)
  const lift = await page.locator('[data-lift]').last().getAttribute('data-lift')
  await page.goto(schedule.replace('schedule', `lifts/${lift}`))
  await settled(page)
  await page.getByLabel('Message', { exact: true }).fill('Changed: {{link}}')
  await page.getByRole('button', { name: 'Save lift' }).click()
  await expect(page.locator('.impact')).toBeVisible()
  await expect(page.locator('.impact').getByRole('button', { name: 'Yes, save' })).toBeEnabled()
  await expectCleanOnBoth(page, 'impact')
  for (const opened of ['preview', 'preview?what_if=true&quiet_from=18:00', 'pause', 'complete'])
    await visit(page, `${schedule}/${opened}`)
  await page.goto(schedule.replace('schedule', 'people'))
  const member = await page.getByRole('link', { name: /^Edit/ }).first().getAttribute('href')
  await visit(page, `${member}`)
  await visit(page, `${member}/remove`)
  await page.goto(`${member}`)
  await settled(page)
  await page.getByLabel('Sponsor').fill('a')
  await page.getByRole('button', { name: 'Save participant' }).click()
  await expect(page.getByText('Which person?')).toBeVisible()
  await expectCleanOnBoth(page, 'who is meant')
})

test('axe finds no violations in questions about a person, or in the setup of an authenticator app', async ({
  page,
}) => {
  await signIn(page, ADAM)
  for (const ask of ['take_second_factor', 'reset_password', 'opt_out', 'deactivate', 'erase', 'delete'])
    await visit(page, `/users/edit/4?ask=${ask}`)
  await visit(page, '/settings/security/password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expectCleanOnBoth(page, 'password refused')
  await page.goto('/settings/security')
  await settled(page)
  await page.getByLabel(/A code from an authenticator app/).check()
  await page.getByLabel('Your password').fill(accountOf(ADAM).password)
  await page.getByRole('button', { name: 'Save second factor' }).click()
  await expect(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible()
  await expectCleanOnBoth(page, 'app')
  await page.getByRole('textbox', { name: /^Code/ }).fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Invalid code received for user').first()).toBeVisible()
  await expectCleanOnBoth(page, 'app refused')
})

async function visit(page: Page, to: string): Promise<void> {
  await page.goto(to)
  await expectCleanOnBoth(page, to)
}

async function journeyOf(page: Page, status: string): Promise<string> {
  await page.goto(`/lljs/manage?status=${status}&order=date:asc`)
  const href = await page.locator('main a[href$="/schedule"]').first().getAttribute('href')
  return href?.split('/')[2] ?? ''
}
