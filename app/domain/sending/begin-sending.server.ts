/** Checks claimed messages once more, and prepares them for their carrier. */
import { sql } from 'kysely'
import { writeFact } from '../occurrences/facts.server.ts'
import { joinSenders } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Claimed, readClaimed } from './claimed-dispatch.server.ts'
import { composeAll, type SendingLinks } from './compose.server.ts'
import { findObstacles } from './delivery-checks.server.ts'
import type { Outgoing } from './message.ts'
import { hasDailyCap } from './send-limits.server.ts'

const SENDING_LEASE_SECONDS = 120

/** The carrier of each channel. */
type Carriers = { carrierOf?: ((channel: Outgoing['channel']) => string | undefined) | undefined }

/** `messages` are to be sent; `left` were not looked at, and need a transaction of their own. */
export type Begun = { messages: Map<number, Outgoing>; left: number[] }

/**
 * Marks messages as `sending`, to be committed before the carrier is called; messages with an obstacle are not
 * returned. One call handles one journey and at most one message per person, so that limits count each message and
 * locks cannot deadlock.
 */
export async function beginSending(
  scope: Scope,
  ids: readonly number[],
  owner: string,
  links: SendingLinks & Carriers,
): Promise<Begun> {
  const journey = await findFirstJourney(scope, ids)
  if (!journey) return { messages: new Map(), left: [] }
  await activateJourney(scope, journey)
  await joinSenders(scope, journey.id)
  const rows = await readClaimed(scope, journey.dispatches, owner)
  const together = standingAlone(rows)
  const messages = await begin(scope, together, links)
  const seen = new Set([...journey.dispatches, ...journey.gone])
  for (const row of rows) if (!together.includes(row)) seen.delete(row.id)
  return { messages, left: ids.filter((id) => !seen.has(id)) }
}

async function begin(scope: Scope, rows: readonly Claimed[], links: SendingLinks & Carriers) {
  const obstacles = await findObstacles(scope, rows)
  for (const row of inOrder(rows)) await obstacles.get(row.id)?.(scope)
  const leaving = rows.filter(({ id }) => !obstacles.has(id))
  const messages = await composeAll(scope, leaving, links)
  await markSending(scope, messages, links)
  await scope.db
    .updateTable('occurrences')
    .set({ state: 'due' })
    .where(sql<boolean>`id = any(${leaving.map((row) => row.occurrence_id)}::bigint[])`)
    .where('state', '=', 'planned')
    .execute()
  await writeFact(scope, ...rows.map((row) => row.occurrence_id))
  return messages
}

/** A fixed order of writes, to avoid deadlocks. */
const inOrder = (rows: readonly Claimed[]) =>
  rows.toSorted((one, other) => one.lift_id - other.lift_id || one.occurrence_id - other.occurrence_id)

async function markSending(
  { db }: Scope,
  messages: ReadonlyMap<number, Outgoing>,
  { carrierOf }: Carriers,
): Promise<void> {
  if (messages.size === 0) return
  const [ids, all] = [[...messages.keys()], [...messages.values()]]
  // `sent_at` is the last attempt: a message that certainly did not leave before counts for the day and hour of its
  // final attempt.
  await sql`update dispatches d set state = 'sending', error_code = null, attempts = message.attempt,
      address = message.address, carrier = message.carrier, segments = message.segments, sent_at = scope_now(),
      lease_until = now() + make_interval(secs => ${SENDING_LEASE_SECONDS})
    from unnest(${ids}::bigint[], ${all.map(({ attempt }) => attempt)}::int[],
      ${all.map(({ to }) => to)}::text[], ${all.map(({ channel }) => carrierOf?.(channel) ?? null)}::text[],
      ${all.map(({ segments }) => segments)}::int[]) as message (id, attempt, address, carrier, segments)
    where d.id = any(${ids}::bigint[]) and d.id = message.id`.execute(db)
}

/** Groups the existing messages by journey, in their order. */
export async function groupByJourney(scope: Scope, ids: readonly number[]): Promise<number[][]> {
  const journeys = await findJourneys(scope, ids)
  return [...Map.groupBy(journeys.keys(), (id) => journeys.get(id)).values()]
}

type Journey = { id: number; dispatches: number[]; gone: number[] }

/** The journey of the first existing message, with its other messages. */
async function findFirstJourney(scope: Scope, ids: readonly number[]): Promise<Journey | null> {
  const journeys = await findJourneys(scope, ids)
  const [id] = journeys.values()
  if (id === undefined) return null
  const dispatches = [...journeys.keys()].filter((one) => journeys.get(one) === id)
  return { id, dispatches, gone: ids.filter((one) => !journeys.has(one)) }
}

async function findJourneys({ db }: Scope, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; journey_id: number }>`
    select wanted.id, o.journey_id from unnest(${ids}::bigint[]) with ordinality as wanted (id, nth)
      cross join lateral (select occurrence_id from dispatches where id = wanted.id offset 0) d
      cross join lateral (select journey_id from occurrences where id = d.occurrence_id offset 0) o
    order by wanted.nth`.execute(db)
  return new Map(rows.map((row) => [row.id, row.journey_id]))
}

/** The first message of each person and number; only one if the company limits its messages per day. */
function standingAlone(rows: readonly Claimed[]): Claimed[] {
  const [first] = rows
  if (first && hasDailyCap(first)) return [first]
  const taken = new Set<string>()
  return rows.filter((row) => {
    const marks = [`person ${row.user_id}`, ...(row.mobile_phone ? [`number ${row.mobile_phone}`] : [])]
    if (marks.some((mark) => taken.has(mark))) return false
    for (const mark of marks) taken.add(mark)
    return true
  })
}

/** First of all: the journey is locked before its messages, as in edits. */
async function activateJourney({ db }: Scope, { id, dispatches }: Journey): Promise<void> {
  await sql`update journeys set status = 'active' where id = ${id} and status = 'scheduled'
    and exists (select from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
      where d.id = any(${dispatches}::bigint[]) and o.due_at <= scope_now())`.execute(db)
}
