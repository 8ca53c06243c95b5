/** Test messages of a lift, sent to numbers that an author enters, with a link to the test page. */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import { numberStates } from '../consent/consents.server.ts'
import { invalid } from '../errors.ts'
import { requireOpen } from '../journeys/journeys.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { composeMessage, type Outgoing, testOf } from './message.ts'

export async function sendTestMessages(scope: Scope, liftId: number, phones: readonly string[]) {
  const lift = await getLift(scope, liftId)
  await requireOpen(scope, lift.journey_id)
  const numbers = [...new Set(phones)]
  const states = await numberStates(scope, numbers)
  const refused = numbers.filter((phone) => ['opted_out', 'invalid'].includes(states.get(phone) ?? 'unknown'))
  if (refused.length > 0)
    throw invalid({ phones: refused.map((phone) => `${phone} does not want text messages.`) })
  for (const phone of numbers)
    await addJob(
      scope.db,
      'send-test',
      { lift_id: liftId, phone, key: `test:${liftId}:${randomUUID()}` },
      { carrier: 'sms' },
    )
  await record(scope, 'lift.test_sent', { type: 'lift', id: liftId }, { messages: numbers.length })
  return { data: numbers.map((phone) => ({ phone, state: 'queued' as const })) }
}

export async function composeTest(
  scope: Scope,
  liftId: number,
  { to, key, origin }: { to: string; key: string; origin: string },
): Promise<Outgoing | null> {
  const lift = await scope.db
    .selectFrom('lifts as l')
    .innerJoin('journeys as j', 'j.id', 'l.journey_id')
    .select(['l.title', 'l.sms_text', 'l.email_subject', 'l.est_minutes', 'j.name'])
    .where('l.id', '=', liftId)
    .executeTakeFirst()
  if (!lift) return null
  const link = `${origin}/lift/t/${liftId}`
  return composeMessage({
    tenant_id: scope.actor.tenant_id,
    key,
    channel: 'sms',
    to,
    attempt: 1,
    content: testOf(lift),
    values: { first_name: 'Kim', journey: lift.name, lift: lift.title, sponsor: 'Alex', link },
  })
}
