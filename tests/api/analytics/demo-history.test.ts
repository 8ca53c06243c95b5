/** The history of the demo's journeys keeps the product's rules for sending and answering. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemo } from '#tests/support/demo.ts'

let demo: Awaited<ReturnType<typeof createDemo>>
beforeAll(async () => {
  demo = await createDemo()
}, 120_000)
afterAll(() => demo?.drop())

async function rows<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return (await query.execute(demo.admin)).rows as Row[]
}
const SENT = sql`dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
  join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
  join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  join tenants t on t.id = u.tenant_id where d.sent_at is not null`
const ZONE = sql`coalesce(u.timezone, t.timezone)`

it('No message of the demo was sent at night, and no learner got two lifts in one day', async () => {
  const [sent] = await rows<{ all: number; at_night: number; elsewhere: number }>(sql`
    select count(*)::int as all,
      count(*) filter (where (d.sent_at at time zone ${ZONE})::time not between '09:00' and '20:00')::int as at_night,
      count(*) filter (where o.zone <> ${ZONE})::int as elsewhere from ${SENT}`)
  expect(sent?.all).toBeGreaterThan(50)
  expect(sent).toMatchObject({ at_night: 0, elsewhere: 0 })
  expect(
    await rows(sql`select u.email, (d.sent_at at time zone ${ZONE})::date as day, count(*) from ${SENT}
      and d.kind = 'lift' group by 1, 2 having count(distinct o.id) > 1`),
  ).toEqual([])
})

it('Demo learners open a lift once it is due, then answer it, then complete it', async () => {
  expect(
    await rows(sql`select id, state from occurrences where opened_at < due_at or first_response_at < opened_at
      or completed_at < first_response_at`),
  ).toEqual([])
})
