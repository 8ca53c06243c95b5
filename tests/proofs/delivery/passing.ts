/** Time that passes: from one hour in which messages are due to the next, forward and back, until nothing is to come. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, withAdmin } from '../faults/database.ts'
import type { Clock } from './clock.ts'

/** What is longer under way hangs, or belonged to a process that is gone: its lease has to pass. */
const STUCK_MS = 12_000
const AFTER_LEASE_MINUTES = 3
/** Messages gather for up to this long before the clock gets there: less than what makes them late. */
const MAX_GATHERED_MINUTES = 240

type Queue = { open: number; due: Date | null }

/** Asks the rows themselves; only which hour comes next hangs on it, not what is found. */
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

/** Senders look every five seconds by themselves; here they are told that it is later now, where they can hear it. */
const wake = (database: Database) =>
  withAdmin(database, (admin) => admin.query('notify liftwell_dispatches')).catch(() => {})

/** Waits until what is due now has left, or waits for something. */
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
 * One hour more; false where nothing is to come. Every fifth time the clock goes back first, every seventh it jumps
 * and comes back in the midst of sending.
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
