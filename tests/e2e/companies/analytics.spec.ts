import { expect } from '@playwright/test'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

test('an administrator opens "not answered" in a report, filters it, and returns to the report', async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, 'adam@northwind.example')
  await page.goto('/analytics')
  await settled(page)
  await page.getByRole('combobox', { name: /^Journey/ }).selectOption({ label: 'Leading your first team' })
  // With scripts, choosing an option submits the form.
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(/journey=\d+/)
  await settled(page)
  await expect(page.getByRole('link', { name: /^Journey: Leading your first team/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^\d+% answered within a day$/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Answers by days since their message/ })).toBeVisible()

  const missing = page.getByRole('link', { name: /^\d+ not answered$/ })
  const many = Number(/\d+/.exec((await missing.textContent()) ?? '')?.[0])
  await missing.click()
  await expect(page.getByRole('heading', { name: 'Who has not answered' })).toBeVisible()
  await expect(page.locator('.pager-range')).toHaveText(`1-${many} of ${many}`)
  await settled(page)

  await page.getByRole('link', { name: 'Lift', exact: true }).click()
  await page.waitForURL(/order=lift/)
  await settled(page)
  await page.getByText('More filters').click()
  await page.getByRole('combobox', { name: /^Lift/ }).selectOption({ label: 'The first one-to-one' })
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(/lift_id=\d+/)
  await settled(page)
  // The address changes a moment before the page is rendered.
  const rows = page.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count()).toBeLessThan(many + 1)
  await page.getByRole('link', { name: 'Remind them' }).click()
  await expect(page).toHaveURL(/\/lljs\/\d+\/lifts\/\d+\/remind/)
  await page.goBack()

  await settled(page)
  await page.getByRole('link', { name: /^Lift: The first one-to-one/ }).click()
  await expect(page.locator('.pager-range')).toHaveText(`1-${many} of ${many}`)
  await settled(page)
  await page.getByRole('link', { name: 'Back to the report' }).click()
  await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible()
})
