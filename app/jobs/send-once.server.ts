/**
 * Hands over the message of a job at most once. That it was begun is noted first, so that a job which runs again
 * after its process or its connections died leaves alone what may have arrived.
 */
import { forgetSent, keepSent } from '#app/domain/outbox/sent.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { CarrierError, type Message } from '#app/integrations/carrier.ts'
import type { JobContext } from './context.ts'

/** In place of the carrier's own name for the message, which nobody knows yet. */
const BEGUN = 'begun'

/** `unclear`: nobody knows whether it arrived, and it is not sent again. */
export type Fate = 'sent' | 'unclear'

/** What an earlier run of the job has made of its message; null when it may be sent. */
export async function findFate(
  { carriers }: Pick<JobContext, 'carriers'>,
  message: Pick<Message, 'tenant_id' | 'key' | 'channel'>,
): Promise<Fate | null> {
  const found = await carriers[message.channel].find(message)
  return found && (found.provider_id === BEGUN ? 'unclear' : 'sent')
}

export async function sendOnce(context: JobContext, message: Message): Promise<Fate> {
  const { carriers, database, log } = context
  const known = await findFate(context, message)
  if (known) return known
  const scope = systemActor(message.tenant_id)
  await inScope(database, scope, (inner) => keepSent(inner, message.key, BEGUN))
  try {
    await carriers[message.channel].send(message)
    return 'sent'
  } catch (error) {
    if (error instanceof CarrierError && error.outcome !== 'unclear') {
      await inScope(database, scope, (inner) => forgetSent(inner, message.key))
      throw error
    }
    log.warn({ event: 'message.unclear', reason: error instanceof CarrierError ? error.code : 'failed' })
    return 'unclear'
  }
}
