/** Several open assessments of one learner are listed with their ends, to the minute. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { html, onDay, openAuthoring, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import { BY_DAY } from '#tests/support/by-day.ts'
import { withAdmin } from '#tests/support/postgres.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let uri: Visitor
let list = ''
beforeAll(async () => {
  world = await openAuthoring()
  uri = await world.site.visitor('uri@northwind.example')
  await withAdmin(world.site.adminUrl, (admin) => admin.query('update users set timezone = $1', [BY_DAY]))
  const { schedule, id } = await world.draft('Assessed', [
    { title: 'One', ...onDay(9), closes_after_hours: '3' },
  ])
  await world.launch(schedule, ['Cohen'])
  list = `/lljs/${id}/assessments/`
  for (const [name, closes_date] of Object.entries({
    First: '2031-07-01',
    Second: '2032-07-01',
    Third: '',
  })) {
    const made = await world.adam.submit(`${list}new`, {
      ...{ name, phase: 'pre', raters: 'self', opens_when: 'date', opens_date: '2020-01-01' },
      ...(closes_date
        ? { closes_when: 'date', closes_date, closes_time: '09:00' }
        : { closes_when: 'never' }),
    })
    const items = `${made.headers.get('location')}/items/text`
    const lock_version = valueIn(await html(world.adam, items), 'lock_version')
    await world.adam.submit(items, { kind: 'text', lock_version, weight: '0', text: `${name}?` })
  }
  await vi.waitFor(async () => expect(await html(uri, list)).toMatch(/First:[\s\S]*Second:[\s\S]*Third:/), {
    timeout: 60_000,
    interval: 250,
  })
}, 180_000)
afterAll(() => world?.site.close())

const said = (page: string) => page.replace(/<[^>]+>/g, '').replaceAll('\u202f', ' ')
const END = 'Jul 1, 2031, 9:00\u00a0AM'

it('every page says to the minute when an assessment closes', async () => {
  for (const place of ['/', '/todo', '/learner', list])
    expect(said(await html(uri, place))).toContain(`open until ${END}`)
  const own = (await uri.follow(await uri.visit(`${list}me`))).html
  expect(said(own)).toContain(`Open until ${END}.`)
  expect(said(own)).toContain(`Open, closes ${END}`)
  const learner = list.replace('assessments/', 'learner')
  expect(said(await html(uri, learner))).toMatch(/closes \w+ \d+, \d+, 3:00\u00a0PM/)
})

it('the page of an assessment names the other open ones, and leads to each', async () => {
  const own = (await uri.follow(await uri.visit(`${list}me`))).html
  expect(said(own)).toContain('Also waiting: Second, Third')
  const others = own.slice(own.indexOf('Also waiting'))
  for (const name of ['Second', 'Third']) {
    const [, to = ''] = new RegExp(`<a[^>]*href="([^"]*)"[^>]*>${name}</a>`).exec(others) ?? []
    expect((await html(uri, to)).replace(/<script.*?<\/script>/gs, '')).toContain(`${name}?`)
  }
})
