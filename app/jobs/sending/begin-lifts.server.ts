/** Makes claimed messages of one tenant ready to be handed over, as many at a time as may stand together. */
import type { Scope } from '#app/domain/scope.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { releaseClaim } from '#app/domain/sending/claims.server.ts'
import type { Outgoing } from '#app/domain/sending/message.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { untilKept } from './until-kept.server.ts'

/** What could not be begun waits: for the database, or for somebody who finds out why. */
const AFTER_OUTAGE_SECONDS = 2
const AFTER_FAILURE_SECONDS = 60

/** Of one tenant. */
export type Beginning = {
  owner: string
  signal: AbortSignal
  inTenant<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>
}

/** Those that leave. Where one fails, its like are begun one by one, so that it holds up no other. */
export async function beginLifts(
  { carriers, origin, stopLink, log }: JobContext,
  ids: readonly number[],
  beginning: Beginning,
): Promise<Map<number, Outgoing>> {
  const links = {
    ...{ origin, stopLink, hearsReplies: carriers.sms.hearsReplies },
    carrierOf: (channel: Outgoing['channel']) => carriers[channel].name,
  }
  const begun = new Map<number, Outgoing>()
  const line = [[...ids]]
  for (let group = line.shift(); group && !beginning.signal.aborted; group = line.shift())
    try {
      const claims = group
      const { messages, left } = await beginning.inTenant((scope) =>
        beginSending(scope, claims, beginning.owner, links),
      )
      for (const [id, message] of messages) begun.set(id, message)
      if (left.length > 0) line.push(left)
    } catch (err) {
      if (group.length > 1 && !isOutage(err)) line.push(...group.map((id) => [id]))
      else await giveBackFailed(group, err)
    }
  return begun

  async function giveBackFailed(group: readonly number[], err: unknown): Promise<void> {
    const seconds = isOutage(err) ? AFTER_OUTAGE_SECONDS : AFTER_FAILURE_SECONDS
    log.error({ event: 'lift.failed', dispatches: group, err })
    // Where this comes to nothing either, the claim ends with its lease.
    await giveBack(group, beginning, seconds).catch(() => {})
  }
}

export const giveBack = (
  ids: readonly number[],
  { inTenant, owner, signal }: Beginning,
  seconds?: number,
): Promise<void> => untilKept(() => inTenant((scope) => releaseClaim(scope, ids, owner, seconds)), signal)
