/** Moves the clock of the testing tenant forward, event by event. After an interruption it continues from there. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { nowIn } from '#app/domain/scope/clock.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { claimDue, isBusy, releaseClaims } from '#app/domain/sending/claims.server.ts'
import { findDeeds } from '#app/domain/testing/answering.server.ts'
import { stepOn } from '#app/domain/testing/clock.server.ts'
import type { ClockMove } from '#app/domain/testing/clock.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { briefSponsors } from './brief-sponsors.server.ts'
import type { JobContext } from './context.ts'
import { lookAfterAssessments } from './look-after-assessments.server.ts'
import { lookAfterJourneys } from './look-after-journeys.server.ts'
import { remindCommitments } from './remind-commitments.server.ts'
import { createKeeping, type Ended } from './sending/keep-outcomes.server.ts'
import { sendLifts } from './sending/send-lifts.server.ts'
import { summarizeWeeks } from './summarize-weeks.server.ts'

const AT_ONCE = 20
/** Waits this long for other processes that work on the same messages. */
const PATIENCE_MS = 10_000
const LOOK_AGAIN_MS = 50
/** How often, at one moment, people may answer messages that earlier answers caused. */
const TURNS = 3

const Payload = z.object({ tenant_id: z.uuid() })
type InTenant = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>

export async function moveClock(context: JobContext, payload: unknown): Promise<void> {
  const { tenant_id } = Payload.parse(payload)
  const inTenant: InTenant = (work) => inScope(context.database, systemActor(tenant_id), work)
  for (;;) {
    const since = await inTenant(async (scope) => nowIn(scope))
    await letHappen(context, inTenant)
    const step = await inTenant((scope) => stepOn(scope, since))
    if (!step) return
    await sleep(restOf(step.move, step.now))
  }
}

function restOf({ from, to, began_on, seconds }: ClockMove, now: Date): number {
  const share = (now.getTime() - Date.parse(from)) / (Date.parse(to) - Date.parse(from))
  return Math.max(0, Date.parse(began_on) + share * seconds * 1000 - Date.now())
}

async function letHappen(context: JobContext, inTenant: InTenant): Promise<void> {
  await lookAfterAssessments(context)
  await briefSponsors(context)
  await summarizeWeeks(context)
  await remindCommitments(context)
  await deliver(context, inTenant)
  // Messages caused by an answer are sent at once, and may be answered in turn.
  for (let turn = 0; turn < TURNS && (await letAnswer(context, inTenant)); turn++)
    await deliver(context, inTenant)
  await lookAfterJourneys(context)
}

async function letAnswer({ log }: JobContext, inTenant: InTenant): Promise<boolean> {
  let isSomebody = false
  for (const deed of await inTenant(findDeeds))
    await inTenant(deed).then(
      () => {
        isSomebody = true
      },
      (err: unknown) => log.warn({ event: 'clock.not-answered', err }),
    )
  return isSomebody
}

async function deliver(context: JobContext, inTenant: InTenant): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    if (await deliverSome(context, inTenant)) continue
    const busy = await inTenant(isBusy)
    if (!busy) break
    // Where the queues run by themselves, running jobs here would first do all the others' jobs.
    if (busy === 'jobs' && context.isIdle) await context.runJobs()
    else await sleep(LOOK_AGAIN_MS)
  }
}

/** Whether anything was due. If the database is away the job fails, and its retry finds everything unsent. */
async function deliverSome(context: JobContext, inTenant: InTenant): Promise<boolean> {
  const owner = `clock:${randomUUID()}`
  const { signal } = new AbortController()
  const keep = createKeeping((_, work) => inTenant(work), signal)
  const sending = { owner, signal, inTenant, keep: (ended: Ended) => keep(owner, ended) }
  try {
    const ids = await inTenant((scope) => claimDue(scope, owner, AT_ONCE))
    for (const id of ids)
      await Promise.all(sendLifts(context, [id], sending)).catch((err: unknown) => {
        if (isOutage(err)) throw err
        context.log.error({ event: 'lift.failed', dispatch: id, err })
      })
    return ids.length > 0
  } finally {
    await releaseClaims(context.database, owner).catch(() => {})
  }
}
