/** The page with the figures of assessments, and with the times until answers. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html } from '#tests/screens/journeys/authoring-world.ts'
import { openSponsors } from '#tests/screens/journeys/sponsors-world.ts'

let world: Awaited<ReturnType<typeof openSponsors>>
beforeAll(async () => {
  world = await openSponsors({ counted: { kind: 'scale', visibility: 'admins', text: 'How sure are you?' } })
}, 120_000)
afterAll(() => world?.close())

it('The figures of assessments say when nothing is assessed yet, and how long the first answer took', async () => {
  const aya = await world.visitor('aya')
  const { id } = world.made
  const page = await html(aya, `/analytics/assessments?journey=${id}`)
  expect(page).toContain('No objective is assessed yet')
  expect(page).toMatch(/None of \d+ has been answered yet/)
  expect(page).toContain(`<option value="${id}" selected`)
  await world.answer(await world.visitor('uri'), { counted: '4' })
  expect(await html(aya, `/analytics/assessments?journey=${id}`)).toMatch(
    /The one answer came within \d+ minutes?\. Nobody is still to answer\./,
  )
})

it('An assessed objective has a row, which says when too few learners have both assessments', async () => {
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

it('Objectives are drawn before and after, with the change and its margin of error', async () => {
  const aya = await world.visitor('aya')
  const { id } = world.made
  await assess(id, { code: 'LO1', text: 'Ask first', before: [0, 0, 1, 1, 2], after: [2, 3, 3, 3, 4] })
  await assess(id, { code: 'LO2', text: 'Say less', before: [0, 1, 2, 3, 4], after: [1, 0, 2, 4, 3] })
  const page = await html(aya, `/analytics/assessments?journey=${id}`)
  // Before 0.2, after 0.75; each gained 0.5, 0.75, 0.5, 0.5, 0.5: 0.55, give or take t(4) * 0.1118 / sqrt(5) = 0.1388.
  expect(page).toMatch(
    /<h2 id="objectives" class="chart-title">1 of 2 objectives is rated higher after than before</,
  )
  expect(page).toContain('<title>LO1 Ask first: 20% before, 75% after</title>')
  expect(page).toContain('<title>LO2 Say less: 50% before, 50% after</title>')
  const [, table = ''] = page.split('>Objectives before and after, as learners see themselves</caption>')
  const rows = (table.split('</tbody>')[0] ?? '')
    .split('<tr>')
    .slice(2)
    .map((row) => row.match(/(?<=>)[^<]+(?=<)/g))
  expect(rows).toEqual([
    ['LO1 Ask first', '5', '20%', '75%', '+55 (+41 to +69)'],
    ['LO2 Say less', '5', '50%', '50%', '0 (−31 to +31)'],
  ])
  const places = [...page.matchAll(/class="chart-(before|after)" cx="([\d.]+)" cy="25"/g)]
  expect(places.map(([, when, x]) => [when, Math.round(Number(x))])).toEqual([
    ['before', 78],
    ['after', 265],
    ['before', 180],
    ['after', 180],
  ])
  const bands = [...page.matchAll(/class="chart-band" x1="([\d.]+)" x2="([\d.]+)" y1="25"/g)]
  expect(bands.map(([, low, high]) => [Number(low), Number(high)].map(Math.round))).toEqual([
    [218, 312],
    [74, 286],
  ])
})

type Assessed = { code: string; text: string; before: readonly number[]; after: readonly number[] }

/** Gives all learners both assessments, with answers in steps from 0 to 4. */
async function assess(journey: number, { code, text, before, after }: Assessed) {
  const { rows } = await sql<{ pre: number; post: number }>`
    with j as (select tenant_id, id from journeys where id = ${journey}),
      lo as (insert into learning_objectives (tenant_id, journey_id, code, text, position)
        select tenant_id, id, ${code}, ${text}, (select count(*) from learning_objectives) from j returning id),
      a as (insert into assessments (tenant_id, journey_id, name, phase, opens, is_stale)
        select tenant_id, id, ${code} || phase, phase, '{"kind": "offset", "from": "start", "days": 0, "time": null}', false
        from j, unnest(array['pre', 'post']) phase returning tenant_id, id, phase),
      i as (insert into assessment_items (tenant_id, assessment_id, position, text, kind, objective_id, anchors)
        select a.tenant_id, a.id, 1, 'How well?', 'scale', lo.id, '{a,b,c,d,e}' from a, lo returning assessment_id, id)
    select (select i.id from i join a on a.id = assessment_id and phase = 'pre') as pre,
      (select i.id from i join a on a.id = assessment_id and phase = 'post') as post`.execute(world.database)
  const items = rows[0] ?? { pre: 0, post: 0 }
  for (const [nth, step] of before.entries())
    await sql`
      with j as (select tenant_id, id from journeys where id = ${journey}),
        u as (insert into users (tenant_id, email, first_name, last_name, activation_status)
          select tenant_id, ${`${code}-${nth}@northwind.example`}, 'Learner', ${String(nth)}, 'active' from j returning id),
        m as (insert into members (tenant_id, journey_id, user_id, role, state)
          select j.tenant_id, j.id, u.id, 'learner', 'active' from j, u returning id)
      insert into assessment_forms (tenant_id, journey_id, assessment_id, subject_id, rater, rater_id, state, answers, submitted_at)
      select j.tenant_id, j.id, i.assessment_id, m.id, 'self', m.id, 'submitted',
        jsonb_build_object(i.id::text, case i.id when ${items.pre} then ${step + 1}::int else ${(after[nth] ?? 0) + 1}::int end),
        now() - interval '1 hour' + ${nth} * interval '1 minute'
      from j, m, assessment_items i where i.id in (${items.pre}, ${items.post})`.execute(world.database)
}

it('A learner cannot open the figures of assessments, and an unknown journey is a 404', async () => {
  const uri = await world.visitor('uri')
  expect((await uri.visit('/analytics/assessments')).status).not.toBe(200)
  const aya = await world.visitor('aya')
  expect((await aya.visit('/analytics/assessments?journey=999999')).status).toBe(404)
})
