/** Prepares one tenant's claimed messages for sending, those of one journey together. */
import PQueue from 'p-queue'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { beginSending, groupByJourney } from '#app/domain/sending/begin-sending.server.ts'
import { releaseClaim } from '#app/domain/sending/claims.server.ts'
import type { Outgoing } from '#app/domain/sending/message.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { untilKept } from './until-kept.server.ts'

/** How long a message waits that could not be prepared: after an outage, or a failure that somebody must look into. */
const AFTER_OUTAGE_SECONDS = 2
const AFTER_FAILURE_SECONDS = 60
/** Messages of one tenant may block each other, and other tenants need the database too. */
const GROUPS_AT_ONCE = 2

export type Beginning = {
  owner: string
  signal: AbortSignal
  inTenant<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>
}
/** `since`: clock time in milliseconds at which the transaction was requested. */
type Begun = { message: Outgoing; since: number }
type Line = Map<number, PromiseWithResolvers<Begun | null>>

/**
 * A promise per message: of the prepared message, or null if it is not to be sent, or not yet. A failed one is given back.
 */
export function beginLifts(
  context: JobContext,
  ids: readonly number[],
  beginning: Beginning,
): Promise<Begun | null>[] {
  const line: Line = new Map(ids.map((id) => [id, Promise.withResolvers()]))
  void begin(context, line, beginning)
  return [...line.values()].map(({ promise }) => promise)
}

async function begin(context: JobContext, line: Line, beginning: Beginning): Promise<void> {
  const ids = [...line.keys()]
  try {
    const groups = ids.length > 1 ? await beginning.inTenant((scope) => groupByJourney(scope, ids)) : [ids]
    const queue = new PQueue({ concurrency: GROUPS_AT_ONCE })
    await queue.addAll(groups.map((group) => () => beginGroup(context, line, group, beginning)))
    for (const { resolve } of line.values()) resolve(null)
  } catch (error) {
    await giveUp(line, ids, error, beginning)
  }
}

async function beginGroup(
  context: JobContext,
  line: Line,
  group: readonly number[],
  beginning: Beginning,
): Promise<void> {
  let left = group
  while (left.length > 0 && !beginning.signal.aborted) left = await beginSome(context, line, left, beginning)
}

/** Returns the messages left for another transaction. After a failure it prepares them singly, so one blocks no other. */
async function beginSome(
  context: JobContext,
  line: Line,
  ids: readonly number[],
  beginning: Beginning,
): Promise<readonly number[]> {
  const since = Date.now()
  try {
    const { messages, left } = await beginning.inTenant(async (scope) =>
      beginning.signal.aborted
        ? { messages: new Map<number, Outgoing>(), left: ids }
        : beginSending(scope, ids, beginning.owner, linksOf(context)),
    )
    for (const id of ids.filter((one) => !left.includes(one))) {
      const message = messages.get(id)
      line.get(id)?.resolve(message ? { message, since } : null)
    }
    return left
  } catch (error) {
    if (ids.length === 1 || isOutage(error)) await giveUp(line, ids, error, beginning)
    else for (const id of ids) await beginSome(context, line, [id], beginning)
    return []
  }
}

const linksOf = ({ carriers, origin, stopLink }: JobContext) => ({
  ...{ origin, stopLink, hearsReplies: carriers.sms.hearsReplies },
  carrierOf: (channel: Outgoing['channel']) => carriers[channel].name,
})

async function giveUp(
  line: Line,
  ids: readonly number[],
  error: unknown,
  beginning: Beginning,
): Promise<void> {
  const seconds = isOutage(error) ? AFTER_OUTAGE_SECONDS : AFTER_FAILURE_SECONDS
  // If this fails too, the claim ends with its lease.
  await giveBack(ids, beginning, seconds).catch(() => {})
  for (const id of ids) {
    if (hasWaited(error)) line.get(id)?.resolve(null)
    else line.get(id)?.reject(error)
  }
}

/** For a lock, as long as it may: an edit of a long journey holds it, and nothing has failed. */
const hasWaited = (error: unknown) => (error as { code?: unknown } | null)?.code === '55P03'

export const giveBack = (
  ids: readonly number[],
  { inTenant, owner, signal }: Beginning,
  seconds?: number,
): Promise<void> => untilKept(() => inTenant((scope) => releaseClaim(scope, ids, owner, seconds)), signal)
