/** Retries a message its carrier was too busy for, as long as it is of use. The queue holds it sealed. */
import { z } from 'zod'
import { CarrierError } from '#app/integrations/carrier.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { isStillTheirs, QueuedOn } from './still-theirs.server.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  sealed: z.string(),
  until: z.coerce.date(),
  queued_on: QueuedOn,
})
const Link = z.object({ label: z.string(), url: z.string() })
const Words = z.union([z.string(), z.array(z.union([z.string(), Link]))])
const Letter = z.object({
  words: Words,
  button: Link.optional(),
  note: Words.optional(),
  why: Words,
  unsubscribe: z.string().optional(),
})
const Sealed = z.object({
  tenant_id: z.uuid(),
  key: z.string(),
  channel: z.enum(['sms', 'email']),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  letter: Letter.optional(),
})

export async function carryMessage(
  { carriers, database, unseal, log }: JobContext,
  payload: unknown,
): Promise<void> {
  const { tenant_id, sealed, until, queued_on } = Payload.parse(payload)
  if (until.getTime() < Date.now()) return
  const message = Sealed.parse(JSON.parse(unseal(sealed, `message:${tenant_id}`)))
  if (!(await isStillTheirs(database, { tenant_id, address: message.to, queued_on }))) return
  try {
    await carriers[message.channel].send(message)
  } catch (error) {
    if (!(error instanceof CarrierError) || error.outcome !== 'unclear') throw error
    // The person can ask for another; two codes would only confuse them.
    log.warn({ event: 'message.unclear', reason: error.code })
  }
}
