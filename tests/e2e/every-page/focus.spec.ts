/** By keyboard: the focus is never lost, and never hidden. */
import { expect, type Locator, type Page } from '@playwright/test'
import { importJourney, launchForUri } from '../journeys/launch-journey.ts'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const ADAM = 'adam@northwind.example'
const JOURNEY = `---
liftwell: 1
name: By keyboard
category: Safety
---

# Lift: Where the focus goes

~~~settings
sms_text: "{{link}}"
schedule:
  kind: manual
  at_launch: true
status: ready
~~~

Look up.

~~~question
kind: single_choice
text: Up or down?
options:
  - id: a
    text: Up
    correct: true
  - id: b
    text: Down
    correct: false
scoring: auto
~~~
`

test.describe('the focus', () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'without scripts the browser itself moves it')

  test('returns to the button that asked about selected people', async ({ page }) => {
    await signIn(page, ADAM)
    await page.goto('/users?q=fischer')
    await settled(page)
    const [first, second] = [
      page.getByRole('checkbox', { name: /^Select / }).nth(0),
      page.getByRole('checkbox', { name: /^Select / }).nth(1),
    ]
    await first.check()
    await press(page, page.getByRole('button', { name: 'Deactivate' }))
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await settled(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Deactivate' })).toBeFocused()
    await expect(first).toBeChecked()
    await expect(second).not.toBeChecked()
  })

  test('returns to the lift when its deletion is canceled, and Back does not ask again after a deletion', async ({
    page,
  }) => {
    await signIn(page, ADAM)
    await importJourney(page, JOURNEY)
    const schedule = page.url()
    const ask = page.getByRole('link', { name: 'Delete Where the focus goes' })
    await press(page, ask)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await settled(page)
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/schedule#lift-\d+$/)
    await expect(page.getByRole('listitem').filter({ has: ask })).toBeFocused()
    await ask.click()
    await page.getByRole('button', { name: 'Yes, delete' }).click()
    await expect(page.locator('.toast')).toBeVisible()
    await page.goBack()
    await settled(page)
    expect(new URL(page.url()).pathname).toBe(new URL(schedule).pathname)
  })

  test('goes to a new row, and to "Add a role" when the row is removed', async ({ page }) => {
    await signIn(page, ADAM)
    await page.goto('/users/add')
    await settled(page)
    await press(page, page.getByRole('button', { name: 'Add a role' }))
    await expect(page.getByRole('group', { name: 'Role 2' }).getByLabel('Role *')).toBeFocused()
    await press(page, page.getByRole('button', { name: 'Remove role 2' }))
    await expect(page.getByRole('button', { name: 'Add a role' })).toBeFocused()
  })

  test('stays at the commitment that a sponsor acknowledged', async ({ page }) => {
    await signIn(page, 'sam@northwind.example')
    await page.goto('/sponsors-journey/2?learner=14')
    await settled(page)
    await press(page, page.getByRole('button', { name: /^Acknowledge/ }))
    await expect(page.getByText('Acknowledged', { exact: false }).first()).toBeVisible()
    const near = page.locator(':focus')
    await expect(near).toHaveCount(1)
    await expect(near).toContainText('Acknowledged')
  })

  test('goes to the feedback after a learner’s answer', async ({ page }) => {
    await signIn(page, ADAM)
    await launchForUri(page, await importJourney(page, JOURNEY))
    await page.context().clearCookies()
    await signIn(page, 'uri@northwind.example')
    await page.goto('/learner')
    await page.getByRole('link', { name: /^Where the focus goes/ }).click()
    await settled(page)
    await page.getByRole('radio').first().check()
    await press(page, page.getByRole('button', { name: 'Answer' }))
    const answered = page.getByRole('region', { name: 'Up or down?' })
    await expect(answered).toContainText('Right.')
    await expect(answered).toBeFocused()
  })
})

test('no fixed bar covers the focused element', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 450 })
  await signIn(page, ADAM)
  for (const path of ['/users/add', '/lljs/2/details', '/settings/profile']) {
    await page.goto(path)
    await settled(page)
    const bar = page.locator('.form-actions').first()
    for (let steps = 0; steps < 50; steps++) {
      await page.keyboard.press('Tab')
      const hidden = await bar.evaluate((bar) => {
        const focused = document.activeElement
        if (!focused || focused === document.body) return 'the end'
        if (bar.contains(focused)) return ''
        const { top, height } = focused.getBoundingClientRect()
        const clear = Math.min(top + height, top + 40)
        const at = bar.getBoundingClientRect().top
        return clear > at + 1 && top < at + bar.clientHeight
          ? `${focused.textContent || focused.id} at ${top}, bar at ${at}`
          : ''
      })
      if (hidden === 'the end') break
      expect.soft(hidden, path).toBe('')
    }
  }
})

test('no scrolling box cuts off the outline of the focused element', async ({ page }) => {
  await signIn(page, ADAM)
  await page.goto('/settings/profile')
  await settled(page)
  for (const focused of [page.locator('.side .brand'), page.locator('.tab').first()]) {
    await focused.focus()
    const cut = await focused.evaluate((element) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(element)
      const beyond = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
      const { left, top } = element.getBoundingClientRect()
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflowY === 'visible') continue
        const edge = box.getBoundingClientRect()
        if (left - beyond < edge.left || top - beyond < edge.top) return box.className
      }
      return null
    })
    expect.soft(cut).toBeNull()
  }
})

async function press(page: Page, control: Locator): Promise<void> {
  await control.focus()
  await page.keyboard.press('Enter')
  await settled(page)
}
