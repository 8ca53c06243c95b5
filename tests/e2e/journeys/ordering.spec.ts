import { expect, type Page } from '@playwright/test'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

/** Authors order lifts and blocks, and watch the length of a message. */
let schedule = ''
test.beforeEach(async ({ page }, info) => {
  await signIn(page, 'tess@testing.example')
  await page.goto('/lljs/manage/new')
  await settled(page)
  await page.getByLabel('Name', { exact: false }).last().fill(`In order ${info.project.name} ${Date.now()}`)
  await page.getByLabel('Category').last().selectOption('Try-outs')
  await page.getByRole('button', { name: 'Create journey' }).click()
  await page.waitForURL(/\/lljs\/\d+\/schedule/)
  schedule = new URL(page.url()).pathname
  for (const title of ['One', 'Two', 'Three']) {
    await page.goto(`${schedule}/lifts/new`)
    await settled(page)
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Text', { exact: true }).fill('Some text')
    await page.getByRole('button', { name: 'Save lift' }).click()
    await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
  }
  await page.goto(schedule)
  await settled(page)
})

const expectOrder = (page: Page, titles: readonly string[]) =>
  expect(page.locator('.timeline-title a')).toHaveText([...titles])

test('an author moves lifts with the Up and Down buttons', async ({ page, javaScriptEnabled }) => {
  await expect(page.getByRole('button', { name: 'Up One' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Down Three' })).toBeDisabled()
  await page.getByRole('button', { name: 'Down One' }).click()
  await expectOrder(page, ['Two', 'One', 'Three'])
  if (javaScriptEnabled) await expect(page.getByRole('button', { name: 'Down One' })).toBeFocused()
  await page.getByRole('button', { name: 'Up Three' }).click()
  await expectOrder(page, ['Two', 'Three', 'One'])
  await settled(page)
  await page.getByRole('button', { name: 'Up Three' }).click()
  await expectOrder(page, ['Three', 'Two', 'One'])
  // The first lift cannot move up further, so the focus goes to the handle that still moves it.
  if (javaScriptEnabled)
    await expect(page.getByRole('button', { name: 'Move Three with the arrow keys' })).toBeFocused()
})

test('a search announces the number of results while a person types', async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'Without it the page that comes is read out.')
  await signIn(page, 'adam@northwind.example')
  await page.goto('/users')
  await settled(page)
  const heard = page.locator('.filter-bar').getByRole('status')
  await expect(heard).toHaveText('')
  await page.getByRole('searchbox').fill('adam')
  await expect(heard).toHaveText(/^1(-\d+)? of \d+$/)
  await page.getByRole('searchbox').fill('nobody is called so')
  await expect(heard).toHaveText('No results')
})

test('the focus stays on "Next" when it has led to the last page of a list', async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, 'adam@northwind.example')
  await page.goto('/users')
  await settled(page)
  const next = page.getByRole('link', { name: 'Next', exact: true })
  for (let press = 0; press < 20 && !(await next.getAttribute('aria-disabled')); press += 1) {
    await next.click()
    await expect(page.getByRole('link', { name: `Page ${press + 2}` })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await settled(page)
  }
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  if (javaScriptEnabled) await expect(next).toBeFocused()
})

test('an author drags lifts with the mouse, and a lift dropped outside the list stays in its place', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'dragging is a script; the buttons are there without it')
  const grip = (title: string) => page.getByRole('button', { name: `Move ${title} with the arrow keys` })
  const card = (title: string) => page.locator('[data-lift]').filter({ hasText: title })
  await grip('Three').dragTo(card('One'))
  await expectOrder(page, ['Three', 'One', 'Two'])
  await settled(page)
  await grip('Three').dragTo(card('Two'))
  await expectOrder(page, ['One', 'Two', 'Three'])
  await settled(page)
  await grip('One').dragTo(page.getByRole('heading', { level: 1 }))
  await expect(page.locator('[data-over]')).toHaveCount(0)
  await page.reload()
  await expectOrder(page, ['One', 'Two', 'Three'])
})

