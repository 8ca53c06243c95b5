import { expect } from '@playwright/test'
import { expectClean } from './clean.ts'
import { signIn } from './people.ts'
import { test } from './product.ts'

/** Who looks at which screens. */
const SCREENS: Record<string, readonly string[]> = {
  'sofia@liftwell.example': [
    '/tenants',
    '/tenants/add',
    '/tenants?deleted=true',
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
    '/subtenants?deleted=true',
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
    '/todo',
    '/learner',
    '/error',
    '/no-such-page',
  ],
  'sam@northwind.example': ['/', '/sponsors-journey'],
  'uri@northwind.example': ['/', '/todo', '/learner', '/settings/profile', '/settings/security'],
}

/** Of a journey that is under way, with its first lift. */
const OF_JOURNEY = [
  'schedule',
  'schedule/lifts/new',
  'lifts/LIFT',
  'lifts/LIFT/blocks/video',
  'lifts/LIFT/prompts/multiple_choice',
  'people',
  'people/add',
  'people/import',
  'details',
  'objectives',
  'schedule/preview?what_if=true&quiet_from=18:00',
  'schedule/pause',
  'lifts/LIFT/delete',
  'lifts/LIFT/send',
  'lifts/LIFT/test',
  'lifts/LIFT/remind',
]

test.describe('axe finds nothing', () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'axe is a script itself')
  // Dozens of screens each: what a slow machine needs says nothing about them.
  test.setTimeout(480_000)

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

  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 375],
  ] as const)
    test(`over the schedule, ${colorScheme}, ${width} wide`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await signIn(page, 'adam@northwind.example')
      await page.goto('/lljs/manage?status=active')
      const schedule = await page.locator('a[href$="/schedule"]').first().getAttribute('href')
      await page.goto(schedule ?? '')
      const lift = await page.locator('[data-lift]').first().getAttribute('data-lift')
      const screens = [
        ...OF_JOURNEY.map(
          (opened) => schedule?.replace('schedule', opened.replace('LIFT', lift ?? '')) ?? '',
        ),
        // As its author sees it, who does not take part.
        schedule?.replace('/schedule', '/learner') ?? '',
      ]
      for (const screen of screens) {
        await page.goto(screen)
        await expectClean(page, `${width} ${screen}`)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        expect.soft(wide, `${screen} scrolls sideways`).toBeLessThanOrEqual(width)
      }
    })

  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 375],
  ] as const)
    test(`over assessments, ${colorScheme}, ${width} wide`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await signIn(page, 'adam@northwind.example')
      await page.goto('/lljs/manage?status=completed')
      const schedule = await page.locator('a[href$="/schedule"]').first().getAttribute('href')
      const list = `${schedule?.replace('/schedule', '')}/assessments/`
      await page.goto(list)
      const learner = await page.locator('.data-table a[href*="/assessments/"]').first().getAttribute('href')
      const edit = await page.getByRole('link', { name: /^Edit/ }).first().getAttribute('href')
      await page.goto(learner ?? '')
      const reopen = await page
        .getByRole('link', { name: /^Open again/ })
        .first()
        .getAttribute('href')
      const screens = [
        list,
        `${list}?q=nobody`,
        `${list}?create=true`,
        edit ?? '',
        learner ?? '',
        reopen ?? '',
      ]
      for (const screen of [...screens, `${edit}&item=scale`, `${edit?.replace('edit=', 'remove=')}`]) {
        await page.goto(screen)
        await expectClean(page, `${width} ${screen}`)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        expect.soft(wide, `${screen} scrolls sideways`).toBeLessThanOrEqual(width)
      }
    })

  test('on a phone', async ({ page }) => {
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
