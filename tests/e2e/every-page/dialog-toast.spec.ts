import { expect, type Page } from '@playwright/test'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { borderTopColor, borderTopWidth } = getComputedStyle(element)
    const probe = document.createElement('div')
    element.append(probe)
    const named = (name: string) => {
      probe.style.color = `var(${name})`
      return getComputedStyle(probe).color
    }
    const colors = ['--green-9', '--red-9', '--amber-9', '--iris-9']
    const found = colors.find((name) => named(name) === borderTopColor)
    probe.remove()
    return [found, borderTopWidth]
  })

/** Saves something, which shows a toast. */
async function save(page: Page): Promise<void> {
  await page.goto('/settings/privacy')
  await settled(page)
  await page.getByRole('button', { name: 'Save notifications' }).click()
  await expect(page.locator('.toast')).toBeVisible()
}

test('a question has the color of its kind, takes the focus, and closes with Escape or Cancel', async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, 'adam@northwind.example')
  await page.goto('/users?q=uri')
  await settled(page)
  await page.getByRole('link', { name: /^Uri/ }).first().click()
  await settled(page)
  for (const [asks, top] of [
    ['Deactivate account', '--amber-9'],
    ['Erase for good', '--red-9'],
  ] as const) {
    await page.getByRole('link', { name: asks }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toBeVisible()
    await settled(page)
    expect(await topOf(page, '.dialog')).toEqual([top, '4px'])
    // Beside the title, however long the words are.
    expect((await dialog.locator('.icon').first().boundingBox())?.height).toBe(24)
    if (javaScriptEnabled) {
      await expect(dialog).toHaveJSProperty('open', true)
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
      await page.keyboard.press('Escape')
    } else await dialog.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page).not.toHaveURL(/ask=/)
  }
})

test('the question before logging out leads back to the page where it was asked', async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, 'adam@northwind.example')
  const where = /\/users\?order=name%3Adesc&role=user$/
  await page.goto('/users?order=name%3Adesc&role=user')
  for (const leave of javaScriptEnabled ? ['Escape', 'Cancel'] : ['Cancel']) {
    await settled(page)
    await page.getByRole('link', { name: 'Log out' }).filter({ visible: true }).first().click()
    const dialog = page.getByRole('alertdialog', { name: 'Are you sure you want to log out?' })
    await expect(dialog).toBeVisible()
    await settled(page)
    const behind = page.getByRole('link', { name: 'User Management' }).filter({ visible: true }).first()
    await behind.focus()
    await expect(behind).not.toBeFocused()
    const cancel = dialog.getByRole('link', { name: 'Cancel' })
    await cancel.focus()
    await expect(cancel).toBeFocused()
    if (leave === 'Escape') await page.keyboard.press('Escape')
    else await dialog.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(where)
  }
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
})

test('a toast can be dismissed', async ({ page }) => {
  await signIn(page, 'adam@northwind.example')
  await save(page)
  expect(await topOf(page, '.toast')).toEqual(['--green-9', '4px'])
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await page.getByRole('link', { name: 'Dismiss' }).click()
  await expect(page.locator('.toast')).toHaveCount(0)
  await expect(page).toHaveURL(/\/settings\/privacy$/)
})

