/** Finds out what became of a message. Only one that certainly was not sent is retried; people decide about the rest. */

import { MAX_ATTEMPTS, MAX_LATENESS_HOURS, nextLookUp } from '#app/domain/occurrences/occurrence.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { Claim } from '#app/domain/sending/claims.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import { recordAccepted, recordRefused, recordUnknown } from '#app/domain/sending/receipts.server.ts'
import { readUnknown, type UnknownMessage } from '#app/domain/unknown-messages/looking-up.server.ts'
import { tellSoon } from '#app/domain/unknown-messages/telling.server.ts'
import type { Carrier, Fate } from '#app/integrations/carrier.ts'
import type { JobContext } from '#app/jobs/context.ts'

const TOO_LATE_MS = (MAX_LATENESS_HOURS + 1) * 3_600_000

export async function lookUp(context: JobContext, { tenant_id, id }: Claim): Promise<void> {
  const { database, carriers, origin, log } = context
  const inTenant = <Result>(work: (scope: Scope) => Promise<Result>) =>
    inScope(database, systemActor(tenant_id), work)
  const lost = await inTenant((scope) => readUnknown(scope, id, origin))
  if (!lost) return
  const fate = await fateOf(carriers[lost.channel], lost).catch((): Fate => ({ outcome: 'unclear' }))
  const ends = await inTenant((scope) => keepFate(scope, id, lost, fate))
  if (ends) log.warn({ event: 'lift.unknown', dispatch: id, tenant_id, channel: lost.channel })
}

/** `unclear` from a carrier that can be asked may still clear up; null: nobody can be asked. */
async function fateOf(carrier: Carrier, lost: UnknownMessage): Promise<Fate | null> {
  const receipt = await carrier.find(lost)
  if (receipt) return { outcome: 'taken', receipt }
  const { to } = lost
  const had = whoHad(carrier, lost)
  if (had?.sendsOncePerKey) return { outcome: 'absent' }
  return had?.lookUp && to !== null ? had.lookUp({ ...lost, to }) : null
}

/** Messages sent before carriers were recorded are assumed to have had today's carrier. */
function whoHad(carrier: Carrier, { carrier: name }: UnknownMessage): Partial<Carrier> | undefined {
  if (name === null || name === carrier.name) return carrier
  return carrier.others?.find((other) => other.name === name)
}

/** A message that is too late by now waits for a person, like every other late one. */
const mayRetry = ({ attempts, since }: UnknownMessage): boolean =>
  attempts < MAX_ATTEMPTS && Date.now() - since.getTime() < TOO_LATE_MS

/** Returns whether people have to decide now. */
async function keepFate(scope: Scope, id: number, lost: UnknownMessage, fate: Fate | null): Promise<boolean> {
  switch (fate?.outcome) {
    case 'taken':
      await recordAccepted(scope, { id, ...fate.receipt })
      return false
    case 'undelivered':
      await recordDelivery(scope, lost.key, { ...fate, delivered: false })
      return false
    case 'absent':
      await recordRefused(scope, id, {
        code: 'lost',
        retry_at: mayRetry(lost) ? new Date() : null,
      })
      return false
    default: {
      const again = fate ? nextLookUp(lost.since, new Date()) : null
      await recordUnknown(scope, id, again)
      if (again === null) await tellSoon(scope)
      return again === null
    }
  }
}
