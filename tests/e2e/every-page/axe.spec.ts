import { expect } from '@playwright/test'
import { expectClean, expectCleanInBoth, expectFits } from '../clean.ts'
import { signIn } from '../people.ts'
import { test } from '../product.ts'

/** The screens that each person opens. */
const SCREENS: Record<string, readonly string[]> = {
  'sofia@liftwell.example': [
    '/tenants',
    '/tenants/add',
    '/tenants/deleted',
    '/tenants/audit',
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
    '/users/groups',
    '/users/edit/4',
    '/users/edit/4?ask=delete',
    '/subtenants',
    '/subtenants/add',
    '/subtenants/deleted',
    '/settings/company',
    '/settings/messages',
    '/settings/messages?kind=lift&look=dark',
    '/settings/profile',
    '/lljs/manage',
    '/lljs/manage/new',
    '/lljs/manage/import',
    '/analytics',
    '/analytics/assessments',
    '/analytics/exports?journey=1',
    '/analytics/report?journey=1',
    '/analytics?type=by_user',
    '/analytics?type=by_lift',
    '/analytics?journey=1',
    '/analytics?journey=1&from=2030-01-01',
    '/analytics?type=by_lift&journey=1&lift=1',
    '/analytics?type=by_user&journey=1&user=4',
    '/analytics/explain?figure=response&outcome=no&journey=1',
    '/messages/unconfirmed',
    '/notifications',
    '/settings/audit',
    '/settings/contact',
    '/settings/privacy',
    '/settings/sessions',
    '/todo',
    '/learner',
    '/error',
    '/no-such-page',
    '/api/v1/docs',
    `/api/v1/docs/try?call=${encodeURIComponent('POST /users')}`,
  ],
  'sam@northwind.example': ['/', '/sponsors-journey'],
  'uri@northwind.example': ['/', '/todo', '/learner', '/settings/profile', '/settings/security'],
}

test.describe('the screens', () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'axe is a script itself')
  // Dozens of screens each: a slow machine needs this long.
  test.setTimeout(480_000)

  test('have no axe violations before sign-in', async ({ page }) => {
    for (const screen of ['/login', '/login?redirect=/users', '/lift/1', '/nothing-here']) {
      await page.goto(screen)
      await expectCleanInBoth(page, screen)
    }
  })

  for (const [email, screens] of Object.entries(SCREENS))
    test(`have no axe violations for ${email}, and do not scroll sideways`, async ({ page }) => {
      await signIn(page, email)
      for (const screen of screens) {
        await page.goto(screen)
        await expectCleanInBoth(page, `${email} ${screen}`)
        // As narrow as a window that is zoomed to 400%.
        const narrowest = screen === '/analytics/assessments' ? [320] : []
        await expectFits(page, screen, ...narrowest, 390, 1000)
      }
    })

  test('keep the line of the selected tab and the edges of buttons in forced colors', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await signIn(page, 'adam@northwind.example')
    await page.goto('/analytics')
    const lineOf = (name: string) =>
      page.getByRole('link', { name, exact: true }).evaluate((tab) => getComputedStyle(tab).borderBottomColor)
    expect(await lineOf('Overview'), 'the chosen tab has a line').not.toBe(await lineOf('By lift'))
    await page.goto('/settings/profile')
    const button = page.getByRole('button', { name: 'Save profile' })
    await expect(button, 'a button has an edge').toHaveCSS('border-top-width', '1px')
  })

  test('have no axe violations on a phone, and do not scroll sideways', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 740 })
    await signIn(page, 'adam@northwind.example')
    for (const screen of [
      '/',
      '/users',
      '/lljs/manage',
      '/analytics',
      '/analytics?journey=1',
      '/analytics/explain?figure=response&outcome=no&journey=1',
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
