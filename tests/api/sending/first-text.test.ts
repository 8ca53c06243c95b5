/** A first text says who sends it and how to stop it, an e-mail says why it was sent, and no placeholder stays blank. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'

const NUMBER = '+4915112345671'
let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
  await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
    sql`update users set mobile_phone = ${NUMBER}, timezone = ${zoneAt(13)} where id = ${world.people.uri.user_id}`.execute(
      db,
    ),
  )
})
afterAll(() => world?.drop())

async function sent() {
  const { taken, carriers } = createTestCarrier()
  await world.drain(carriers)
  return taken
}

async function launch(name: string, sms_text: string) {
  const { id } = await world.draft(['uri', 'aya'], { name, channels: ['sms', 'email'] }, { sms_text })
  const page = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  return { page, taken: await sent() }
}

it('confirms once by text that a learner agreed to texts', async () => {
  await world.must('uri', 'PUT', '/users/me/consents', { sms_opt_in: true })
  await world.must('uri', 'PUT', '/users/me/consents', { sms_opt_in: true })
  const [confirmed, ...more] = await sent()
  expect([confirmed?.to, more.length]).toEqual([NUMBER, 0])
  expect(confirmed?.text).toMatch(/^Acme: .*STOP to end/)
})

it('names the company and STOP only in the first text to a number, which ends with the link', async () => {
  const first = (await launch('First', 'Ask {{sponsor}} if stuck. {{first_nam}}')).taken
  const text = first.find((one) => one.channel === 'sms')?.text
  expect(text).toMatch(/^Acme \(reply STOP to end texts\): Ask your team if stuck\. .*\?m=\w+$/)
  const second = (await launch('Second', 'Ask away.')).taken
  expect(second.find((one) => one.channel === 'sms')?.text).toMatch(/^Ask away\./)
})

it('says in an e-mail why it was sent, and warns before the launch of placeholders without a value', async () => {
  const { page, taken } = await launch('Reasons', 'Ask {{sponsor}}, {{constructor}}.')
  const messages = page.warnings.map((one: { message: string }) => one.message)
  expect(messages).toEqual([
    '“Listen first”: {{constructor}} is not a field and is sent as it is.',
    '“Listen first”: 2 learners have no sponsor and read “your team” instead.',
  ])
  expect(taken.find((one) => one.channel === 'email')?.text).toContain(
    'You’re getting this e-mail because you’re in the learning journey “Reasons” at Acme.',
  )
})

it('warns before the launch of a question that looks like two in one', async () => {
  const { id, lift } = await world.draft(['uri'], { name: 'Two in one' })
  const text = 'What went well and what would you change?'
  await world.must('adam', 'POST', `/lifts/${lift}/prompts`, { kind: 'short_text', text })
  const page = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
  expect(page.warnings).toEqual([{ lift_id: lift, message: `“${text}” looks like two questions in one.` }])
})
