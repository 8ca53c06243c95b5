/** Lets time pass: from one hour with due messages to the next, forward and back, until none is left. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, withAdmin } from '../faults/database.ts'
import type { Clock } from './clock.ts'

/** A message in flight for longer hangs, or its process is gone: its lease has to expire. */
const STUCK_MS = 12_000
const AFTER_LEASE_MINUTES = 3
/** Messages may gather for this long before the clock reaches them: shorter than what makes them late. */
const MAX_GATHERED_MINUTES = 240

type Queue = { open: number; due: Date | null }

/** Reads the rows directly; this only chooses the next hour, and judges nothing. */
const readQueue = (database: Database): Promise<Queue> =>
  withAdmin(database, async (admin) => {
    const { rows } = await admin.query<{ open: string; due: Date | null }>(
      `select count(*) filter (where d.state in ('claimed', 'sending') or d.next_attempt_at <= now()) as open,
         min(d.next_attempt_at) filter (where d.next_attempt_at > now()) as due
       from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
         join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
       where j.name like 'Fault proof%' and d.state in ('planned', 'claimed', 'sending', 'unknown')
         and d.next_attempt_at < now() + interval '100 years'`,
    )
    return { open: Number(rows[0]?.open), due: rows[0]?.due ?? null }
  })

async function askQueue(database: Database): Promise<Queue> {
  for (;;)
    try {
      return await readQueue(database)
    } catch {
      await sleep(300)
    }
}

/** Senders poll every five seconds; this tells them at once that the clock has moved, if they are listening. */
const wake = (database: Database) =>
  withAdmin(database, (admin) => admin.query('notify liftwell_dispatches')).catch(() => {})

/** Waits until everything due now has been sent, or is waiting for something. */
export async function settleDue(database: Database, clock: Clock): Promise<Queue> {
  let [began, least] = [Date.now(), Number.POSITIVE_INFINITY]
  for (;;) {
    const queue = await askQueue(database)
    if (queue.open === 0) return queue
    if (queue.open < least) [began, least] = [Date.now(), queue.open]
    if (Date.now() - began > STUCK_MS) {
      clock.moveBy(AFTER_LEASE_MINUTES, true)
      await wake(database)
      ;[began, least] = [Date.now(), Number.POSITIVE_INFINITY]
    }
    await sleep(150)
  }
}

/**
 * Moves on by one hour; false when nothing is left. Every fifth time the clock first goes back, every seventh it jumps
 * and comes back during sending.
 */
export async function passOn(
  database: Database,
  clock: Clock,
  nth: number,
  upTo: (most: number) => number,
): Promise<boolean> {
  const { due } = await settleDue(database, clock)
  if (!due) return false
  if (nth % 5 === 4) {
    clock.moveBy(-40 - upTo(60), false)
    await sleep(500)
  }
  const gathered = upTo(MAX_GATHERED_MINUTES)
  clock.moveTo(new Date(due.getTime() + gathered * 60_000), false)
  if (nth % 7 === 6) {
    await sleep(400)
    clock.moveBy(45, true)
    await sleep(700)
    clock.moveBy(-45, true)
  }
  await wake(database)
  await sleep(300)
  return true
}
