/** A journey of a sub-tenant, managed from inside it, with a learner from outside it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { zoneAt } from './zones.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
  const admin = await world.database.connectAdmin()
  await admin.query('update users set timezone = $1', [zoneAt(12)])
  await admin.end()
})
afterAll(() => world?.drop())

const inAcme = inAcmeOf(() => world)
const timesOf = (id: number) =>
  inAcme(async ({ db }) => {
    const { rows } = await sql<{
      clock: string
    }>`select to_char(o.due_at at time zone o.zone, 'HH24:MI') as clock
      from occurrences o join members m on m.id = o.member_id
      where o.journey_id = ${id} and m.user_id = ${world.people.uri.user_id}`.execute(db)
    return rows.map(({ clock }) => clock)
  })
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const at = (time: string) => ({ schedule: { kind: 'absolute', date: tomorrow, time } })

it('plans lifts for a learner outside the sub-tenant at the launch, and again after an edit', async () => {
  const inside = { sub: world.north }
  const { id, lift } = await world.draft([], { name: 'Northern' }, at('10:00'), world.north)
  await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.uri.user_id] })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: 1 }, inside)
  expect(await timesOf(id)).toEqual(['10:00'])
  const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`, undefined, inside)
  await world.must('adam', 'PUT', `/lifts/${lift}`, { ...at('11:30'), lock_version }, inside)
  expect(await timesOf(id)).toEqual(['11:30'])
})

it('counts a learner outside the sub-tenant in the forecast of the launch', async () => {
  const launch = { kind: 'manual', at_launch: true }
  const { id } = await world.draft([], { name: 'Foreseen' }, { schedule: launch }, world.north)
  await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.uri.user_id] })
  const { forecast } = await world.must('adam', 'GET', `/lljs/${id}/schedule?launch=send`, undefined, {
    sub: world.north,
  })
  expect(forecast).toMatchObject({ learners: 1, emails: 1 })
})
