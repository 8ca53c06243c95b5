import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { settled, signIn } from './people.ts'

/** Who looks at which screens. */
const SCREENS: Record<string, readonly string[]> = {
  'sofia@liftwell.example': [
    '/tenants',
    '/tenants/add',
    '/settings/profile',
    '/logout',
    '/tenants?q=nobody',
    '/switch',
  ],
  'adam@northwind.example': [
    '/',
    '/users',
    '/users?ask=deactivate&user_ids=3&user_ids=4',
    '/users/add',
    '/users/import',
    '/users/edit/4',
    '/users/edit/4?ask=delete',
    '/subtenants',
    '/subtenants/add',
    '/settings/company',
    '/settings/profile',
    '/lljs/manage',
    '/lljs/manage?create=true',
    '/lljs/manage?import=true',
    '/analytics',
    '/analytics?type=by_user',
    '/analytics?type=by_lift',
    '/notifications',
    '/settings/audit',
    '/settings/contact',
    '/settings/privacy',
    '/todo',
    '/learner',
    '/error',
    '/no-such-page',
  ],
  'uri@northwind.example': ['/', '/todo', '/learner', '/settings/profile', '/settings/security'],
}

async function expectClean(page: Page, screen: string): Promise<void> {
  await settled(page)
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)
  expect.soft(found, screen).toEqual([])
  expect.soft(await page.locator('h1').count(), `${screen} has one heading`).toBe(1)
  expect.soft(await page.title(), `${screen} has a title`).not.toBe('')
}

test.describe('axe finds nothing', () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'axe is a script itself')

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`before signing in, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      for (const screen of ['/login', '/login?redirect=/users', '/lift/1', '/nothing-here']) {
        await page.goto(screen)
        await expectClean(page, screen)
      }
    })

    for (const [email, screens] of Object.entries(SCREENS)) {
      test(`as ${email}, ${colorScheme}`, async ({ page }) => {
        await page.emulateMedia({ colorScheme })
        await signIn(page, email)
        for (const screen of screens) {
          await page.goto(screen)
          await expectClean(page, `${email} ${screen}`)
        }
      })
    }
  }

  test('on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 740 })
    await signIn(page, 'adam@northwind.example')
    for (const screen of [
      '/',
      '/users',
      '/lljs/manage',
      '/analytics',
      '/settings/company',
      '/users/edit/4',
      '/users/import',
      '/settings/contact',
      '/settings/profile',
    ]) {
      await page.goto(screen)
      await expectClean(page, `phone ${screen}`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(width, `${screen} scrolls sideways`).toBeLessThanOrEqual(375)
    }
  })
})
