/** At the end, compares what was acknowledged with what exists, and each message with the carrier's own count. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Carried } from './carriers.ts'
import type { Findings } from './findings.ts'
import type { Ledger } from './ledger.ts'

/** A message that a killed process was sending is looked up after its lease. */
const SETTLED_MS = 150_000

/** Messages of journeys that the proof created, not of the demo's. */
const OF_PROOF = `exists (select from occurrences o join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
  where o.tenant_id = d.tenant_id and o.id = d.occurrence_id and j.name like 'Fault proof %')`

/** Waits until no message or invitation is open; what is due later that day is brought forward once. */
export async function settle(admin: pg.Client): Promise<void> {
  const until = Date.now() + SETTLED_MS
  while (Date.now() < until) {
    // A busy carrier's next try may be minutes away, a reminder an hour.
    await admin.query(`update dispatches d set next_attempt_at = now()
      where state = 'planned' and lease_until is null and next_attempt_at > now() and ${OF_PROOF}`)
    const { rows } = await admin.query<{ open: string }>(
      `select (select count(*) from dispatches d where state in ('planned', 'claimed', 'sending') and ${OF_PROOF})
        + (select count(*) from graphile_worker.jobs where task_identifier = 'invite-user' and attempts < max_attempts) as open`,
    )
    if (Number(rows[0]?.open) === 0) return
    await sleep(1000)
  }
}

export type Verdict = { name: string; acknowledged: number; lost: number; doubled: number }

type Rows = Record<string, unknown>[]

export async function compareWrites(
  admin: pg.Client,
  ledger: Ledger,
  findings: Findings,
): Promise<Verdict[]> {
  const query = async (text: string, values: unknown[] = []) =>
    (await admin.query<Rows[number]>(text, values)).rows
  const users = await query(`select email::text as key, count(*)::int as count from users
    where email like 'person-%@faults.liftwell-proof.net' group by 1`)
  const journeys = await query(`select name as key, count(*)::int as count from journeys
    where name like 'Fault proof %' group by 1`)
  const occurrences =
    await query(`select o.lift_id || ' ' || m.user_id as key, count(*)::int as count from occurrences o
    join members m on m.tenant_id = o.tenant_id and m.id = o.member_id group by 1`)
  const told = await query(
    `select (content ->> 'title') || ' ' || user_id as key, count(*)::int as count from notifications
     where notification_type = 'launch' and content ->> 'title' like 'Fault proof %' group by 1`,
  )
  const answers =
    await query(`select lift_id || ' ' || (value #>> '{}') as key, count(*)::int as count from responses
    where value #>> '{}' like 'Answer to Fault proof %' group by 1`)
  const read = await query(
    'select id::text as key, 1 as count from notifications where has_read and id = any($1)',
    [[...ledger.read]],
  )
  const compare = (name: string, wanted: Iterable<string>, rows: Rows) =>
    compareKeys(findings, name, [...wanted], rows)
  return [
    compare('people added', ledger.users.keys(), users),
    compare('journeys made', ledger.journeys, journeys),
    compare(
      'occurrences of launched journeys',
      ledger.launched.flatMap(({ lift, learners }) => learners.map(({ user_id }) => `${lift} ${user_id}`)),
      occurrences,
    ),
    compare(
      'notifications of a launch',
      ledger.launched.flatMap(({ name, learners }) => learners.map(({ user_id }) => `${name} ${user_id}`)),
      told,
    ),
    compare(
      'answers',
      [...ledger.answers]
        .filter(([, { prompt }]) => prompt > 0)
        .map(([lift, { value }]) => `${lift} ${value}`),
      answers,
    ),
    compare('notifications read', [...ledger.read].map(String), read),
  ]
}