test('an author moves a lift with the arrow keys, and the focus stays on it', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'keys are a script; the buttons are there without it')
  const grip = page.getByRole('button', { name: 'Move One with the arrow keys' })
  await grip.focus()
  await page.keyboard.press('ArrowUp')
  await expectOrder(page, ['One', 'Two', 'Three'])
  await page.keyboard.press('ArrowDown')
  await expectOrder(page, ['Two', 'One', 'Three'])
  await expect(grip).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expectOrder(page, ['Two', 'Three', 'One'])
  await expect(grip).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.reload()
  await expectOrder(page, ['Two', 'Three', 'One'])
})

test('the lift editor says how many texts a message takes', async ({ page, javaScriptEnabled }) => {
  await page.getByRole('link', { name: 'One', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Edit lift “One”' })).toBeVisible()
  await settled(page)
  const message = page.getByLabel('Message', { exact: true })
  for (const [text, told] of MESSAGES) {
    await message.fill(text)
    if (!javaScriptEnabled) {
      await page.getByRole('button', { name: 'Save lift' }).click()
      await page.getByRole('link', { name: 'One', exact: true }).click()
    }
    await expect(page.getByText(/About \d+ texts?/), JSON.stringify(text)).toContainText(told)
  }
})

/** The lengths include the link, which is always sent. One character outside GSM-7 makes the whole text UCS-2. */
const MESSAGES = [
  ['Hi {{link}}', /About 1 text \(\d+ characters left; max\. 3\)/],
  ['Hi 👩🏽‍🚀 {{link}}', /About 1 text \(\d+ characters left; max\. 3; emoji/],
  // A letter and a combining accent, two characters.
  ['Cafe\u0301 {{link}}', /About 1 text \(\d+ characters left; max\. 3; emoji/],
  [`${'👩🏽‍🚀'.repeat(12)} {{link}}`, /About 2 texts \(\d+ characters left; max\. 3; emoji/],
  ['Hi again {{link}}', /About 1 text \(\d+ characters left; max\. 3\)/],
] as const

test('an author reorders and removes the blocks of a lift’s page', async ({ page, javaScriptEnabled }) => {
  await page.getByRole('link', { name: 'Two', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Edit lift “Two”' })).toBeVisible()
  await settled(page)
  for (const text of ['Second block', 'Third block']) {
    await page.getByRole('button', { name: 'Callout', exact: true }).click()
    await settled(page)
    await page.getByLabel(/^Text/).fill(text)
    await page.getByRole('button', { name: 'Save callout' }).click()
    await expect(page.getByRole('button', { name: text, exact: true })).toBeVisible()
    await settled(page)
  }
  const blocks = page.getByRole('listitem').locator('button[name="open"][value^="blocks/"]')
  await expect(blocks).toHaveText(['Some text', 'Second block', 'Third block'])
  await expect(page.getByRole('button', { name: 'Up Some text' })).toBeDisabled()
  await page.getByRole('button', { name: 'Up Third block' }).click()
  await expect(blocks).toHaveText(['Some text', 'Third block', 'Second block'])
  await settled(page)
  await page.getByRole('button', { name: 'Down Some text' }).click()
  await expect(blocks).toHaveText(['Third block', 'Some text', 'Second block'])
  await settled(page)
  await page.getByRole('button', { name: 'Up Second block' }).click()
  await expect(blocks).toHaveText(['Third block', 'Second block', 'Some text'])
  await settled(page)
  await page.getByRole('button', { name: 'Up Second block' }).click()
  await expect(blocks).toHaveText(['Second block', 'Third block', 'Some text'])
  await settled(page)
  // The first block cannot move up, and the focus is not lost.
  const up = page.getByRole('button', { name: 'Up Second block' })
  await expect(up).toBeDisabled()
  if (javaScriptEnabled) await expect(up).toBeFocused()
  await page.getByRole('button', { name: 'Remove Some text' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await settled(page)
  await page.getByRole('button', { name: 'Yes, remove' }).click()
  await expect(blocks).toHaveText(['Second block', 'Third block'])
  await settled(page)
  // Enter saves the lift, rather than opening its first block.
  await page.getByLabel('Title').press('Enter')
  await page.waitForURL(`**${schedule}`)
  // The two other lifts and the order of all three are unchanged.
  await expectOrder(page, ['One', 'Two', 'Three'])
})
