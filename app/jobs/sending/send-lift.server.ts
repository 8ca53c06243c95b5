/** Sends one claimed message: `sending` is committed first, then the carrier is called, then its word is kept. */
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffSeconds, MAX_ATTEMPTS } from '#app/domain/occurrences/occurrence.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { type Claim, releaseClaim } from '#app/domain/sending/claims.server.ts'
import type { Outgoing } from '#app/domain/sending/message.ts'
import {
  isAboutNumber,
  recordAccepted,
  recordNumberRefused,
  recordRefused,
  recordUnknown,
} from '#app/domain/sending/receipts.server.ts'
import { type Carrier, CarrierError, type Receipt } from '#app/integrations/carrier.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

/** How long after an unclear outcome it is looked up for the first time. */
const LOOK_UP_SECONDS = 5
/** What could not be begun waits: for the database, or for somebody who finds out why. */
const AFTER_OUTAGE_SECONDS = 2
const AFTER_FAILURE_SECONDS = 60
/** A process that slept on the way must not send what others may have taken up. */
const LONGEST_BEGINNING_MS = 60_000
/** Within the lease of what is being sent. */
const KEEP_TRYING_SECONDS = [0.5, 1, 2, 4, 8, 16]

type Sending = {
  owner: string
  signal: AbortSignal
  inTenant<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>
}
type Outcome = { receipt: Receipt } | { error: unknown }

export async function sendLift(
  { carriers, origin, stopLink, log }: Pick<JobContext, 'carriers' | 'origin' | 'stopLink' | 'log'>,
  { id }: Claim,
  { owner, signal, inTenant }: Sending,
): Promise<void> {
  const giveBack = (seconds?: number) =>
    untilKept(() => inTenant((scope) => releaseClaim(scope, id, owner, seconds)), signal)
  const began = Date.now()
  if (signal.aborted) return
  const message = await inTenant((scope) =>
    beginSending(scope, id, owner, {
      ...{ origin, stopLink, hearsReplies: carriers.sms.hearsReplies },
      carrierOf: (channel) => carriers[channel].name,
    }),
  ).catch(async (error: unknown) => {
    await giveBack(isOutage(error) ? AFTER_OUTAGE_SECONDS : AFTER_FAILURE_SECONDS)
    throw error
  })
  if (!message) return
  const carrier = carriers[message.channel]
  const isLate = Date.now() - began > LONGEST_BEGINNING_MS
  if (signal.aborted || isLate || carrier.circuit?.isOpen()) return giveBack()
  const outcome = await hand(carrier, message)
  await untilKept(() => inTenant((scope) => keep(scope, id, message, outcome)), signal)
  if ('error' in outcome) log.warn({ event: 'lift.not-sent', dispatch: id, code: codeOf(outcome.error) })
}

const hand = (carrier: Carrier, message: Outgoing): Promise<Outcome> =>
  carrier.send(message).then(
    (receipt) => ({ receipt }),
    (error: unknown) => ({ error }),
  )

/** What is known is not lost because the database is away for a moment. */
async function untilKept(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const seconds of KEEP_TRYING_SECONDS) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error
      await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
    }
  }
  await work()
}

async function keep(scope: Scope, id: number, message: Outgoing, outcome: Outcome): Promise<void> {
  if ('receipt' in outcome) return recordAccepted(scope, id, outcome.receipt)
  const { error } = outcome
  if (!(error instanceof CarrierError) || error.outcome === 'unclear')
    return recordUnknown(scope, id, inSeconds(LOOK_UP_SECONDS), codeOf(error))
  if (message.channel === 'sms' && error.outcome === 'refused' && isAboutNumber(error.code))
    return recordNumberRefused(scope, id, error.code)
  const mayRetry = error.outcome === 'busy' && message.attempt < MAX_ATTEMPTS
  const seconds = Math.max(error.retryAfter ?? 0, backoffSeconds(message.attempt))
  return recordRefused(scope, id, { code: error.code, retry_at: mayRetry ? inSeconds(seconds) : null })
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

const codeOf = (error: unknown): string => (error instanceof CarrierError ? error.code : 'unclear')