function compareKeys(findings: Findings, name: string, wanted: string[], rows: Rows): Verdict {
  const there = new Map(rows.map(({ key, count }) => [String(key), Number(count)]))
  const lost = wanted.filter((key) => !there.has(key))
  const doubled = [...there].filter(([, count]) => count > 1).map(([key]) => key)
  for (const key of lost) findings.miss(`acknowledged and lost, ${name}: ${key}`, '', 'in the end')
  for (const key of doubled) findings.miss(`there more than once, ${name}: ${key}`, '', 'in the end')
  return { name, acknowledged: wanted.length, lost: lost.length, doubled: doubled.length }
}

type Dispatch = { key: string; state: string; is_ours: boolean; whole: string }

export type Messages = { carried: number; doubled: number; states: Map<string, number> }

/** Compares our state of a message with how often a carrier has it; null when they agree. */
function contradictionOf(state: string, count: number): string | null {
  if (count > 1) return `sent ${count} times`
  if (['planned', 'claimed', 'sending'].includes(state)) return `still ${state} at the end`
  const isSent = state === 'accepted' || state === 'delivered'
  if (isSent && count === 0) return 'said to be sent, and no carrier has it'
  // `unknown` agrees with either.
  return !isSent && state !== 'unknown' && count > 0 ? `taken by a carrier, and said to be ${state}` : null
}

/** Each message by (lift, learner, kind): taken once if we say it was sent, at most once if its fate is unknown. */
export async function compareMessages(
  admin: pg.Client,
  carried: readonly Carried[],
  findings: Findings,
): Promise<Messages> {
  const { rows } = await admin.query<Dispatch>(
    `select o.lift_id || ' ' || coalesce(d.address, u.email::text) || ' ' || d.kind as key, d.state,
       u.email like 'learner-%@faults.liftwell-proof.net' as is_ours,
       concat_ws(' ', row_to_json(d)::text, 'of', o.state, m.state, u.activation_status) as whole
     from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
       join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
       join users u on u.tenant_id = m.tenant_id and u.id = m.user_id`,
  )
  const counts = new Map<string, number>()
  for (const { lift, to, kind } of carried) {
    const key = `${lift} ${to} ${kind}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const states = new Map<string, number>()
  for (const { key, state, whole } of rows.filter(({ is_ours }) => is_ours)) {
    const count = counts.get(key) ?? 0
    const name = state === 'unknown' ? `unknown and ${count === 0 ? 'never taken' : 'taken'}` : state
    states.set(name, (states.get(name) ?? 0) + 1)
    const contradiction = contradictionOf(state, count)
    if (contradiction) findings.miss(`${contradiction}: ${key}`, whole, 'in the end')
  }
  const known = new Set(rows.map(({ key }) => key))
  for (const key of counts.keys())
    if (!known.has(key)) findings.miss(`sent, and not known to the database: ${key}`, '', 'in the end')
  const doubled = [...counts.values()].filter((count) => count > 1).length
  return { carried: carried.length, doubled, states }
}

/** Each requested invitation has arrived once, or administrators were told that it is unknown. */
export async function compareInvitations(
  admin: pg.Client,
  ledger: Ledger,
  invited: readonly string[],
  findings: Findings,
): Promise<Verdict> {
  const { rows: told } = await admin.query<{ name: string }>(
    `select distinct substring(content ->> 'message' from 'the invitation of Person (\\d+) has arrived') as name
     from notifications where content ->> 'message' like 'Nobody knows whether the invitation of Person %'`,
  )
  const isUnclear = new Set(told.map(({ name }) => `person-${name}@faults.liftwell-proof.net`))
  const wanted = [...ledger.users].filter(([email, send]) => send && !isUnclear.has(email))
  const counts = new Map<string, number>()
  for (const email of invited) counts.set(email, (counts.get(email) ?? 0) + 1)
  const rows = [...counts].map(([key, count]) => ({ key, count }))
  const names = wanted.map(([email]) => email)
  return compareKeys(findings, `invitations (${told.length} more unclear)`, names, rows)
}
