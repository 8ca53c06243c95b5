/** Hands over a job's message at most once: the begin is noted first, so a second run leaves it alone. */
import { addJob } from '#app/db/queue.server.ts'
import { forgetSent, keepSent, type OfJourney } from '#app/domain/outbox/sent.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { beginMessage } from '#app/domain/sending/journey-messages.server.ts'
import { CarrierError, type Message } from '#app/integrations/carrier.ts'
import type { JobContext } from '#app/jobs/context.ts'

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
  const known = await findFate(context, message)
  if (known) return known
  await inScope(context.database, systemActor(message.tenant_id), (scope) =>
    keepSent(scope, message.key, BEGUN),
  )
  return hand(context, message)
}

type Job = { name: string; payload: { tenant_id: string } & Record<string, unknown> }

/** The same for a message of a journey: while the company's limits hold it, its job comes again. */
export async function sendOfJourney(
  context: JobContext,
  { about, ...message }: Message & { about: OfJourney },
  { name, payload }: Job,
): Promise<void> {
  if (await findFate(context, message)) return
  const wait = await inScope(context.database, systemActor(message.tenant_id), async (scope) => {
    const held = await beginMessage(scope, { ...message, about }, BEGUN)
    if (held) await addJob(scope.db, name, payload, { run_at: held })
    return held
  })
  if (!wait) await hand(context, message)
}

async function hand({ carriers, database, log }: JobContext, message: Message): Promise<Fate> {
  try {
    await carriers[message.channel].send(message)
    return 'sent'
  } catch (error) {
    if (error instanceof CarrierError && error.outcome !== 'unclear') {
      await inScope(database, systemActor(message.tenant_id), (inner) => forgetSent(inner, message.key))
      throw error
    }
    log.warn({ event: 'message.unclear', reason: error instanceof CarrierError ? error.code : 'failed' })
    return 'unclear'
  }
}
