/** The obstacles to sending a message now, and what is recorded about each. */
import { sql } from 'kysely'
import { numberStates } from '../consent/consents.server.ts'
import { nextAllowed } from '../hours/next-allowed.ts'
import { isClosed, isRunning, type JourneyStatus } from '../journeys/journey-status.ts'
import { getVersion } from '../lifts/versions.server.ts'
import { whyNotMailedEach } from '../mail-stops/asking.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import { hasEnded, MAX_LATENESS_HOURS } from '../occurrences/occurrence.ts'
import { hasFailed } from '../occurrences/resend.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'
import { afterToday } from './daily-limit.server.ts'
import { recordAccepted, sendByEmail } from './receipts.server.ts'
import { heldByCompany, heldByHour } from './send-limits.server.ts'
import { tellOfLate } from './telling-of-late.server.ts'

/** How long a message waits while its person is still to be replanned. */
const PLANNED_FIRST_SECONDS = 20

type Step = (scope: Scope) => Promise<unknown>
type Check = (row: Claimed) => Step | null | undefined

/** For each message with an obstacle, what to record. All are of one journey, and no two are for the same person. */
export async function findObstacles(scope: Scope, rows: readonly Claimed[]): Promise<Map<number, Step>> {
  const found = new Map<number, Step>()
  for (const look of [atPurpose, atDay, atCompany, atHour, atChannel]) {
    const open = rows.filter(({ id }) => !found.has(id))
    const check = await look(scope, open)
    for (const row of open) {
      const step = check(row)
      if (step) found.set(row.id, step)
    }
  }
  return found
}

const atPurpose = (scope: Scope): Check => {
  const now = nowIn(scope).getTime()
  return (row) => findEnd(row, now)
}

async function atDay(scope: Scope, rows: readonly Claimed[]): Promise<Check> {
  const days = await afterToday(scope, rows)
  return (row) => {
    const later = days.get(row.id)
    return later && moveTo(row, later)
  }
}

async function atCompany(scope: Scope, [first]: readonly Claimed[]): Promise<Check> {
  const held = first ? await heldByCompany(scope, first) : null
  return (row) => held && restFrom(row, held)
}

async function atHour(scope: Scope, rows: readonly Claimed[]): Promise<Check> {
  const hours = await heldByHour(scope, rows.filter(isText))
  return (row) => {
    const held = hours.get(row.id)
    return held && restFrom(row, held)
  }
}

async function atChannel(scope: Scope, rows: readonly Claimed[]): Promise<Check> {
  const mails = rows.filter(({ channel }) => channel === 'email')
  const stopped = await whyNotMailedEach(scope, mails)
  const numbers = rows.filter(isText).flatMap(({ mobile_phone }) => mobile_phone ?? [])
  const states = await numberStates(scope, numbers)
  const now = nowIn(scope)
  return (row) => {
    if (row.channel === 'in_app') return tellInApp(row)
    const why = stopped[mails.indexOf(row)]
    if (why) return end(row, 'suppressed', why)
    const state = row.mobile_phone ? states.get(row.mobile_phone) : 'invalid'
    if (isText(row) && state !== 'opted_in') return fallBackToEmail(row, state ?? 'unknown')
    if (row.channel === 'email' && isWordOfSomebody(row)) return null
    return nextAllowed(now, row) > now ? restFrom(row, now) : null
  }
}

const isText = ({ channel }: Claimed): boolean => channel === 'sms'

/** A lift that a person sends now leaves immediately by e-mail, on any day. */
const isWordOfSomebody = (row: Claimed): boolean => row.kind === 'lift' && row.by_hand

const daysOf = (row: Claimed): readonly string[] | undefined =>
  isWordOfSomebody(row) || row.send_days.length === 0 ? undefined : row.send_days

