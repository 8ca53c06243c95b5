/** The dashboard shows each role its modules: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, onDay, openAuthoring } from '#tests/screens/journeys/authoring-world.ts'
import { asAdmin } from '#tests/support/postgres.ts'
import type { Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
let adam: Visitor
let aya: Visitor
let running = ''

beforeAll(async () => {
  const world = await openAuthoring()
  site = world.site
  adam = world.adam
  aya = await site.visitor('aya@northwind.example')
  const first = await world.draft('Aisle walk', [{ title: 'Look around', ...onDay(3) }])
  running = first.schedule
  await world.launch(running, ['Uri'])
  await world.draft('Only begun', [])
})
afterAll(() => site?.close())

/** The texts of a section's tiles. */
function tiles(page: string, section: string): string[] {
  const [, words = ''] = new RegExp(`aria-labelledby="${section}">(.*?)</section>`, 's').exec(page) ?? []
  return [...words.matchAll(/<a class="tile"[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, to, inside = '']) =>
      `${to} ${inside
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()}`,
  )
}

describe('The dashboard', () => {
  it('shows administrators at most five running journeys of the company, and drafts apart', async () => {
    const page = await html(adam, '/')
    const shown = tiles(page, 'under-way')
    expect(shown.length).toBeLessThanOrEqual(5)
    expect(shown.join('\n')).not.toContain('Draft')
    const all = await html(adam, '/lljs/manage?status=active&status=paused&status=scheduled')
    const listed = [...all.slice(all.indexOf('<main')).matchAll(/href="(\/lljs\/\d+\/schedule)"/g)].map(
      ([, to]) => to,
    )
    expect(listed).toContain(running)
    expect(shown).toHaveLength(Math.min(5, listed.length))
    for (const tile of shown) expect(listed).toContain(tile.split(' ')[0])
    expect(shown).toContainEqual(
      expect.stringMatching(`^${running} Aisle walk (Active|Scheduled) 1 lift, 1 learner$`),
    )
    expect(tiles(page, 'drafts').join('\n')).toContain('Only begun')
    expect(page).toMatch(/href="\/lljs\/manage\/new"[^>]*>Create New LLJ/)
  })

  it('links to exactly the people who have not answered', async () => {
    const page = await html(adam, '/')
    const links = [
      ...page.matchAll(
        /href="(\/analytics\/explain\?[^"]*)"[^>]*>(\d+)(?:<!-- -->)* of (?:<!-- -->)*\d+(?:<!-- -->)* have not answered/g,
      ),
    ]
    expect(links.length).toBeGreaterThan(0)
    for (const [, to = '', many] of links) {
      const behind = await html(adam, to.replaceAll('&amp;', '&'))
      expect(behind.replaceAll('<!-- -->', '')).toMatch(
        new RegExp(`Below: ${many} lifts? of ${many} learner`),
      )
    }
  })

  it('shows authors only their own journeys, drafts included', async () => {
    const page = await html(aya, '/')
    expect(tiles(page, 'under-way').length).toBeGreaterThan(0)
    expect(tiles(page, 'drafts').length).toBeGreaterThan(0)
    expect(tiles(page, 'drafts').every((tile) => tile.includes(' Draft '))).toBe(true)
    expect(page).not.toContain('Aisle walk')
    expect(page).not.toContain('Only begun')
    for (const tile of [...tiles(page, 'under-way'), ...tiles(page, 'drafts')])
      expect((await aya.visit(tile.split(' ')[0] ?? '')).status).toBe(200)
  })

  it('shows users what they learn, and no journeys of authors', async () => {
    const page = await html(await site.visitor('uri@northwind.example'), '/')
    expect(page).toMatch(/<h2 id="waiting"><a[^>]*href="\/todo"[^>]*>To do</)
    expect(tiles(page, 'journeys').length).toBeGreaterThan(0)
    expect(page).not.toContain('Running journeys')
    expect(page).not.toContain('/schedule"')
  })

  it('shows figures, a chart of four weeks with its table, and links that work', async () => {
    const page = await html(adam, '/')
    for (const words of ['Answered this week', 'Going out today', 'Behind', 'Failed'])
      expect([words, page.includes(words)]).toEqual([words, true])
    expect(page).toMatch(/<svg[^>]*class="chart-drawing"/)
    const rows = page.match(/<table class="chart-table">.*?<\/table>/s)?.[0].match(/<tr>/g)
    expect(rows).toHaveLength(5)
    const shown = page.slice(page.indexOf('<main'))
    for (const [, to = ''] of shown.matchAll(/href="(\/[^"]*)"/g)) {
      const path = to.replaceAll('&amp;', '&')
      expect([path, (await adam.visit(path)).status]).toEqual([path, 200])
    }
    const before = await (await adam.visit('/analytics/explain?figure=response')).text()
    expect(before).toContain('Answered')
  })

  it('shows an author who also learns both modules, the more urgent one first', async () => {
    const order = async () => {
      const page = await html(aya, '/')
      return ['id="waiting"', 'id="under-way"'].map((mark) => page.indexOf(mark))
    }
    await onStage(`insert into members (tenant_id, journey_id, user_id, role, state, source)
      select j.tenant_id, j.id, u.id, 'learner', 'active', 'manual' from users u
        join journeys j on j.tenant_id = u.tenant_id and j.name = 'Aisle walk'
      where u.email = 'aya@northwind.example' on conflict do nothing`)
    await onStage(`insert into occurrences (tenant_id, journey_id, lift_id, member_id, due_at, state, content_version, zone)
      select m.tenant_id, m.journey_id, l.id, m.id, now() - interval '5 days', 'sent', l.version, 'UTC' from members m
        join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        join lifts l on l.tenant_id = m.tenant_id and l.journey_id = m.journey_id and l.status = 'ready'
      where u.email = 'aya@northwind.example' and m.role = 'learner' and m.state = 'active' on conflict do nothing`)
    const [learning = -1, working = -1] = await order()
    expect(learning).toBeGreaterThan(0)
    expect(working).toBeGreaterThan(learning)
  })

  it('shows the first steps to a company that has just begun, but not to one with answers', async () => {
    expect(await html(adam, '/')).not.toContain('First steps')
    expect(await html(await site.visitor('tess@testing.example'), '/')).toContain('First steps')
  })

  it('counts neither visitors nor administrators as people added in the first steps', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    await sofia.submit('/tenants/add', {
      ...{ name: 'Just begun', customer_type: 'Single Tenant', status: 'active', timezone: 'Europe/Vienna' },
      ...{ 'admins[0].first_name': 'Ina', 'admins[0].email': 'ina@just-begun.example' },
    })
    const [, place = ''] =
      /value="([^"]*)"(?:(?!value=).)*Just begun/s.exec(await html(sofia, '/switch')) ?? []
    await sofia.submit('/switch', { place, reason: 'To help them begin' })
    const home = await html(sofia, '/')
    expect(home).toContain('Add the people of your company')
    expect(home).not.toMatch(/Done:(<[^>]*>|\s)*Add the people of your company/)
    // Administrators do not count either: every company begins with one.
    const person = (email: string, role: string) =>
      sofia.submit('/users/add', { first_name: 'One', email, 'user_general_roles[0].role': role })
    expect((await person('two@just-begun.example', 'admin')).status).toBe(302)
    expect(await html(sofia, '/')).not.toMatch(/Done:(<[^>]*>|\s)*Add the people of your company/)
    expect((await person('three@just-begun.example', 'user')).status).toBe(302)
    expect(await html(sofia, '/')).toMatch(/Done:(<[^>]*>|\s)*Add the people of your company/)
    await onStage("delete from users where email in ('two@just-begun.example', 'three@just-begun.example')")
    expect(await html(sofia, '/lljs/manage/new')).toMatch(/no categories yet\.(<[^>]*>|\s)*Add some/)
    await onStage("delete from users where email = 'ina@just-begun.example'")
    expect(await html(sofia, '/users')).toContain('Add the first person, or import a list of them.')
    expect(await html(sofia, '/users?q=Ina')).toContain('Nobody matches this search.')
  })

  it('says what comes next when no journey is running', async () => {
    await onStage("update journeys set status = 'completed' where status not in ('draft', 'archived')")
    const own = tiles(await html(aya, '/'), 'drafts')[0] ?? ''
    expect(await html(aya, '/')).toContain('No journey is running')
    expect(await html(adam, '/')).toMatch(/>Continue with /)
    expect(await html(adam, '/')).toContain('>Create New LLJ<')
    expect(await html(aya, '/')).toMatch(new RegExp(`href="${own.split(' ')[0]}"[^>]*>Continue with `))
    await onStage("update journeys set status = 'archived'")
    const idle = await html(aya, '/')
    expect(idle).toContain('You have no journeys yet')
    expect(idle).not.toContain('create=true')
    await onStage("update members set state = 'withdrawn'")
    // A commitment may still be open.
    const nothing = await html(await site.visitor('uri@northwind.example'), '/')
    expect(nothing).toContain('No lift is waiting')
    expect(nothing).not.toContain('Nothing to do')
  })
})

const onStage = (statement: string) => asAdmin(site.adminUrl, statement)
