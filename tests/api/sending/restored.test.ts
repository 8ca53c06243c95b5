import { afterAll, beforeAll, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { holdMissed, tenantsWithDue } from '#app/domain/sending/hold-missed.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

it('holds the lifts that came due since a backup until a person sends them', async () => {
  const journey = await world.draft(['uri', 'aya'], { name: 'Restored' })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  const { worker } = world.database
  const tenants = await tenantsWithDue(worker)
  expect(tenants).toHaveLength(1)
  for (const tenant of tenants) expect(await inScope(worker, systemActor(tenant), holdMissed)).toBe(2)
  expect(await tenantsWithDue(worker)).toEqual([])

  const { carriers, taken } = createTestCarrier()
  const sender = await world.workers(carriers)
  await sender.drain()
  expect(taken).toEqual([])

  const { lifts } = (await world.must('adam', 'GET', `/lljs/${journey.id}/schedule`)) as {
    lifts: { id: number; held: number }[]
  }
  expect(lifts.map((lift) => lift.held)).toEqual([2])
  const still = () => world.must('adam', 'GET', `/lifts/${lifts[0]?.id}/send_now`)
  expect(await still()).toMatchObject({ people: 2, held: 2, total: 2, by_channel: { sms: 0, email: 2 } })
  const { data } = await world.must('adam', 'GET', `/lifts/${lifts[0]?.id}/send_now?q=aya`)
  expect(data).toMatchObject([{ email: world.people.aya.email, is_held: true }])
  await world.must('adam', 'POST', `/lifts/${lifts[0]?.id}/send_now`, { member_ids: 'pending' })
  await sender.drain()
  await sender.stop()
  expect(await still()).toMatchObject({ people: 0, held: 0, data: [] })
  expect(taken.map((one) => one.to).sort()).toEqual([world.people.aya.email, world.people.uri.email].sort())
})
