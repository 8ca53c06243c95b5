/** Starts messages that are due: for each channel as many as its carrier takes at once. */
import PQueue from 'p-queue'
import { CHANNELS, type Channel } from '#app/domain/journeys/channel.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import {
  type Claim,
  claimDispatches,
  claimLookUps,
  recoverLeases,
  untilDue,
} from '#app/domain/sending/claims.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { createKeeping } from './keep-outcomes.server.ts'
import { createLanes, LANES, type Lane } from './lanes.server.ts'
import { lookUp } from './look-up.server.ts'
import { sendLifts } from './send-lifts.server.ts'

/** Leaves connections for other work. */
const IN_DATABASE_AT_ONCE = 5
const LONGEST_SLEEP = 5_000
/** How often to look again while a carrier is away, or others hold due or lapsed messages: nothing announces a change. */
const SLEEP_WHILE_AWAY = 500

/** More may be due after `pause` milliseconds. */
export type Begun = { count: number; pause: number }
type Claims = { owner: string; claims: readonly Claim[] }
/** `sender`: the name under which messages are claimed. */
type Sending = { sender: string; signal: AbortSignal; ended: () => void }

export function createBeginning(context: JobContext, { sender, signal, ended }: Sending) {
  const { database, log, pulse } = context
  const lanes = createLanes(context)
  const queue = new PQueue({ concurrency: IN_DATABASE_AT_ONCE })
  const claim = createClaiming(database, sender, lanes.isAway)
  const inTenant = <Result>(tenantId: string, work: (scope: Scope) => Promise<Result>) =>
    queue.add(() => inScope(database, systemActor(tenantId), work))
  const keep = createKeeping(inTenant, signal)

  function start(lane: Lane, { claims, owner }: Claims): void {
    for (const [tenantId, own] of Map.groupBy(claims, (one) => one.tenant_id)) {
      const works =
        lane === 'look_up'
          ? own.map((one) => lookUp(context, one))
          : sendLifts(
              context,
              own.map(({ id }) => id),
              {
                ...{ owner, signal },
                inTenant: (work) => inTenant(tenantId, work),
                keep: (one) => keep(tenantId, one),
              },
            )
      for (const [index, work] of works.entries()) {
        const watched = work.catch((err: unknown) =>
          log.error({ event: 'lift.failed', dispatch: own[index]?.id, err }),
        )
        lanes.enter(lane, watched, ended)
      }
    }
  }

  async function beginIn(lane: Lane, until: number): Promise<Begun> {
    if (lanes.isAway(lane)) return { count: 0, pause: SLEEP_WHILE_AWAY }
    const room = lanes.roomIn(lane)
    // Messages in flight wake the loop when they end.
    if (room === 0) return { count: 0, pause: LONGEST_SLEEP }
    if (until > 0) return { count: 0, pause: until }
    const claimed = await pulse.of('sender', () => claim(lane, room))
    start(lane, claimed)
    return { count: claimed.claims.length, pause: SLEEP_WHILE_AWAY }
  }

  async function begin(): Promise<Begun> {
    const until = await pulse.of('sender', () => untilDue(database))
    if (until.lapsed <= 0 && (await recoverLeases(database)) > 0) return { count: 1, pause: 0 }
    const lapses = until.lapsed > 0 ? until.lapsed : SLEEP_WHILE_AWAY
    const begun: Begun = { count: 0, pause: Math.min(LONGEST_SLEEP, lapses) }
    for (const lane of LANES) {
      const { count, pause } = await beginIn(lane, until[lane])
      begun.count += count
      begun.pause = Math.min(begun.pause, pause)
    }
    return begun
  }

  return { begin, inFlight: lanes.everything }
}

function createClaiming(
  database: JobContext['database'],
  sender: string,
  isAway: (channel: Channel) => boolean,
) {
  /** The last tenant served on each channel; the next round continues with the tenants after it. */
  const served: Partial<Record<Channel, string>> = {}
  let round = 0
  return async (lane: Lane, limit: number): Promise<Claims> => {
    // Each round has its own owner, so that a late result of one cannot claim another's message.
    const owner = `${sender}/${++round}`
    if (lane === 'look_up') {
      const channels = CHANNELS.filter((channel) => !isAway(channel))
      return { owner, claims: await claimLookUps(database, channels, limit) }
    }
    const claims = await claimDispatches(database, owner, { channel: lane, limit, after: served[lane] })
    const last = claims.at(-1)
    if (last) served[lane] = last.tenant_id
    return { owner, claims }
  }
}
