import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { readWorkbook } from '#app/domain/workbook/workbook.server.ts'
import { expectFits } from '../clean.ts'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const JOURNEY = 'Leading your first team'

async function openReport(page: Page, type: string): Promise<string> {
  await page.goto('/analytics')
  const journey = page.getByRole('combobox', { name: /^Journey/ })
  const id = await journey.locator('option', { hasText: JOURNEY }).getAttribute('value')
  await page.goto(`/analytics?type=${type}&journey=${id}`)
  await settled(page)
  return id ?? ''
}

type Row = Record<string, string>
const FIGURES = ['Sent', 'Opened', 'Answered', 'Completed'] as const

/** The rows of the table: the name, and the "9 of 14" of each figure. */
const shownIn = (page: Page): Promise<string[][]> =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector('a')?.textContent ?? '',
        ...[...row.querySelectorAll('td')].flatMap(
          (cell) => /([\d,]+ of [\d,]+)/.exec(cell.textContent ?? '')?.slice(1) ?? [],
        ),
      ]),
    )

const countsOf = (row: Row): string[] => [
  ...[
    row.Lift ?? '',
    `${row.Sent} of ${row.Due}`,
    `${row['Opened, of those delivered']} of ${row.Delivered}`,
  ],
  ...[`${row.Answered} of ${row['Asking something']}`, `${row.Completed} of ${row.Due}`],
]

async function download(page: Page, format: 'CSV' | 'Excel'): Promise<Row[]> {
  await page.getByRole('button', { name: new RegExp(`^${format} of By lift`) }).click()
  await expect(page.getByRole('heading', { name: 'Your exports' })).toBeVisible()
  const first = page.getByRole('table').getByRole('row').nth(1)
  // The page refreshes itself, with or without scripts.
  const link = first.getByRole('link', { name: /Download/ })
  await expect(link).toBeVisible({ timeout: 30_000 })
  await settled(page)
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  const bytes = readFileSync(await file.path())
  const options = { bom: true, columns: true, relax_column_count: true } as const
  if (format === 'CSV') return parse(bytes.toString('utf8'), options) as Row[]
  const read = await readWorkbook(new Uint8Array(bytes), { rows: 1000, characters: 1_000_000 })
  if ('problem' in read) throw new Error(read.problem)
  return parse(read.text, options) as Row[]
}

for (const format of ['CSV', 'Excel'] as const)
  test(`the ${format} file of a report has the figures that the report shows`, async ({ page }) => {
    await signIn(page, 'adam@northwind.example')
    await openReport(page, 'by_lift')
    const shown = await shownIn(page)
    expect(shown.length).toBeGreaterThan(2)
    const rows = await download(page, format)
    expect(rows.map(countsOf)).toEqual(shown)
    for (const figure of FIGURES) expect(Object.keys(rows[0] ?? {})).toContain(`${figure}, share`)
  })

test('the printed report of a journey fits on one sheet, without the frame of the site', async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, 'adam@northwind.example')
  await openReport(page, 'overview')
  await page.getByRole('link', { name: 'Report to print' }).click()
  await expect(page.getByRole('heading', { level: 1, name: JOURNEY })).toBeVisible()
  await settled(page)
  await expect(page.getByText(/^\d+ learners got \d+ lifts/)).toBeVisible()
  const figures = page.locator('.board-figures .report-tile')
  await expect(figures).toHaveCount(5)
  // As printed: without the frame of the site, and no wider than the paper.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('link', { name: 'Back to analytics' })).toBeHidden()
  await expect(page.getByRole('navigation').first()).toBeHidden()
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format, preferCSSPageSize: false })).toString('latin1')
    expect([format, javaScriptEnabled, pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length]).toEqual([
      format,
      javaScriptEnabled,
      1,
    ])
  }
})

test('printed tables keep their layout, without check boxes, buttons or the tabs of a journey', async ({
  page,
}) => {
  await signIn(page, 'adam@northwind.example')
  await page.emulateMedia({ media: 'print' })
  // The width that A4 leaves between its margins.
  await page.setViewportSize({ width: 703, height: 1000 })
  for (const path of ['/lljs/1/assessments', '/analytics', '/analytics/assessments', '/users']) {
    await page.goto(path)
    await settled(page)
    const [first, second] = await page.locator('.data-table tbody tr').first().locator('th, td').all()
    expect((await first?.boundingBox())?.y).toBe((await second?.boundingBox())?.y)
    await expectFits(page, path, 703)
  }
  // Check boxes and buttons are not printed.
  await expect(page.locator('.radix-themes').getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Deactivate' })).toHaveCount(0)
  await page.goto('/lljs/1/assessments')
  await expect(page.getByRole('navigation', { name: 'Journey' })).toBeHidden()
  // Nobody can press anything on a timeline of paper.
  await page.goto('/lljs/1/schedule')
  await expect(page.getByText(/^\d+ of \d+ sent/).first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Send now/ })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Learners' })).toHaveCount(0)
})

test('the page keeps looking for a running export, through slow answers and a lost connection', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'the browser itself loads the page again then')
  await signIn(page, 'adam@northwind.example')
  await openReport(page, 'by_lift')
  let asked = 0
  await page.route('**/analytics/exports.data*', async (route) => {
    if (route.request().method() === 'POST') return route.continue()
    asked += 1
    const isFirst = asked === 1
    if (!isFirst) await new Promise((later) => setTimeout(later, 2500))
    const answer = await route.fetch()
    const body = await answer.text()
    const seen = isFirst ? body.replace('"finished"', '"running"') : body
    await route.fulfill({ response: answer, body: seen }).catch(() => {})
  })
  await page.getByRole('button', { name: /^CSV of By lift/ }).click()
  await expect(page.getByRole('heading', { name: 'Your exports' })).toBeVisible()
  await page.context().setOffline(true)
  await page.waitForTimeout(4000)
  await expect(page.getByRole('heading', { name: 'Your exports' })).toBeVisible()
  await page.context().setOffline(false)
  const first = page.getByRole('table').getByRole('row').nth(1)
  await expect(first.getByRole('link', { name: /Download/ })).toBeVisible({ timeout: 12_000 })
})
