import { expect, type Page } from '@playwright/test'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const bell = (page: Page) => page.locator('.popover')
const count = async (page: Page) =>
  Number((await bell(page).locator('.unread-count').allTextContents())[0] ?? 0)

async function open(page: Page): Promise<void> {
  await settled(page)
  await bell(page).locator('summary').click()
  await expect(bell(page).getByText('Notifications').first()).toBeVisible()
}

/** Each story has its own person, since a deleted notification stays deleted. */
const PEOPLE = {
  'with-javascript': 'uri@northwind.example',
  'without-javascript': 'tess@testing.example',
} as const

test('the bell counts unread notifications, deletes one, and marks the others as read', async ({
  page,
  javaScriptEnabled,
}, { project }) => {
  await signIn(page, PEOPLE[project.name as keyof typeof PEOPLE])
  await page.goto('/todo')
  await settled(page)
  const unread = await count(page)
  expect(unread).toBeGreaterThan(0)

  await open(page)
  const items = bell(page).locator('.notification')
  const before = await items.count()
  await expect(items.first().locator('time')).toHaveText(
    /^(Today|Yesterday), \d{1,2}:\d\d [AP]M$|^[A-Z][a-z]{2} \d+, \d{4}$/,
  )
  await expect(items.first().getByRole('link'), 'the blue of browsers').not.toHaveCSS(
    'color',
    'rgb(0, 0, 238)',
  )
  const title = await items.first().locator('.notification-title').textContent()
  const deleted = javaScriptEnabled && page.waitForResponse('**/notifications/change')
  await items
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click()
  if (!javaScriptEnabled) await open(page)
  await expect(items).toHaveCount(before - 1)
  if (javaScriptEnabled)
    await expect(items.first().getByRole('button', { name: /^Delete “.*”, ./ })).toBeFocused()
  // The page removes the row before the server answers; the next wait must not catch this answer.
  await deleted
  expect(title).not.toBe('')

  if (javaScriptEnabled) {
    // Closing the bell marks all as read.
    const saved = page.waitForResponse('**/notifications/change')
    await page.keyboard.press('Escape')
    await saved
    await expect(bell(page).locator('.unread-count')).toHaveCount(0)
  } else await bell(page).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page).toHaveURL(/\/todo$/)
  await page.goto('/learner')
  await expect(bell(page).locator('.unread-count')).toHaveCount(0)
})

test('what somebody typed stays when the bell reads the page again after another save', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'Without scripts, a page is not read again.')
  await signIn(page, 'sam@northwind.example')
  await page.goto('/settings/profile')
  const other = await page.context().newPage()
  await other.goto('/settings/profile')
  await settled(other)
  await other.getByLabel('Department').fill('Theirs')
  await other.getByRole('button', { name: 'Save profile' }).click()
  await expect(other.getByText('Profile saved').first()).toBeVisible()
  await other.close()

  await settled(page)
  await page.getByLabel('Job title').fill('Mine')
  await open(page)
  // Closing the bell marks all as read, and the page reads its data again.
  const again = page.waitForResponse(/\/settings\/profile\.data/)
  await page.keyboard.press('Escape')
  await again
  await expect(page.getByLabel('Job title')).toHaveValue('Mine')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Someone else saved this').first()).toBeVisible()
  await expect(page.getByLabel('Job title')).toHaveValue('Mine')
})

test('a notification that could not be deleted reappears, and an alert says so', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'without JavaScript a page says so')
  await signIn(page, 'uri@northwind.example')
  await page.goto('/notifications')
  await settled(page)
  const items = page.locator('main .notification')
  const before = await items.count()
  await page.route('**/notifications/change', (route) => route.abort())
  await items
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(page.getByRole('alert').filter({ hasText: 'could not be deleted' })).toBeVisible()
  await expect(items).toHaveCount(before)
})

test('the bell and the page show ten notifications first, and more after "View More"', async ({ page }) => {
  await signIn(page, 'adam@northwind.example')
  await page.goto('/todo')
  await open(page)
  await expect(bell(page).locator('.notification')).toHaveCount(10)
  await bell(page).getByRole('link', { name: 'View More' }).click()
  await expect(page.locator('.notification:visible')).not.toHaveCount(10)
  await page.goto('/notifications')
  await settled(page)
  const items = page.locator('main .notification')
  await expect(items).toHaveCount(10)
  await page.locator('main').getByRole('link', { name: 'View More' }).click()
  await expect(items).not.toHaveCount(10)
  await expect.poll(() => items.count()).toBeGreaterThanOrEqual(12)
})

test('the bell says that more could not be loaded, and "View More" works once the connection is back', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'without JavaScript "View More" is a page')
  await signIn(page, 'adam@northwind.example')
  await page.goto('/todo')
  await open(page)
  await page.context().setOffline(true)
  await bell(page).getByRole('link', { name: 'View More' }).click()
  await expect(bell(page).getByRole('alert').filter({ hasText: 'More could not be loaded' })).toBeVisible()
  await expect(bell(page).locator('.notification')).toHaveCount(10)
  await page.context().setOffline(false)
  await bell(page).getByRole('link', { name: 'View More' }).click()
  await expect(bell(page).locator('.notification')).not.toHaveCount(10)
  await expect(bell(page).getByText('More could not be loaded')).toHaveCount(0)
})

test('the bell shows a new notification on the next page, after "View More" was used', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'without JavaScript "View More" is a page')
  await signIn(page, 'adam@northwind.example')
  await page.goto('/todo')
  await open(page)
  await bell(page).getByRole('link', { name: 'View More' }).click()
  await expect(bell(page).locator('.notification')).not.toHaveCount(10)
  const saved = page.waitForResponse('**/notifications/change')
  await page.keyboard.press('Escape')
  await saved

  const other = await page.context().newPage()
  await other.goto('/analytics')
  await other.getByRole('button', { name: /^CSV of the table/ }).click()
  const made = other.getByRole('table').getByRole('row').nth(1)
  await expect(made.getByRole('link', { name: /Download/ })).toBeVisible({ timeout: 30_000 })

  await page.getByRole('link', { name: 'Manage LLJs' }).click()
  await expect(page).toHaveTitle(/^Manage LLJs/)
  await open(page)
  await expect(bell(page).locator('.notification[data-unread]').filter({ hasText: 'ready' })).toHaveCount(1)
})

test('the page of notifications says so when the last one is deleted', async ({ page }) => {
  await signIn(page, 'grace@harbor.example')
  await page.goto('/notifications')
  await settled(page)
  const items = page.locator('main .notification')
  for (let left = await items.count(); left > 0; left--) {
    await items
      .first()
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(items).toHaveCount(left - 1)
  }
  await expect(page.locator('main').getByText('No notifications to show')).toBeVisible()
})
