import { expect } from '@playwright/test'
import sharp from 'sharp'
import { logOut, settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const SOFIA = 'sofia@liftwell.example'

test('a super admin creates a tenant with a logo, edits it and finds it in the list', async ({ page }, {
  project,
}) => {
  const name = `Acme ${project.name} ${Date.now()}`
  await signIn(page, SOFIA)
  await expect(page).toHaveURL(/\/tenants\/?$/)
  await page.getByRole('link', { name: 'Add tenant' }).click()
  await settled(page)

  await page.getByLabel('Name', { exact: false }).first().fill(name)
  await page.getByLabel('Customer type').selectOption('Multi Tenant')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#0f766e' } })
    .png()
    .toBuffer()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'acme.png', mimeType: 'image/png', buffer: png })
  await page.getByRole('button', { name: 'Add tenant' }).click()
  await expect(page).toHaveURL(/\/tenants\/?/)

  await page.getByRole('searchbox').fill(name.toLowerCase())
  await page.getByRole('button', { name: 'Search' }).click()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toBeVisible()
  const logo = row.locator('img')
  await expect(logo)
    .toHaveJSProperty('naturalWidth', 300)
    .catch(async () => {
      const answer = await page.request.get(new URL((await logo.getAttribute('src')) ?? '', page.url()).href)
      expect(answer.headers()['content-type']).toMatch(/^image\/(png|webp)/)
    })

  await page.getByRole('link', { name, exact: false }).first().click()
  await settled(page)
  await page.getByLabel('Industry').fill('Rockets')
  await page.getByRole('button', { name: 'Save tenant' }).click()
  await expect(page).toHaveURL(/\/tenants\/?/)
  await page.goto(`/tenants?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name, exact: false }).first().click()
  await expect(page.getByLabel('Industry')).toHaveValue('Rockets')
  await logOut(page)
})

test('the form for a new tenant says that a name is taken, and keeps what was typed', async ({ page }) => {
  await signIn(page, SOFIA)
  await page.goto('/tenants/add')
  await settled(page)
  await page.getByLabel('Name', { exact: false }).first().fill('Harbor Health')
  await page.getByLabel('Industry').fill('Hospitals')
  await page.getByRole('button', { name: 'Add tenant' }).click()
  await expect(page.getByText(/already/).first()).toBeVisible()
  await expect(page.getByLabel('Industry')).toHaveValue('Hospitals')
})

test('/tenants sends strangers to sign in and administrators to /users; unknown pages are Not Found', async ({
  page,
}) => {
  await page.goto('/tenants')
  await expect(page).toHaveURL(/\/login\?redirect=%2Ftenants/)
  await signIn(page, 'adam@northwind.example')
  await expect(page).toHaveURL(/\/users\/?$/)
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
})
