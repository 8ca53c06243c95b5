/** Sends a job's message at most once: the attempt is recorded first, so a second run does not repeat it. */
import { addJob } from '#app/db/queue.server.ts'
import type { Links } from '#app/domain/mail-stops/stopping.server.ts'
import type { Composed } from '#app/domain/outbox/composed.server.ts'
import { beginSent, forgetSent } from '#app/domain/outbox/sent.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { beginMessage } from '#app/domain/sending/journey-messages.server.ts'
import { CarrierError, type Message } from '#app/integrations/carrier.ts'
import type { JobContext } from '#app/jobs/context.ts'

/** Stands for the carrier's id of the message, which is not known yet. */
const BEGUN = 'begun'

/** `unclear`: nobody knows whether it was sent, and it is not sent again. */
export type Fate = 'sent' | 'unclear'

/** What an earlier run of the job did with its message; null when it may be sent. */
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
  const isFirst = await inScope(context.database, systemActor(message.tenant_id), (scope) =>
    beginSent(scope, message.key, BEGUN),
  )
  return isFirst ? hand(context, message) : 'unclear'
}

type Job = { name: string; payload: { tenant_id: string } & Record<string, unknown> }
/** `user_id`: composed with this person's rights, so that the message contains nothing they may not read. */
type Composing = {
  key: string
  user_id?: number
  compose(scope: Scope, links: Links): Promise<Composed>
}

/** The same for a message of journeys: when it has to wait, or exceeds the tenant's limits, the job is queued again. */
export async function sendOfJourney(
  context: JobContext,
  { name, payload }: Job,
  { key, user_id, compose }: Composing,
): Promise<void> {
  const { database, origin, stopLink } = context
  const { tenant_id } = payload
  const comeAgain = ({ db }: Scope, run_at: Date) => addJob(db, name, payload, { run_at })
  const reader = { ...systemActor(tenant_id), ...(user_id !== undefined && { user_id }) }
  const composed = await inScope(database, reader, async (scope) => {
    const found = await compose(scope, { origin, stopLink })
    if (found && 'wait' in found) await comeAgain(scope, found.wait)
    return found
  })
  if (!composed || 'wait' in composed) return
  const { about, ...words } = composed
  const message = { tenant_id, key: `${tenant_id}:${key}`, ...words }
  if (await findFate(context, message)) return
  const held = await inScope(database, systemActor(tenant_id), async (scope) => {
    const until = await beginMessage(scope, { ...message, about }, BEGUN)
    if (until instanceof Date) await comeAgain(scope, until)
    return until
  })
  if (!held) await hand(context, message)
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
