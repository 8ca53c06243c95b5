/** What a person says about messages, and what follows from it for those that are planned. */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { type ConsentEvent, recordConsent } from '../consent/consents.server.ts'
import { confirmed } from '../consent/replies.ts'
import { endReminders, settleChannels } from '../planning/runs/replan-channels.server.ts'
import type { Scope } from '../scope/scope.server.ts'

/** Written down, and acted upon at once. A stop by text, at the carrier or through an administrator ends reminders. */
export async function settleConsent(scope: Scope, event: ConsentEvent): Promise<void> {
  await recordConsent(scope, event)
  await settleChannels(scope, event.number)
  if (event.action === 'opt_out' && event.source !== 'profile') await endReminders(scope, event.number)
}

/** At once, as what was just asked for on a page; START is answered where it comes in. */
export async function confirmTexts({ actor, db }: Scope, number: string): Promise<void> {
  const { name } = await db
    .selectFrom('tenants')
    .select('name')
    .where('id', '=', actor.tenant_id)
    .executeTakeFirstOrThrow()
  const payload = { to: number, text: confirmed(name), key: `confirm:${randomUUID()}` }
  await addJob(db, 'answer-text', payload, { carrier: 'sms' })
}
