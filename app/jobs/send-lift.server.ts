/** Sends one claimed message: `sending` is committed first, then the carrier is called, then its word is kept. */
import type { Claim } from '#app/domain/schedules/claims.server.ts'
import type { Outgoing } from '#app/domain/schedules/message.ts'
import { backoffSeconds, MAX_ATTEMPTS } from '#app/domain/schedules/occurrence.ts'
import {
  isAboutNumber,
  readUnknown,
  recordAccepted,
  recordNumberRefused,
  recordRefused,
  recordUnknown,
} from '#app/domain/schedules/receipts.server.ts'
import { beginSending } from '#app/domain/schedules/sending.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope.server.ts'
import { CarrierError } from '#app/integrations/carrier.ts'
import type { JobContext } from './context.ts'

/** How long after an unclear outcome the carrier is asked, and how often again. */
const LOOK_UP_SECONDS = 5
const LOOK_UP_AGAIN_SECONDS = 15 * 60

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

export async function sendLift(context: JobContext, claim: Claim, owner: string): Promise<void> {
  const inTenant = <Result>(work: (scope: Scope) => Promise<Result>) =>
    inScope(context.database, systemActor(claim.tenant_id), work)
  if (claim.state === 'unknown') return lookUp(context, claim, inTenant)

  const message = await inTenant((scope) => beginSending(scope, claim.id, owner, context.origin))
  if (!message) return
  try {
    const receipt = await context.carriers[message.channel].send(message)
    await inTenant((scope) => recordAccepted(scope, claim.id, receipt))
  } catch (error) {
    await inTenant((scope) => keepError(scope, claim.id, message, error))
    context.log.warn({ event: 'lift.not-sent', dispatch: claim.id, code: codeOf(error) })
  }
}

async function keepError(scope: Scope, id: number, message: Outgoing, error: unknown) {
  if (!(error instanceof CarrierError) || error.outcome === 'unclear')
    return recordUnknown(scope, id, inSeconds(LOOK_UP_SECONDS))
  if (message.channel === 'sms' && error.outcome === 'refused' && isAboutNumber(error.code))
    return recordNumberRefused(scope, id, error.code)
  const mayRetry = error.outcome === 'busy' && message.attempt < MAX_ATTEMPTS
  const seconds = Math.max(error.retryAfter ?? 0, backoffSeconds(message.attempt))
  return recordRefused(scope, id, { code: error.code, retry_at: mayRetry ? inSeconds(seconds) : null })
}

type InTenant = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>

/** Only a carrier that sends once per key may be handed an unclear message again. */
async function lookUp({ carriers }: JobContext, { id }: Claim, inTenant: InTenant): Promise<void> {
  const lost = await inTenant((scope) => readUnknown(scope, id))
  if (!lost) return
  const carrier = carriers[lost.channel === 'sms' ? 'sms' : 'email']
  const receipt = await carrier.find(lost).catch(() => undefined)
  await inTenant((scope) => {
    if (receipt) return recordAccepted(scope, id, receipt)
    if (receipt === null && carrier.sendsOncePerKey && lost.attempts < MAX_ATTEMPTS)
      return recordRefused(scope, id, { code: 'lost', retry_at: new Date() })
    return recordUnknown(scope, id, inSeconds(LOOK_UP_AGAIN_SECONDS))
  })
}

const codeOf = (error: unknown): string => (error instanceof CarrierError ? error.code : 'unclear')
