/** What a person says about messages, and what follows from it for those that are planned. */

import { type ConsentEvent, recordConsent } from '../consent/consents.server.ts'
import { endReminders, settleChannels } from '../planning/replan-channels.server.ts'
import type { Scope } from '../scope.server.ts'

/** Written down, and acted upon at once. A stop by text, at the carrier or through an administrator ends reminders. */
export async function settleConsent(scope: Scope, event: ConsentEvent): Promise<void> {
  await recordConsent(scope, event)
  await settleChannels(scope, event.number)
  if (event.action === 'opt_out' && event.source !== 'profile') await endReminders(scope, event.number)
}
