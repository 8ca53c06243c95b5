/** Sends claimed messages: commits `sending` first, then calls the carrier, then stores its answer. */
import type { Outgoing } from '#app/domain/sending/message.ts'
import type { Carrier } from '#app/integrations/carrier.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { type Beginning, beginLifts, giveBack } from './begin-lifts.server.ts'
import { codeOf, type Ended, type Outcome } from './keep-outcomes.server.ts'

/** A process that was suspended meanwhile must not send what others may have claimed. */
const LONGEST_BEGINNING_MS = 60_000

export type Sending = Beginning & {
  /** Resolves when the outcome is stored. */
  keep(ended: Ended): Promise<void>
}

/** One promise per message, in order: resolved when its outcome is stored, or when it is not to be sent. */
export const sendLifts = (context: JobContext, ids: readonly number[], sending: Sending): Promise<void>[] =>
  beginLifts(context, ids, sending).map(async (beginning, index) => {
    const begun = await beginning
    const id = ids[index]
    if (!begun || id === undefined) return
    const { message, since } = begun
    const carrier = context.carriers[message.channel]
    const isLate = Date.now() - since > LONGEST_BEGINNING_MS
    if (sending.signal.aborted || isLate || carrier.circuit?.isOpen()) return giveBack([id], sending)
    const outcome = await hand(carrier, message)
    await sending.keep({ id, message, outcome })
    if ('error' in outcome)
      context.log.warn({ event: 'lift.not-sent', dispatch: id, code: codeOf(outcome.error) })
  })

const hand = (carrier: Carrier, message: Outgoing): Promise<Outcome> =>
  carrier.send(message).then(
    (receipt) => ({ receipt }),
    (error: unknown) => ({ error }),
  )
