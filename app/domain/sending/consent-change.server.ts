/** A change of consent, and its effects on planned messages. */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { type ConsentEvent, recordConsent } from '../consent/consents.server.ts'
import { confirmed } from '../consent/replies.ts'
import { endReminders, lockMessagesTo, settleChannels } from '../planning/runs/replan-channels.server.ts'
import type { Scope } from '../scope/scope.server.ts'

/** Records the change and applies it immediately. An opt-out by text, at the carrier or by an administrator ends reminders. */
export async function settleConsent(scope: Scope, event: ConsentEvent): Promise<void> {
  await recordConsent(scope, event)
  await lockMessagesTo(scope, event)
  await settleChannels(scope, event.number)
  if (event.action === 'opt_out' && event.source !== 'profile') await endReminders(scope, event.number)
}

/** Sent immediately, as it was just requested on a page; START is answered by the handler of replies. */
export async function confirmTexts({ actor, db }: Scope, number: string): Promise<void> {
  const { name } = await db
    .selectFrom('tenants')
    .select('name')
    .where('id', '=', actor.tenant_id)
    .executeTakeFirstOrThrow()
  const payload = { to: number, text: confirmed(name), key: `confirm:${randomUUID()}` }
  await addJob(db, 'answer-text', payload, { carrier: 'sms' })
}
