/** The requirements of every screen: no axe violations, one heading, a title, no sideways scrolling. */
import { expect, type Page } from '@playwright/test'
import { findViolations } from './every-page/axe.ts'
import { settled } from './people.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export async function expectClean(page: Page, screen: string): Promise<void> {
  // Content that is fading in has less contrast for a moment.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await settled(page)
  // A button that waits for an answer is allowed to have less contrast.
  await expect(page.locator('[aria-busy]')).toHaveCount(0)
  // Sandboxed frames run no scripts, so axe would wait for them forever.
  await page.evaluate(() => {
    for (const frame of document.querySelectorAll('iframe[sandbox]')) frame.remove()
  })
  // On a scrolled page the fixed bars cover content.
  await page.evaluate(() => window.scrollTo(0, 0))
  expect.soft(await findViolations(page, { runOnly: RULES }), screen).toEqual([])
  expect.soft(await page.locator('h1').count(), `${screen} has one heading`).toBe(1)
  expect
    .soft(await page.evaluate(() => document.compatMode), `${screen} in standards mode`)
    .toBe('CSS1Compat')
  expect.soft(await page.title(), `${screen} has a title`).not.toBe('')
}

/** Like `expectClean`, also in dark mode, where only colors differ. */
export async function expectCleanInBoth(page: Page, screen: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectClean(page, screen)
  await expectDark(page, screen, ['color-contrast'])
}

/**
 * Rules whose results can differ on a phone. What only phones show is the same on all pages; `axe.spec.ts` checks it.
 */
const OF_A_PHONE = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable']

/** Like `expectClean`, and not wider than the window, also on a phone in dark mode. */
export async function expectCleanOnBoth(page: Page, screen: string): Promise<void> {
  const before = page.viewportSize()
  await page.emulateMedia({ colorScheme: 'light' })
  await expectClean(page, screen)
  await expectNoWider(page, screen, before?.width ?? 0)
  await page.setViewportSize(PHONE)
  await expectDark(page, `${screen} on a phone`, OF_A_PHONE)
  await expectNoWider(page, `${screen} on a phone`, PHONE.width)
  if (before) await page.setViewportSize(before)
}

const PHONE = { width: 375, height: 800 }

async function expectDark(page: Page, screen: string, rules: string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await findViolations(page, { runOnly: rules }), `${screen} in the dark`).toEqual([])
}

export async function expectNoWider(page: Page, screen: string, width: number): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(wide, `${screen} scrolls sideways`).toBeLessThanOrEqual(width)
}

/** At these widths neither the page nor a table in it scrolls sideways. */
export async function expectFits(page: Page, screen: string, ...widths: number[]): Promise<void> {
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoWider(page, `${screen} at ${width}`, width)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.data-table-scroll, .chart-scroll')]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
        .map(({ scrollWidth, clientWidth }) => `${scrollWidth} in ${clientWidth}`),
    )
    expect.soft(cut, `${screen} at ${width} cuts a table off`).toEqual([])
  }
  if (before) await page.setViewportSize(before)
}

/** On a phone these buttons, from top to bottom, are large enough and far enough apart for a finger. */
export async function expectFingersFit(page: Page, buttons: string[]): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  let free = 0
  for (const name of buttons) {
    const box = await page.getByRole('button', { name }).boundingBox()
    expect.soft(box?.height, name).toBeGreaterThanOrEqual(44)
    expect.soft(box?.y, name).toBeGreaterThanOrEqual(free)
    free = (box?.y ?? 0) + 44
  }
  if (before) await page.setViewportSize(before)
}
