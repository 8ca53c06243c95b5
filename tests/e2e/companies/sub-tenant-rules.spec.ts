import { expect, type Page } from '@playwright/test'
import { expectCleanOnBoth } from '../clean.ts'
import { signInAnew } from '../people.ts'
import { test } from '../product.ts'

const HERE = '/settings/company'

async function enter(page: Page, name: string): Promise<void> {
  await signInAnew(page, 'eva@northwind.example')
  await page.goto('/subtenants')
  await page.getByRole('row', { name }).getByRole('button').click()
  await expect(page.getByText(`Leave ${name}`).first()).toBeAttached()
  await page.goto(HERE)
}

const hours = (page: Page) => page.getByRole('group', { name: 'Quiet hours' })
const from = (page: Page) => page.getByLabel('From', { exact: true })
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Company settings saved')).toBeVisible()
}

test('a sub-tenant sets its own quiet hours, and returns to those of the company', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, 'Northwind Americas')
  await expect(hours(page).getByLabel('The same as the company (8:00 PM to 9:00 AM)')).toBeChecked()
  await expect(from(page)).toBeHidden()
  await hours(page).getByLabel('Own hours').check()
  await from(page).fill('18:30')
  await save(page)
  await page.goto(HERE)
  await expect(hours(page).getByLabel('Own hours')).toBeChecked()
  await expect(from(page)).toHaveValue('18:30')
  await hours(page)
    .getByLabel(/^The same as the company/)
    .check()
  await expect(from(page)).toBeHidden()
  await save(page)
  await page.goto(HERE)
  await expect(hours(page).getByLabel(/^The same as the company/)).toBeChecked()
})

test('axe finds no violations in the settings of a sub-tenant', async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'axe is a script itself')
  await enter(page, 'Northwind Europe')
  await expectCleanOnBoth(page, HERE)
  await hours(page).getByLabel('Own hours').check()
  await from(page).fill('23:00')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Please choose a time from 12:00 PM to 9:00 PM').last()).toBeVisible()
  await expectCleanOnBoth(page, `${HERE}, refused`)
})
