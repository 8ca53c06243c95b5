/** Every table that the API exports opens in a spreadsheet as text: no cell of it is calculated. */
import { parse } from 'csv-parse/sync'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callsWithTable } from '#tests/api/isolation/matrix-router.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { FORMULAS, formulaOf } from '#tests/attacks/hostile-text.ts'

let world: JourneysWorld
let admin: pg.Client
let imported: string
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await fill()
})
afterAll(() => world?.drop())

/** Writes people and audit events whose texts begin like formulas; directly, because a form would trim some. */
async function fill(): Promise<void> {
  for (const [nth, lead] of FORMULAS.entries()) {
    const text = formulaOf(lead)
    await admin.query(
      `insert into users (tenant_id, email, first_name, last_name, job_title) values ($1, $2, $3, $3, $3)`,
      [world.acme, `${nth}@formula.example`, text],
    )
    await admin.query(
      `insert into audit_events (tenant_id, actor_email, action, subject_type, subject_id, changes)
       values ($1, $2, $2, $2, $2, $3)`,
      [world.acme, text, JSON.stringify({ [text]: text })],
    )
  }
  const quoted = FORMULAS.map((lead) => `"${formulaOf(lead).replaceAll('"', '""')}"`)
  const rows = quoted.map((cell) => `${cell},${cell},${cell}`)
  const body = new FormData()
  body.set('file', new File([['email,first_name,last_name', ...rows].join('\n')], 'formulas.csv'))
  const headers = { authorization: 'Bearer adam', 'x-tenant-id': world.acme }
  const request = new Request('http://api.test/api/v1/users/import', { method: 'POST', headers, body })
  const answer = await world.api.fetch(request, { caller: { token: 'adam', principal: world.people.adam } })
  imported = ((await answer.json()) as { id: string }).id
  await world.drain()
}

const CALCULATED = /^[\s\u00A0\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/

it('No exported table has a cell that a spreadsheet would calculate', async () => {
  // An export's file has to be made first: tests/api/analytics/exports.test.ts tests those.
  const calls = (await callsWithTable()).filter((call) => call !== 'GET /exports/{id}/file')
  expect(calls).toEqual(
    expect.arrayContaining([
      'GET /users/export',
      'GET /users/imports/{id}/result',
      'GET /audit_events/export',
    ]),
  )
  for (const call of calls) {
    const path = call.replace('GET ', '').replace('{id}', imported)
    const { status, text, headers } = await world.call('adam', 'GET', path)
    expect([call, status]).toEqual([call, 200])
    expect(headers.get('content-disposition')).toContain('attachment')
    const cells = parse(text, { bom: true, relax_column_count: true }).flat() as string[]
    expect([call, cells.filter((cell) => CALCULATED.test(cell))]).toEqual([call, []])
    expect([call, cells.filter((cell) => cell.includes('HYPERLINK')).length >= FORMULAS.length]).toEqual([
      call,
      true,
    ])
  }
})
