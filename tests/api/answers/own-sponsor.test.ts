/** Learners see who sponsors them, whatever the sponsor's name and whichever sub-tenant they are in. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let id: number
let lift: number
beforeAll(async () => {
  world = await createJourneysWorld()
  const made = await world.draft(['uri'])
  id = made.id
  lift = made.lift
  const admin = await world.database.connectAdmin()
  const { user_id } = world.people.nora
  await admin.query(`update users set first_name = '', last_name = '' where id = $1`, [user_id])
  await admin.query(
    `with joined as (insert into members (tenant_id, journey_id, user_id, role, state)
       values ($1, $2, $3, 'sponsor', 'active') returning id)
     update members set sponsor_id = joined.id from joined where journey_id = $2 and role = 'learner'`,
    [world.acme, id, user_id],
  )
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
})
afterAll(() => world?.drop())

it('Learners see the e-mail address of a sponsor who has no name', async () => {
  const { email } = world.people.nora
  expect(await world.must('uri', 'GET', `/learner/lljs/${id}`)).toMatchObject({ sponsor: email })
  expect(await world.must('uri', 'GET', `/lifts/${lift}/page`)).toMatchObject({ sponsor: email })
})
