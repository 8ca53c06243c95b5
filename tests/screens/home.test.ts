/** The dashboard shows each the modules of their role: as people without JavaScript. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { html, onDay, openAuthoring } from './authoring-world.ts'

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

/** The words of a section's tiles. */
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
  it('shows administrators what is under way in the whole company, five at most', async () => {
    const page = await html(adam, '/')
    const shown = tiles(page, 'under-way')
    expect(shown.length).toBeLessThanOrEqual(5)
    expect(shown.join('\n')).not.toContain('Draft')
    const all = await html(adam, '/lljs/manage?status=active&status=paused&status=scheduled')
    const listed = [...all.matchAll(/href="(\/lljs\/\d+\/schedule)"/g)].map(([, to]) => to)
    expect(listed).toContain(running)
    expect(shown).toHaveLength(Math.min(5, listed.length))
    for (const tile of shown) expect(listed).toContain(tile.split(' ')[0])
    expect(shown).toContainEqual(
      expect.stringMatching(`^${running} Aisle walk (Active|Scheduled) 1 lift, 1 learner$`),
    )
    expect(page).not.toContain('Your drafts')
  })

  it('shows authors their own journeys, those they still write included, and nobody else’s', async () => {
    const page = await html(aya, '/')
    expect(tiles(page, 'under-way').length).toBeGreaterThan(0)
    expect(tiles(page, 'drafts').length).toBeGreaterThan(0)
    expect(tiles(page, 'drafts').every((tile) => tile.includes(' Draft '))).toBe(true)
    expect(page).not.toContain('Aisle walk')
    expect(page).not.toContain('Only begun')
    for (const tile of [...tiles(page, 'under-way'), ...tiles(page, 'drafts')])
      expect((await aya.visit(tile.split(' ')[0] ?? '')).status).toBe(200)
  })

  it('shows users what they learn, and nothing of what others write', async () => {
    const page = await html(await site.visitor('uri@northwind.example'), '/')
    expect(page).toContain('id="waiting"')
    expect(tiles(page, 'journeys').length).toBeGreaterThan(0)
    expect(page).not.toContain('Running journeys')
    expect(page).not.toContain('/schedule"')
  })

  it('says what comes next where nothing runs', async () => {
    await onStage("update journeys set status = 'completed' where status not in ('draft', 'archived')")
    const own = tiles(await html(aya, '/'), 'drafts')[0] ?? ''
    expect(await html(aya, '/')).toContain('No journeys running yet')
    expect(await html(aya, '/')).toMatch(new RegExp(`href="${own.split(' ')[0]}"[^>]*>Continue with `))
    expect(await html(adam, '/')).toMatch(/href="\/lljs\/manage\/new"[^>]*>Create new LLJ/)
    await onStage("update journeys set status = 'archived'")
    const idle = await html(aya, '/')
    expect(idle).toContain('You have no journeys yet')
    expect(idle).not.toContain('create=true')
  })
})

async function onStage(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: site.adminUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
