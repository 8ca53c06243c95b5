import { expectCleanOnBoth } from '../clean.ts'
import { signIn } from '../people.ts'
import { test } from '../product.ts'

/** Screens of a running journey and its first lift. */
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

test.describe('axe finds no violations', () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'axe is a script itself')
  test.setTimeout(480_000)

  test('on the pages of a running journey', async ({ page }) => {
    await signIn(page, 'adam@northwind.example')
    await page.goto('/lljs/manage?status=active')
    const schedule = await page.locator('main a[href$="/schedule"]').first().getAttribute('href')
    await page.goto(schedule ?? '')
    const lift = await page.locator('[data-lift]').first().getAttribute('data-lift')
    const screens = [
      ...OF_JOURNEY.map((opened) => schedule?.replace('schedule', opened.replace('LIFT', lift ?? '')) ?? ''),
      // As seen by its author, who does not take part.
      schedule?.replace('/schedule', '/learner') ?? '',
    ]
    for (const screen of screens) {
      await page.goto(screen)
      await expectCleanOnBoth(page, screen)
    }
  })

  test('on the pages of assessments', async ({ page }) => {
    await signIn(page, 'adam@northwind.example')
    await page.goto('/lljs/manage?status=completed')
    const schedule = await page.locator('main a[href$="/schedule"]').first().getAttribute('href')
    const list = `${schedule?.replace('/schedule', '')}/assessments/`
    await page.goto(list)
    const learner = await page.locator('.data-table a[href*="/assessments/"]').first().getAttribute('href')
    const edit = await page.getByRole('link', { name: /^Edit/ }).first().getAttribute('href')
    await page.goto(learner ?? '')
    const reopen = await page
      .getByRole('link', { name: /^Open again/ })
      .first()
      .getAttribute('href')
    const screens = [list, `${list}?q=nobody`, `${list}new`, edit ?? '', learner ?? '', reopen ?? '']
    for (const screen of [...screens, `${edit}/items/scale`, `${edit}/remove`]) {
      await page.goto(screen)
      await expectCleanOnBoth(page, screen)
    }
  })
})
