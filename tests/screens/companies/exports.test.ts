/** Exports from analytics, and the printable report: without JavaScript. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html } from '#tests/screens/journeys/authoring-world.ts'
import { listedJourney } from '#tests/support/listed-journey.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
let adam: Visitor
let journey = ''
let lift = ''
let learner = ''
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  journey = listedJourney(await html(adam, '/lljs/manage?status=active'))
  lift = /lift=(\d+)/.exec(await html(adam, `/analytics?type=by_lift&journey=${journey}`))?.[1] ?? ''
  learner = /user=(\d+)/.exec(await html(adam, `/analytics?type=by_user&journey=${journey}`))?.[1] ?? ''
})
afterAll(() => site?.close())

/** The fields of a page's forms that create an export. */
function formsOf(page: string): Record<string, string>[] {
  const forms = page.split('<form').filter((form) => form.includes('action="/analytics/exports"'))
  return forms.map((form) => {
    const [own = ''] = form.split('</form>')
    const hidden = [...own.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const [, option] = /<option value="([a-z_]+)"/.exec(own) ?? []
    return {
      ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
      ...(option ? { table: option } : {}),
    }
  })
}

const latest = async (who = adam) => {
  for (let tries = 0; tries < 100; tries++) {
    const page = await html(who, '/analytics/exports')
    const [, path] = /href="(\/analytics\/exports\/[0-9a-f-]{36}\/file)"/.exec(page) ?? []
    if (!/>Waiting<|<progress/.test(page)) return { page, path }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The export is not made.')
}

it('Every view of analytics has a form that exports it as a file', async () => {
  const views: [string, string][] = [
    [`/analytics?journey=${journey}`, 'overview'],
    [`/analytics?type=by_user&journey=${journey}`, 'by_user'],
    [`/analytics?type=by_lift&journey=${journey}&from=2026-01-05`, 'by_lift'],
    [`/analytics?type=by_user&journey=${journey}&user=${learner}`, 'learner'],
    [`/analytics?type=by_lift&journey=${journey}&lift=${lift}`, 'questions'],
    [`/analytics/explain?figure=response&outcome=no&journey=${journey}`, 'explain'],
    ['/analytics/assessments', 'assessments'],
  ]
  for (const [path, table] of views) {
    const [form] = formsOf(await html(adam, path))
    expect([path, form?.table]).toEqual([path, table])
    const answer = await adam.submit('/analytics/exports', { ...form, format: 'csv' })
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, '/analytics/exports'])
    const made = await latest()
    expect([path, made.page.includes('Failed.')]).toEqual([path, false])
    const seen = made.page.replaceAll('<!-- -->', '')
    if (table === 'by_lift') expect(seen).toContain('Due from: <bdi>Jan 5, 2026</bdi>')
    expect(seen).toMatch(/as CSV, of <time[^>]*>[A-Z][a-z]{2} \d+, \d{4}, /)
    if (table !== 'assessments') continue
    const words = await (await adam.visit(made.path ?? '')).text()
    expect(words).toMatch(/,-?0\.\d{1,4},/)
    expect(words.match(/\d\.\d{5,}/g)).toBeNull()
  }
})

it('“Who has not answered” has as many rows in the file as on the screen', async () => {
  const path = `/analytics/explain?figure=response&outcome=no&journey=${journey}`
  const page = await html(adam, path)
  const [form] = formsOf(page)
  await adam.submit('/analytics/exports', { ...form, format: 'csv' })
  const { path: file = '', page: list } = await latest()
  expect(list).toContain('Who has not answered')
  const answer = await adam.visit(file)
  expect(answer.headers.get('content-disposition')).toContain('attachment; filename="explain-')
  const rows = parse(await answer.text(), { bom: true, columns: true }) as Record<string, string>[]
  expect(rows.length).toBe(Number(/pager-range">[\d,-]+ of ([\d,]+)</.exec(page)?.[1]))
  const aya = await site.visitor('aya@northwind.example')
  expect((await aya.visit(file)).status).toBe(404)
  expect(await html(aya, '/analytics/exports')).toContain('Nothing exported yet')
})

it('Statements need a chosen journey, and cannot be sent without a learning record store', async () => {
  const page = await html(adam, `/analytics/exports?journey=${journey}`)
  expect(page).toContain(`<option value="${journey}" selected`)
  expect(page).not.toContain('value="record_store"')
  await adam.submit('/analytics/exports', { intent: 'statements', to: 'file', journey })
  const { path = '' } = await latest()
  const statements = (await (await adam.visit(path)).json()) as { actor: object }[]
  expect(statements.length).toBeGreaterThan(10)
  expect(statements.every(({ actor }) => 'account' in actor)).toBe(true)
  const none = await adam.follow(
    await adam.submit('/analytics/exports', { intent: 'statements', to: 'file', journey: '' }),
  )
  expect(none.html).toContain('Please choose a journey')
  const away = await adam.follow(
    await adam.submit('/analytics/exports', { intent: 'statements', to: 'record_store', journey }),
  )
  expect(away.html).toContain('No learning record store is set up')
})

it('Unknown fields and intents of the export form are refused', async () => {
  const form = { intent: 'report', format: 'csv', table: 'by_lift', is_super_admin: 'true' }
  const answer = await adam.follow(await adam.submit('/analytics/exports', form))
  expect(answer.html).toContain('This form has no field “is_super_admin”.')
  expect((await adam.submit('/analytics/exports', { intent: 'everything' })).status).toBe(400)
})

it('The report of a journey has the figures of its overview', async () => {
  const overview = await html(adam, `/analytics?journey=${journey}`)
  const report = await html(adam, `/analytics/report?journey=${journey}`)
  for (const name of ['Sent', 'Delivered', 'Opened', 'Answered', 'Completed']) {
    const [, counts = ''] = new RegExp(`aria-label="${name}: ([\\d,]+ of [\\d,]+)"`).exec(overview) ?? []
    expect([name, report]).toEqual([name, expect.stringContaining(`<dd class="report-quiet">${counts}</dd>`)])
  }
  expect(report).toContain('id="trend"')
  expect(report).toContain('Lift by lift')
  expect((await adam.visit('/analytics/report?journey=999999')).status).toBe(404)
  for (const none of ['', '?journey=x'])
    expect((await adam.visit(`/analytics/report${none}`)).headers.get('location')).toBe('/analytics')
})
