/** The question before a lift is sent by a person: how many would get it, by which channel, and who they are. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
  const admin = await world.database.connectAdmin()
  const night = `update users set timezone = $1, mobile_phone = $2 where id = $3`
  await admin.query(night, [zoneAt(23), '+436641234501', world.people.nora.user_id])
  await admin.query(night, [zoneAt(13), '+436641234502', world.people.uri.user_id])
  // Agreed, changed their mind, agreed again; imports say nothing of either.
  const said = {
    '+436641234501': ['opt_in', 'opt_out', 'opt_in', 'import'],
    '+436641234502': ['opt_in', 'opt_out', 'import'],
  }
  for (const [number, actions] of Object.entries(said))
    for (const action of actions)
      await admin.query(
        `insert into consent_events (tenant_id, number, action, source) values ($1, $2, $3, 'sms')`,
        [world.acme, number, action],
      )
})
afterAll(() => world?.drop())

const MANUAL = { schedule: { kind: 'manual' } }
const ask = (lift: number, query = '', sub: string | null = null) =>
  world.must('adam', 'GET', `/lifts/${lift}/send_now${query}`, undefined, { sub })
const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name.split(' ')[0])

it('counts them by channel and quiet hours, and lists them by name, the chosen ones first', async () => {
  const { id, lift } = await world.draft(['uri', 'nora', 'aya'], { channels: ['sms', 'email'] }, MANUAL)
  await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
  const all = await ask(lift)
  expect(all).toMatchObject({
    ...{ people: 3, total: 3, is_capped: false, held: 0, restored: 0, failed: 0 },
    ...{ by_channel: { sms: 1, email: 2, in_app: 0 }, resting: 1, unmailed: 0 },
  })
  const last = all.data.at(-1)
  expect(names(await ask(lift, `?member_ids=${last.member_id}`))[0]).toBe(last.name.split(' ')[0])
  expect(await ask(lift, '?q=nora')).toMatchObject({ people: 3, total: 1, data: [{ channel: 'sms' }] })
  // A chosen person stays in the list, whatever is searched.
  expect(await ask(lift, `?q=nora&member_ids=${last.member_id}`)).toMatchObject({ people: 3 })
  await world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids: [last.member_id] })
  await world.drain()
  const rest = await ask(lift)
  expect([rest.people, names(rest)]).toEqual([2, names(all).slice(0, -1)])
})

it('counts learners from other sub-tenants, as they get it too, without listing them', async () => {
  const [sub, user_ids] = [world.north, [world.people.uri.user_id]]
  const { id, lift } = await world.draft(['nora'], { channels: ['email'] }, MANUAL, sub)
  await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
  const seen = await ask(lift, '', sub)
  expect([seen.people, seen.total, names(seen)]).toEqual([2, 1, ['Nora']])
  const send = { member_ids: 'pending' }
  expect(await world.must('adam', 'POST', `/lifts/${lift}/send_now`, send, { sub })).toMatchObject({
    planned: 2,
  })
})
