/** Stores the outcomes of messages that were handed to a carrier. */

import { backoffSeconds, MAX_ATTEMPTS } from '#app/domain/occurrences/occurrence.ts'
import { nowIn } from '#app/domain/scope/clock.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { Outgoing } from '#app/domain/sending/message.ts'
import {
  isAboutNumber,
  recordAccepted,
  recordNumberRefused,
  recordRefused,
  recordUnknown,
} from '#app/domain/sending/receipts.server.ts'
import { CarrierError, type Receipt } from '#app/integrations/carrier.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { doTogether } from '#app/integrations/together.ts'
import { untilKept } from './until-kept.server.ts'

/** How long after an unclear outcome the message is first looked up. */
const LOOK_UP_SECONDS = 5

export type Outcome = { receipt: Receipt } | { error: unknown }
/** `id` is the dispatch's. */
export type Ended = { id: number; message: Outgoing; outcome: Outcome }

type InTenant = (tenantId: string, work: (scope: Scope) => Promise<void>) => Promise<void>

/**
 * Stores receipts in batches, and retries them one by one after an outage, so that one cannot hold up the others.
 * Failures may change much else, so each is stored alone.
 */
export function createKeeping(inTenant: InTenant, signal: AbortSignal) {
  const keepOnce = (tenantId: string, ended: readonly Ended[]) =>
    inTenant(tenantId, (scope) => keepOutcomes(scope, ended))
  const keepAlone = (tenantId: string, ended: Ended) => untilKept(() => keepOnce(tenantId, [ended]), signal)
  const keepTogether = doTogether(async (tenantId, ended: readonly Ended[]) => {
    await keepOnce(tenantId, ended)
    return ended.map(() => undefined)
  })
  return (tenantId: string, ended: Ended): Promise<void> =>
    'error' in ended.outcome
      ? keepAlone(tenantId, ended)
      : keepTogether(tenantId, ended).catch((error: unknown) => {
          if (signal.aborted || !isOutage(error)) throw error
          return keepAlone(tenantId, ended)
        })
}

/** Stores outcomes of one tenant, in one transaction. */
export async function keepOutcomes(scope: Scope, ended: readonly Ended[]): Promise<void> {
  await recordAccepted(
    scope,
    ...ended.flatMap(({ id, outcome }) => ('receipt' in outcome ? [{ id, ...outcome.receipt }] : [])),
  )
  for (const { id, message, outcome } of ended)
    if ('error' in outcome) await keepError(scope, id, message, outcome.error)
}

async function keepError(scope: Scope, id: number, message: Outgoing, error: unknown): Promise<void> {
  if (!(error instanceof CarrierError) || error.outcome === 'unclear')
    return recordUnknown(scope, id, new Date(Date.now() + LOOK_UP_SECONDS * 1000), codeOf(error))
  if (message.channel === 'sms' && error.outcome === 'refused' && isAboutNumber(error.code))
    return recordNumberRefused(scope, id, error.code)
  const mayRetry = error.outcome === 'busy' && message.attempt < MAX_ATTEMPTS
  const seconds = Math.max(error.retryAfter ?? 0, backoffSeconds(message.attempt))
  return recordRefused(scope, id, { code: error.code, retry_at: mayRetry ? inSeconds(scope, seconds) : null })
}

const inSeconds = (scope: Scope, seconds: number) => new Date(nowIn(scope).getTime() + seconds * 1000)

export const codeOf = (error: unknown): string => (error instanceof CarrierError ? error.code : 'unclear')
