/** Paging through the schedule of a long journey: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asAdmin, withAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { beside } from './authoring-world.ts'

let site: Site
let adam: Visitor
let schedule = ''
let lifts: number[] = []
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  const made = await adam.submit('/lljs/manage/new', {
    name: 'A long one',
    category: 'Safety',
  })
  schedule = made.headers.get('location') ?? ''
  const { rows } = await withAdmin(site.adminUrl, (admin) =>
    admin.query(
      `insert into lifts (tenant_id, journey_id, position, title, status)
       select tenant_id, id, n, 'Lift ' || n || '.', 'ready' from journeys, generate_series(1, 41) n
       where id = $1 order by n returning id::int`,
      [schedule.match(/\d+/)?.[0]],
    ),
  )
  lifts = rows.map((row) => row.id)
})
afterAll(() => site?.close())

const html = async (path: string) => (await (await adam.visit(path)).text()).replaceAll('<!-- -->', '')
const shown = async (path: string) =>
  [...(await html(path)).matchAll(/Test page<span[^>]*> of Lift (\d+)\./g)].map(([, n]) => Number(n))
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe('A long timeline', () => {
  it('shows 20 lifts on a page, with links to the other pages', async () => {
    expect(await shown(schedule)).toEqual(numbers(1, 20))
    expect(await shown(`${schedule}?page=3`)).toEqual([41])
    const page = await html(schedule)
    expect(page).toContain(`href="${schedule}?page=3"`)
    expect(page).toContain('1-20 of 41')
    expect(await html(`${schedule}?page=9`)).toContain('aria-label="Pages"')
    expect(await shown(`${schedule}?page=9`)).toEqual([])
  })

  it('shows a retired lift without a form', async () => {
    const setStatus = (status: string) =>
      withAdmin(site.adminUrl, (admin) =>
        admin.query('update lifts set status = $2 where id = $1', [lifts[40], status]),
      )
    await setStatus('retired')
    const page = await html(beside(schedule, `lifts/${lifts[40]}`))
    await setStatus('ready')
    expect(page).toContain('Retired lift “Lift 41.”')
    expect(page).not.toContain('Save lift')
    expect(await html(beside(schedule, `lifts/${lifts[40]}`))).toContain('Save lift')
  })

  it('moves a lift from one page to the next, and stays on the current one', async () => {
    const answer = await adam.submit(`${schedule}?page=1`, { down: String(lifts[19]) })
    expect(answer.headers.get('location')).toBe(schedule)
    expect(await shown(schedule)).toEqual([...numbers(1, 19), 21])
    const back = await adam.submit(`${schedule}?page=2`, { up: String(lifts[19]) })
    expect(back.headers.get('location')).toBe(`${schedule}?page=2`)
    expect(await shown(`${schedule}?page=2`)).toEqual(numbers(21, 40))
    // The first lift cannot move up, nor the last one down.
    await adam.submit(schedule, { up: String(lifts[0]) })
    await adam.submit(schedule, { down: '0' })
    expect(await shown(schedule)).toEqual(numbers(1, 20))
  })

  it('opens a lift of any page, offers all others to wait for, and leads back to its page', async () => {
    const path = beside(schedule, `lifts/${lifts[40]}?page=3`)
    expect(await html(`${schedule}?page=3`)).toContain(`href="${path}"`)
    const editor = await html(path)
    expect(editor).toContain('Edit lift “Lift 41.”')
    expect(editor.match(/<option value="\d+"[^>]*>Lift \d+\./g)).toHaveLength(40)
    expect(editor).toContain(`href="${schedule}?page=3"`)
    const saved = await adam.submit(path, {
      title: 'The end.',
      sms_text: '{{link}}',
      when: 'launch',
      lock_version: editor.match(/name="lock_version"[^>]*value="(\d+)"/)?.[1] ?? '',
    })
    expect(saved.headers.get('location')).toBe(`${schedule}?page=3`)
    expect(await html(beside(schedule, `lifts/${lifts[40]}/delete`))).toContain('Delete The end.?')
  })

  it('leads back from the question before a deletion to where it was asked', async () => {
    for (const from of [schedule, beside(schedule, `lifts/${lifts[40]}`)]) {
      const page = await html(`${from}?page=3`)
      const card = from === schedule ? `#lift-${lifts[40]}` : ''
      const [, ask = ''] = new RegExp(`href="([^"]*/${lifts[40]}/delete[^"]*)"`).exec(page) ?? []
      expect(await html(ask.replaceAll('&amp;', '&'))).toMatch(
        new RegExp(`class="dialog-actions"><a [^>]*href="${from}\\?page=3${card}">Cancel<`),
      )
    }
    expect((await adam.visit(beside(schedule, 'lifts/999999'))).status).toBe(404)
  })
})

describe('A journey that is still being planned', () => {
  it('says how many people have their plan, and refreshes itself without scripts', async () => {
    const { rows } = await withAdmin(site.adminUrl, (admin) =>
      admin.query(
        `insert into journey_plans (tenant_id, journey_id, kind, past, lift_ids, last_member, moment, people, done)
         select tenant_id, id, 'launch', 'skip', '{}', 0, now(), 12000, 3400 from journeys where status = 'active'
         order by id limit 1 returning journey_id::int`,
      ),
    )
    const page = `/lljs/${rows[0].journey_id}/schedule`
    expect(await html(page)).toContain('3,400 of 12,000 people have their plan.')
    expect(await html(page)).toMatch(/<noscript><meta http-equiv="refresh" content="5"/i)
    await asAdmin(site.adminUrl, 'delete from journey_plans')
    expect(await html(page)).not.toContain('have their plan')
  })
})
