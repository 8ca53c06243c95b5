/** A page that was open during an upgrade: its other scripts are gone. */
import { expect, type Page } from '@playwright/test'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'a page without scripts is loaded whole')

/** Until the next document, as it would be with the page of an older build. */
async function upgrade(page: Page): Promise<void> {
  let isOld = true
  await page.route('**/assets/*.js', (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()))
  page.on('framenavigated', () => (isOld = false))
  await page.evaluate(() => {
    window.__remixManifest.version = 'older'
  })
}

test('a form saved after an upgrade leads to the next screen, which says so', async ({ page }) => {
  await signIn(page, 'adam@northwind.example')
  await page.goto('/users/edit/4')
  await settled(page)
  await upgrade(page)
  await page.getByRole('button', { name: 'Save user' }).click()
  await expect(page.getByText('User saved').first()).toBeVisible()
  await expect(page).toHaveURL(/\/users$/)
})

test('a mistake in a form after an upgrade loses nothing that was typed', async ({ page }) => {
  await signIn(page, 'adam@northwind.example')
  await page.goto('/users/add')
  await settled(page)
  await upgrade(page)
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Neu')
  await page.getByLabel('Work e-mail').fill('uri@northwind.example')
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByText('already', { exact: false }).first()).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Nora')
})
