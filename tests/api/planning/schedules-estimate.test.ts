/** The announced effect of an edit of a journey with very many occurrences is estimated from some of its learners. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { LIMITS } from '#app/domain/planning/preview/edit-impact.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { withAdmin } from '#tests/support/postgres.ts'

const PEOPLE = 300
const ALL = LIMITS.occurrences

let world: JourneysWorld
let journey = 0
let lift = 0
beforeAll(async () => {
  world = await createJourneysWorld()
  const made = await world.draft(['uri'], { name: 'Many' }, { schedule: onDay(5) })
  journey = made.id
  lift = made.lift
  await asAdmin(
    `with made as (
       insert into users (tenant_id, email, first_name, last_name, activation_status, timezone)
       select $1, 'one-' || n || '@acme.example', 'One', n::text, 'active', 'Europe/Vienna'
       from generate_series(2, ${PEOPLE}) n returning tenant_id, id)
     insert into members (tenant_id, journey_id, user_id, role) select tenant_id, $2::bigint, id, 'learner' from made`,
    [world.acme, journey],
  )
  await world.must('adam', 'POST', `/lljs/${journey}/launch`, { send_now: true })
}, 60_000)
afterAll(() => world?.drop())
afterEach(() => {
  LIMITS.occurrences = ALL
})

const asAdmin = (statement: string, values: unknown[]) =>
  withAdmin(world.database.adminUrl, (admin) => admin.query(statement, values))
const onDay = (days: number) => ({
  ...{ kind: 'absolute', time: '12:00' },
  date: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
})
const impactOf = async (change: object) =>
  (
    await world.must('adam', 'POST', `/lljs/${journey}/schedule/preview`, {
      changes: { lifts: [{ lift_id: lift, ...change }] },
    })
  ).impact

it('counts every learner if the occurrences are within the limit', async () => {
  expect(await impactOf({ schedule: onDay(7) })).toEqual({
    ...{ moved: PEOPLE, kept: 0, updated: 0, cancelled: 0, added: 0 },
  })
})

it('estimates from some of many learners, says so, and repeats the same estimate', async () => {
  LIMITS.occurrences = 40
  const estimate = await impactOf({ schedule: onDay(7) })
  expect(estimate).toEqual({
    ...{ moved: PEOPLE, kept: 0, updated: 0, cancelled: 0, added: 0 },
    is_estimate: true,
  })
  expect(await impactOf({ content: true })).toMatchObject({
    kept: PEOPLE,
    updated: PEOPLE,
    is_estimate: true,
  })
  expect(await impactOf({ status: 'retired' })).toMatchObject({ cancelled: PEOPLE })
  // The estimate for a third of the people is close to a third, and the same on each request.
  await asAdmin('update occurrences set state = $2 where lift_id = $1 and id % 3 = 0', [lift, 'cancelled'])
  const after = await impactOf({ schedule: onDay(7) })
  expect(after.moved).toBeGreaterThan(140)
  expect(after.moved).toBeLessThan(260)
  expect(Math.abs(PEOPLE - after.moved - after.added)).toBeLessThanOrEqual(10)
  expect(await impactOf({ schedule: onDay(7) })).toEqual(after)
}, 60_000)

it('estimates from at least one learner, even with a limit of 0', async () => {
  LIMITS.occurrences = 0
  expect(await impactOf({ schedule: onDay(7) })).toMatchObject({ is_estimate: true })
})