/** The message is obsolete, not due yet, or too late. */
function findEnd(row: Claimed, now: number): Step | null {
  const status = row.journey_status as JourneyStatus
  if (isClosed(status)) return end(row, 'expired', status)
  if (!isRunning(status) || !row.is_open) return wait(row, new Date(now + 15 * 60_000))
  if (row.is_pending) return wait(row, new Date(now + PLANNED_FIRST_SECONDS * 1000))
  if (row.member_state === 'withdrawn' || row.activation_status === 'disabled')
    return end(row, 'suppressed', 'not_active')
  if (row.is_stopped) return end(row, 'suppressed', 'stopped')
  if (hasEnded(row.kind, row.occurrence_state)) return end(row, 'suppressed', row.occurrence_state)
  if (row.closes_at && row.closes_at.getTime() <= now) return end(row, 'expired', 'closed', 'expired')
  if (row.attempts === 0 && now - row.due_at.getTime() > MAX_LATENESS_HOURS * 3_600_000)
    return end(row, 'expired', 'too_late', 'held')
  return null
}

const set = (row: Claimed, values: Record<string, unknown>) => (scope: Scope) =>
  scope.db
    .updateTable('dispatches')
    .set({ lease_owner: null, lease_until: null, ...values })
    .where('id', '=', row.id)
    .execute()

const wait = (row: Claimed, until: Date): Step => set(row, { state: 'planned', next_attempt_at: until })

/** Moving `due_at` as well keeps a message delayed by quiet hours or a cap from counting as late. */
const rest = (row: Claimed, until: Date): Step =>
  set(row, { state: 'planned', next_attempt_at: until, due_at: until })
const restFrom = (row: Claimed, held: Date): Step => rest(row, nextAllowed(held, row, daysOf(row)))

/** Moves the occurrence to another day too, as shown in the list of coming lifts. */
const moveTo =
  (row: Claimed, due_at: Date): Step =>
  async (scope) => {
    await set(row, { state: 'planned', next_attempt_at: due_at, due_at })(scope)
    if (row.kind === 'lift')
      await sql`update occurrences set due_at = ${due_at},
        shifted = array_append(array_remove(shifted, 'daily_cap'), 'daily_cap') where id = ${row.occurrence_id}`.execute(
        scope.db,
      )
  }

function end(
  row: Claimed,
  state: 'suppressed' | 'expired',
  error_code: string,
  occurrence?: 'expired' | 'held',
): Step {
  return async (scope) => {
    await set(row, { state, error_code })(scope)
    if (!occurrence) return
    const { numUpdatedRows } = await scope.db
      .updateTable('occurrences')
      .set({ state: occurrence })
      .where('id', '=', row.occurrence_id)
      .where('state', 'in', ['planned', 'due'])
      .executeTakeFirst()
    if (occurrence === 'held' && (numUpdatedRows > 0n || (await isLost(scope, row))))
      await tellOfLate(scope, row)
  }
}

/** A lift that was sent before and never arrived. A reminder that comes too late leaves nothing waiting. */
const isLost = async (scope: Scope, { kind, occurrence_id }: Claimed): Promise<boolean> =>
  kind === 'lift' && (await hasFailed(scope, occurrence_id))

/** Without consent, a number gets no text; the person gets an e-mail. */
const fallBackToEmail =
  (row: Claimed, why: string): Step =>
  async (scope) => {
    await set(row, { state: 'suppressed', error_code: `number_${why}` })(scope)
    await sendByEmail(scope, row.id)
  }

function tellInApp(row: Claimed): Step {
  return async (scope) => {
    const content = await getVersion(scope, row.lift_id, row.content_version)
    await notify(scope, [row.user_id], {
      notification_type: 'info',
      content: {
        title: content.title,
        message: `Your next lift of “${row.journey_name}” is ready.`,
        path: `/lift/${row.lift_id}`,
      },
    })
    await set(row, { sent_at: nowIn(scope) })(scope)
    await recordAccepted(scope, { id: row.id, provider_id: `notification:${row.id}`, delivered: true })
  }
}
