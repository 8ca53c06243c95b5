/** What assessments say, and how long answers take, as a page. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html } from './authoring-world.ts'
import { openSponsors } from './sponsors-world.ts'

let world: Awaited<ReturnType<typeof openSponsors>>
beforeAll(async () => {
  world = await openSponsors({ counted: { kind: 'scale', visibility: 'admins', text: 'How sure are you?' } })
}, 120_000)
afterAll(() => world?.close())

it('Before any assessment it says so, and after an answer how long that took', async () => {
  const aya = await world.visitor('aya')
  const { id } = world.made
  const page = await html(aya, `/analytics/assessments?journey=${id}`)
  expect(page).toContain('No objective is assessed yet')
  expect(page).toMatch(/None of \d+ has been answered yet/)
  expect(page).toContain(`<option value="${id}" selected`)
  await world.answer(await world.visitor('uri'), { counted: '4' })
  expect(await html(aya, `/analytics/assessments?journey=${id}`)).toMatch(
    /The one answer came within \d+ minutes?\. Counting those who have not answered/,
  )
})

it('An objective of an assessment is a row, which says that it is of too few', async () => {
  const aya = await world.visitor('aya')
  const { id } = world.made
  await sql`
    with j as (select tenant_id, id from journeys where id = ${id}),
      lo as (insert into learning_objectives (tenant_id, journey_id, code, text, position)
        select tenant_id, id, 'LO9', 'Listen to others', 9 from j returning id),
      a as (insert into assessments (tenant_id, journey_id, name, phase, opens)
        select tenant_id, id, 'Before', 'pre', '{"kind": "offset", "from": "start", "days": 0, "time": null}' from j
        returning tenant_id, id)
    insert into assessment_items (tenant_id, assessment_id, position, text, kind, objective_id, anchors)
    select a.tenant_id, a.id, 1, 'How well?', 'scale', lo.id, '{a,b,c}' from a, lo`.execute(world.database)
  const page = await html(aya, '/analytics/assessments')
  expect(page).toContain('Listen to others')
  expect(page).toMatch(/Too few to say: 0 of \d+ learners? ha(s|ve) both/)
})

it('Whoever sees no analytics is sent away, and a journey that is not there is not found', async () => {
  const uri = await world.visitor('uri')
  expect((await uri.visit('/analytics/assessments')).status).not.toBe(200)
  const aya = await world.visitor('aya')
  expect((await aya.visit('/analytics/assessments?journey=999999')).status).toBe(404)
})