test('a toast covers neither the title, the top bar, nor the main buttons', async ({ page }) => {
  await signIn(page, 'adam@northwind.example')
  for (const width of [390, 800, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await save(page)
    const toast = await page.locator('.toast').boundingBox()
    const covered = await page.locator('h1, .top-bar a, .page-actions a, main .rt-variant-solid').evaluateAll(
      (buttons, toast) =>
        buttons.flatMap((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect()
          const isBeside = right < toast.x || left > toast.x + toast.width
          const isApart = bottom < toast.y || top > toast.y + toast.height
          return !button.checkVisibility() || isBeside || isApart ? [] : [button.textContent]
        }),
      toast ?? { x: 0, y: 0, width: 0, height: 0 },
    )
    expect.soft(covered, `covered at ${width}`).toEqual([])
  }
})

test('a toast closes after five seconds or with a swipe, and stays while F8 holds it', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'without JavaScript it stays until the next page')
  await signIn(page, 'adam@northwind.example')
  const toast = page.locator('.toast')
  await save(page)
  await page.mouse.move(5, 700)
  await page.waitForTimeout(3_500)
  await expect(toast).toBeVisible()
  await expect(toast).toHaveCount(0, { timeout: 3_000 })

  await save(page)
  await page.getByRole('button', { name: 'Save notifications' }).focus()
  await page.keyboard.press('F8')
  await expect(toast).toBeFocused()
  await page.waitForTimeout(5_500)
  await expect(toast).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(toast).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save notifications' })).toBeFocused()

  await save(page)
  const swipe = async (by: number) => {
    const box = await toast.boundingBox()
    if (!box) throw new Error('There is no toast.')
    const [x, y] = [box.x + 80, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y - by / 2)
    await page.mouse.move(x, y - by)
    await page.mouse.up()
  }
  await swipe(30)
  await expect(toast).toBeVisible()
  await swipe(60)
  await expect(toast).toHaveCount(0)

  // On a phone there is room above the toast, and only a swipe that leaves the window closes it.
  await page.setViewportSize({ width: 390, height: 844 })
  await save(page)
  const box = await toast.boundingBox()
  expect((box?.y ?? 0) >= 50).toBe(true)
  await swipe((box?.y ?? 0) + (box?.height ?? 0))
  await expect(toast).toHaveCount(0)
})

test('the browser asks before an unsaved change of a running journey is left', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'without JavaScript the browser leaves at once')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.dismiss()
  })
  await signIn(page, 'adam@northwind.example')
  // Of the demo: other stories' journeys may have nobody whom the change reaches.
  await page.goto('/lljs/2/schedule')
  await page.locator('.timeline-title a').last().click()
  await expect(page.getByRole('heading', { name: /^Edit lift/ })).toBeVisible()
  await settled(page)
  await page.getByLabel('Message', { exact: true }).fill('Not saved yet: {{link}}')
  await page.getByRole('button', { name: 'Save lift' }).click()
  await expect(page.getByRole('button', { name: 'Yes, save' })).toBeVisible()
  await settled(page)
  await page.getByRole('link', { name: 'User Management' }).first().click()
  await expect.poll(() => asked).toEqual(['confirm'])
  await expect(page.getByRole('button', { name: 'Yes, save' })).toBeVisible()
})

test('the browser asks before a changed form is left, and a form sent offline keeps its text', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'without JavaScript the browser leaves at once')
  const asked: string[] = []
  let isLeaving = false
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return isLeaving ? dialog.accept() : dialog.dismiss()
  })
  await signIn(page, 'adam@northwind.example')
  await page.goto('/settings/profile')
  await settled(page)
  const people = page.getByRole('link', { name: 'User Management' }).first()
  await page.getByLabel('Job title').fill(`Planner ${Date.now()}`)
  await people.click()
  await expect.poll(() => asked).toEqual(['confirm'])
  await expect(page).toHaveURL(/\/settings\/profile/)
  isLeaving = true
  await page.reload()
  await settled(page)
  expect(asked).toEqual(['confirm', 'beforeunload'])

  // After saving, the page can be left without a question.
  await page.getByLabel('Job title').fill(`Planner ${Date.now()}`)
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.locator('.toast')).toBeVisible()
  await people.click()
  await expect(page).toHaveURL(/\/users/)
  expect(asked).toHaveLength(2)

  await page.goto('/settings/profile')
  await settled(page)
  await page.getByLabel('Job title').fill('Somebody else')
  await people.click()
  await expect(page).toHaveURL(/\/users/)
  expect(asked).toEqual(['confirm', 'beforeunload', 'confirm'])
  // Without a connection nothing is sent, and the page stays as it is.
  await page.goto('/settings/profile')
  await settled(page)
  await page.getByLabel('Job title').fill('Typed on a train')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect.poll(() => asked.at(-1)).toBe('alert')
  await page.context().setOffline(false)
  await expect(page.getByLabel('Job title')).toHaveValue('Typed on a train')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.locator('.toast')).toBeVisible()
})
