/** Reminders that a person sends, and the sponsor's own page: without JavaScript. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, plain, valueIn } from './authoring-world.ts'
import { openSponsors } from './sponsors-world.ts'

let world: Awaited<ReturnType<typeof openSponsors>>
beforeAll(async () => {
  world = await openSponsors({
    told: { kind: 'short_text', visibility: 'sponsor', scoring: 'sponsor', text: 'What do you need?' },
  })
  const { id } = world.made
  await sql`update occurrences set state = 'sent', due_at = now() - interval '9 days' where journey_id = ${id}`.execute(
    world.database,
  )
  await sql`update lift_tallies set accepted = 1, waiting = 1 where journey_id = ${id}`.execute(
    world.database,
  )
}, 120_000)
afterAll(() => world?.close())

it('a reminder asks first, is sent once, and is linked from the schedule, analytics and dashboard', async () => {
  const adam = await world.visitor('adam')
  const { id, lift } = world.made
  const path = `/lljs/${id}/lifts/${lift}/remind`
  for (const from of ['/', `/lljs/${id}/schedule`, `/analytics?type=by_lift&journey=${id}&lift=${lift}`])
    expect([from, (await html(adam, from)).includes(`href="${path}"`)]).toEqual([from, true])
  const page = await html(adam, path)
  expect(page).toMatch(/1 person has not answered\./)
  expect(page).toMatch(/gets the reminder now|gets it in the morning/)
  const sent = { __key__: valueIn(page, '__key__') }
  const once = await adam.submit(path, sent)
  expect(once.headers.get('location')).toBe(`/lljs/${id}/schedule`)
  expect(plain((await adam.follow(once)).html)).toMatch(/1 goes out (now|later)\./)
  const again = plain((await adam.follow(await adam.submit(path, sent))).html)
  expect(again).toContain('1 person is reminded')
  expect(again).toContain('You pressed twice. It was done once.')
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from dispatches d
    join occurrences o on o.id = d.occurrence_id where o.lift_id = ${lift} and d.kind = 'reminder'`.execute(
    world.database,
  )
  expect(rows[0]?.n).toBe(1)
  const after = await html(adam, path)
  expect(after).toContain('you reminded them of this lift today')
  expect(after).not.toContain('Remind 1 person')
  expect((await (await world.visitor('uri')).visit(path)).status).toBe(404)
  expect((await adam.visit(`/lljs/${id}/lifts/999999/remind`)).status).toBe(404)
})

it('a sponsor sees learners who need attention on two pages, and can turn off the mail about them', async () => {
  const [sam, uri] = [await world.visitor('sam'), await world.visitor('uri')]
  const learner = `/sponsors-journey/${world.made.id}?learner=${world.idOf('uri')}`
  for (const path of ['/', '/sponsors-journey']) {
    const page = await html(sam, path)
    expect([path, page.includes('Who needs attention')]).toEqual([path, true])
    expect(page).toMatch(/<a class="nav-link"[^>]*href="\/sponsors-journey"/)
  }
  const list = await html(sam, '/sponsors-journey')
  for (const words of [
    `href="${learner.replaceAll('&', '&amp;')}"`,
    '1 lift overdue, nothing heard for a week',
  ])
    expect([words, list.includes(words)]).toEqual([words, true])
  expect(await html(uri, '/')).not.toContain('href="/sponsors-journey"')
  expect(await html(uri, '/sponsors-journey')).toContain('No learners yet')
  expect(await html(sam, `/sponsors-journey/${world.made.id}`)).toContain('Encouragement')
  expect(await html(sam, '/settings/privacy')).toMatch(/name="brief"[^>]*checked/)
  await sam.submit('/settings/privacy', { intent: 'notifications', launch: 'on', success: 'on', info: 'on' })
  expect(await html(sam, '/settings/privacy')).not.toMatch(/name="brief"[^>]*checked/)
  // Of no interest to others, and kept as it is.
  expect(await html(uri, '/settings/privacy')).toContain('<input type="hidden" name="brief" value="on"/>')
})

it('the editor refuses a sponsor’s score for answers that sponsors cannot read', async () => {
  const aya = await world.visitor('aya')
  const path = `/lljs/${world.made.id}/lifts/${world.made.lift}/prompts/short_text`
  const page = await html(aya, path)
  for (const words of ['By the sponsor', 'By the author'])
    expect([words, page.includes(words)]).toEqual([words, true])
  const sent = {
    kind: 'short_text',
    text: 'How?',
    visibility: 'learner_only',
    scoring: 'sponsor',
    max_score: '5',
  }
  const refused = await aya.submit(path, sent)
  const said = await refused.text()
  expect([refused.status, said.includes('Sponsors score only answers that they can read')]).toEqual([
    400,
    true,
  ])
})
