import { expect } from '@playwright/test'
import { latestCode } from '../behind-the-scenes.ts'
import { accountOf, settled, signIn, signInAnew } from '../people.ts'
import { test } from '../product.ts'

const GO = { name: 'Go to the Platform', exact: true }

test('a super admin enters a company with a reason, then a sub-tenant, and leaves again', async ({
  page,
  javaScriptEnabled,
}) => {
  await signInAnew(page, 'sofia@liftwell.example')
  await page.getByRole('link', { name: 'Switch tenant' }).first().click()
  await settled(page)
  if (javaScriptEnabled) await expect(page.getByRole('button', GO)).toBeDisabled()
  await expect(page.getByRole('radio', { name: /Bluepeak Retail/ })).toBeDisabled()

  await page.getByRole('searchbox').fill('HARBOR')
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('radio', { name: /Northwind/ })).toHaveCount(0)
  await page.getByRole('radio', { name: 'Harbor Health' }).check()
  await page.getByLabel('Reason').fill('A call from Grace')
  await page.getByRole('button', GO).click()
  await page.waitForURL((url) => url.pathname === '/')
  const banner = page.locator('.banner')
  await expect(banner).toContainText('Sofia Lindqvist')
  await expect(banner.locator('strong')).toHaveText('Harbor Health')
  await expect(banner).toContainText(/until \d{1,2}:\d\d [AP]M/)
  await expect(page.getByText('SuperAdmin').filter({ visible: true }).first()).toBeVisible()

  await page.goto('/switch')
  await settled(page)
  await page.getByRole('radio', { name: /Harbor Health/ }).check()
  if (javaScriptEnabled) await expect(page.getByRole('button', GO)).toBeDisabled()
  await page.getByRole('radio', { name: 'Northwind Europe' }).check()
  await page.getByLabel('Reason').fill('A question about Europe')
  await page.getByRole('button', GO).click()
  await page.waitForURL((url) => url.pathname === '/')
  await expect(banner.locator('strong')).toHaveText('Northwind Logistics, Northwind Europe')

  await page.getByRole('button', { name: 'Return to dashboard' }).click()
  await expect(page).toHaveURL(/\/tenants\/?$/)
  await expect(banner).toHaveCount(0)
})

test('the audit log of the company shows which super admin entered, and why', async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, 'grace@harbor.example')
  await page.goto('/settings/audit')
  await settled(page)
  await page.getByLabel('What', { exact: true }).fill('impersonation.started')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/action=impersonation.started/)
  const row = page.getByRole('row').filter({ hasText: 'sofia@liftwell.example' }).first()
  await expect(row).toContainText('for Harbor Health')
  await row.getByText('Show details').click()
  await expect(row).toContainText('A call from Grace')
  if (!javaScriptEnabled) return
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('audit-log.csv')
})

test('an administrator of two sub-tenants chooses one, switches to the other, and leaves it', async ({
  page,
}) => {
  await signInAnew(page, 'eva@northwind.example')
  await expect(page).toHaveURL(/\/subtenants\/?$/)
  await page.goto('/users')
  await expect(page).toHaveURL(/\/subtenants\/?\?redirect=%2Fusers$/)
  await page.getByRole('button', { name: 'Go to the Platform as Northwind Europe' }).click()
  await page.waitForURL((url) => /^\/users\/?$/.test(url.pathname))
  await page.getByRole('link', { name: 'Switch sub-tenant' }).first().click()
  await settled(page)
  await expect(page.getByText('You are here')).toBeVisible()
  await page.getByRole('radio', { name: 'Northwind Americas' }).check()
  await page.getByRole('button', GO).click()
  await page.waitForURL((url) => url.pathname === '/')
  await expect(page.locator('.top-bar .sub-tenant-name').first()).toHaveText('Northwind Americas')
  await page
    .getByRole('button', { name: /^Leave/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/subtenants\/?$/)
})

test('a person verifies a new phone number with its code, and removes it', async ({ page }, { project }) => {
  const number = project.name === 'with-javascript' ? '660 1000001' : '660 1000002'
  await signIn(page, 'adam@northwind.example')
  await page.goto('/settings/profile')
  await page.getByRole('link', { name: /^Change e-mail or/ }).click()
  await settled(page)
  const typed = page.getByLabel('Phone number')
  const password = page.getByLabel('Your password').last()
  await password.fill(accountOf('adam@northwind.example').password)
  await typed.fill('12')
  await page.getByRole('button', { name: 'Send code' }).last().click()
  await expect(page.getByText('Please enter a valid phone number', { exact: true })).toBeVisible()
  await page.getByLabel('Country code').selectOption('+43')
  await typed.fill(number)
  await password.fill(accountOf('adam@northwind.example').password)
  await page.getByRole('button', { name: 'Send code' }).last().click()
  await expect(page.getByText('A code is on its way')).toBeVisible()
  const code = await latestCode(`+43${number.replace(' ', '')}`)
  await page.getByLabel(/^Code sent to/).fill(code === '000000' ? '111111' : '000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('This code is wrong, or no longer valid.', { exact: true })).toBeVisible()
  await page.getByLabel(/^Code sent to/).fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Phone number verified')).toBeVisible()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Remove number' }).click()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByLabel('Your password')
    .fill(accountOf('adam@northwind.example').password)
  await page.getByRole('button', { name: 'Yes, remove' }).click()
  await expect(page.getByText('No number on file.')).toBeVisible()
})

test('a person’s choice of notifications is saved', async ({ page }) => {
  await signIn(page, 'adam@northwind.example')
  await page.goto('/settings/privacy')
  await settled(page)
  const box = page.getByLabel('Finished journeys')
  const was = await box.isChecked()
  await box.setChecked(!was)
  await page.getByRole('button', { name: 'Save notifications' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await page.reload()
  expect(await page.getByLabel('Finished journeys').isChecked()).toBe(!was)
})
