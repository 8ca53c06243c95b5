/** What every screen is held to: nothing for axe to find, one heading, a title, no sideways scrolling. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { settled } from './people.ts'

export async function expectClean(page: Page, screen: string): Promise<void> {
  await settled(page)
  // A button that waits for its answer is paler than it may be for longer.
  await expect(page.locator('[aria-busy]')).toHaveCount(0)
  // Without scripts nothing looks into a letter in its frame, and axe would wait for it for good.
  await page.evaluate(() => {
    for (const frame of document.querySelectorAll('iframe[sandbox]')) frame.remove()
  })
  // Where the page is scrolled to, the bars at its ends cover parts of what stands there.
  await page.evaluate(() => window.scrollTo(0, 0))
  const { violations } = await axe(page)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect.soft(namesOf(violations), screen).toEqual([])
  expect.soft(await page.locator('h1').count(), `${screen} has one heading`).toBe(1)
  expect.soft(await page.title(), `${screen} has a title`).not.toBe('')
}

/** As `expectClean`, and in the dark as well: there only colors differ. */
export async function expectCleanInBoth(page: Page, screen: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectClean(page, screen)
  await page.emulateMedia({ colorScheme: 'dark' })
  const { violations } = await axe(page).withRules(['color-contrast']).analyze()
  expect.soft(namesOf(violations), `${screen} in the dark`).toEqual([])
}

/** In one document: to look through frames, of which there are none, it would open an empty page each time. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode()

export async function expectNoWider(page: Page, screen: string, width: number): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(wide, `${screen} scrolls sideways`).toBeLessThanOrEqual(width)
}

const namesOf = (violations: Awaited<ReturnType<AxeBuilder['analyze']>>['violations']) =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)
