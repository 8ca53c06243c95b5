/** One message on its way: checked and made ready, then what the carrier said about it. */
import { sql } from 'kysely'
import { writeFact } from '../analytics/facts.server.ts'
import { numberStates } from '../consent/consents.server.ts'
import { isRunning, type JourneyStatus } from '../journeys/journey.ts'
import { getVersion } from '../lifts/versions.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import type { Scope } from '../scope.server.ts'
import { composeMessage, type Outgoing } from './message.ts'
import { MAX_LATENESS_HOURS } from './occurrence.ts'
import { nextAllowed } from './planner.ts'
import { wakeSender } from './planning.server.ts'

const SENDING_LEASE_SECONDS = 120

/**
 * Checks once more that the message may leave, and marks it `sending`. This is committed before the
 * carrier is called. Null: it does not leave now, and the row says why.
 */
export async function beginSending(
  scope: Scope,
  id: number,
  owner: string,
  origin: string,
): Promise<Outgoing | null> {
  const row = await readForSending(scope, id, owner)
  if (!row) return null
  const obstacle = await findObstacle(scope, row)
  if (obstacle) {
    await obstacle(scope)
    await writeFact(scope, row.occurrence_id)
    return null
  }
  const content = await getVersion(scope, row.lift_id, row.content_version)
  const message = composeMessage({
    key: `${scope.actor.tenant_id}:${row.id}`,
    tenant_id: scope.actor.tenant_id,
    channel: row.channel === 'sms' ? 'sms' : 'email',
    to: (row.channel === 'sms' ? row.mobile_phone : row.email) ?? '',
    content,
    attempt: row.attempts + 1,
    values: {
      first_name: row.first_name,
      journey: row.journey_name,
      lift: content.title,
      sponsor: row.sponsor_name ?? '',
      link: `${origin}/lift/${row.lift_id}`,
    },
  })
  await scope.db
    .updateTable('dispatches')
    .set({
      state: 'sending',
      attempts: row.attempts + 1,
      address: message.to,
      segments: message.segments,
      sent_at: sql`coalesce(sent_at, now())`,
      lease_until: sql`now() + make_interval(secs => ${SENDING_LEASE_SECONDS})`,
    })
    .where('id', '=', id)
    .execute()
  await scope.db
    .updateTable('occurrences')
    .set({ state: 'due' })
    .where('id', '=', row.occurrence_id)
    .where('state', '=', 'planned')
    .execute()
  await scope.db
    .updateTable('journeys')
    .set({ status: 'active' })
    .where('id', '=', row.journey_id)
    .where('status', '=', 'scheduled')
    .execute()
  await writeFact(scope, row.occurrence_id)
  return message
}

async function readForSending({ db }: Scope, id: number, owner: string) {
  const claimed = await db
    .selectFrom('dispatches')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .where('lease_owner', '=', owner)
    .forUpdate()
    .executeTakeFirst()
  if (!claimed) return null
  const about = await db
    .selectFrom('occurrences as o')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .leftJoin('members as sm', 'sm.id', 'm.sponsor_id')
    .leftJoin('users as su', 'su.id', 'sm.user_id')
    .innerJoin('tenants as t', 't.id', 'j.tenant_id')
    .leftJoin('sub_tenants as st', 'st.id', 'j.sub_tenant_id')
    .select([
      'o.journey_id',
      'o.lift_id',
      'o.content_version',
      't.timezone as tenant_zone',
      sql<string | null>`coalesce(u.timezone, st.timezone)`.as('zone'),
      'o.closes_at',
      'o.state as occurrence_state',
    ])
    .select([
      'm.user_id',
      'm.state as member_state',
      'u.first_name',
      'u.email',
      'u.mobile_phone',
      'u.activation_status',
    ])
    .select(['j.name as journey_name', 'j.status as journey_status', 'su.first_name as sponsor_name'])
    .where('o.id', '=', claimed.occurrence_id)
    .executeTakeFirst()
  return about ? { ...claimed, ...about } : null
}
type Ready = NonNullable<Awaited<ReturnType<typeof readForSending>>>
type Step = (scope: Scope) => Promise<unknown>

/** What keeps the message from leaving, as what is to be written about it. */
async function findObstacle(scope: Scope, row: Ready): Promise<Step | null> {
  const now = Date.now()
  if (!isRunning(row.journey_status as JourneyStatus)) return wait(row, new Date(now + 15 * 60_000))
  if (row.member_state === 'withdrawn' || row.activation_status === 'disabled')
    return end(row, 'suppressed', 'not_active')
  if (row.occurrence_state === 'completed' || row.occurrence_state === 'cancelled')
    return end(row, 'suppressed', row.occurrence_state)
  if (row.closes_at && row.closes_at.getTime() <= now) return end(row, 'expired', 'closed', 'expired')
  if (row.attempts === 0 && now - row.due_at.getTime() > MAX_LATENESS_HOURS * 3_600_000)
    return end(row, 'expired', 'too_late', 'held')
  if (row.channel === 'in_app') return tellInApp(row)
  if (row.channel !== 'sms') return null
  const state = row.mobile_phone
    ? (await numberStates(scope, [row.mobile_phone])).get(row.mobile_phone)
    : 'invalid'
  if (state !== 'opted_in') return fallBackToEmail(row, state ?? 'unknown')
  const allowed = nextAllowed(new Date(now), row)
  return allowed.getTime() > now ? wait(row, allowed) : null
}

const set = (row: Ready, values: Record<string, unknown>) => (scope: Scope) =>
  scope.db
    .updateTable('dispatches')
    .set({ lease_owner: null, lease_until: null, ...values })
    .where('id', '=', row.id)
    .execute()

const wait = (row: Ready, until: Date): Step => set(row, { state: 'planned', next_attempt_at: until })

function end(
  row: Ready,
  state: 'suppressed' | 'expired',
  error_code: string,
  occurrence?: 'expired' | 'held',
): Step {
  return async (scope) => {
    await set(row, { state, error_code })(scope)
    if (!occurrence) return
    await scope.db
      .updateTable('occurrences')
      .set({ state: occurrence })
      .where('id', '=', row.occurrence_id)
      .where('state', 'in', ['planned', 'due'])
      .execute()
  }
}

/** A number whose owner has not said yes gets nothing; the person gets an e-mail. */
function fallBackToEmail(row: Ready, why: string): Step {
  return async (scope) => {
    await set(row, { state: 'suppressed', error_code: `number_${why}` })(scope)
    const { tenant_id, occurrence_id, kind, seq, due_at } = row
    await scope.db
      .insertInto('dispatches')
      .values({ tenant_id, occurrence_id, kind, seq, due_at, channel: 'email', next_attempt_at: new Date() })
      .onConflict((clash) => clash.doNothing())
      .execute()
    await wakeSender(scope)
  }
}

function tellInApp(row: Ready): Step {
  return async (scope) => {
    const content = await getVersion(scope, row.lift_id, row.content_version)
    await notify(scope, [row.user_id], {
      notification_type: 'info',
      content: { title: content.title, message: `Your next lift of "${row.journey_name}" is ready.` },
    })
    await set(row, { sent_at: new Date() })(scope)
    await recordAccepted(scope, row.id, { provider_id: `notification:${row.id}`, delivered: true })
  }
}

export type Receipt = { provider_id: string; delivered?: boolean }

export async function recordAccepted(
  scope: Scope,
  id: number,
  { provider_id, delivered }: Receipt,
): Promise<void> {
  const row = await scope.db
    .updateTable('dispatches')
    .set({
      state: delivered ? 'delivered' : 'accepted',
      provider_id,
      error_code: null,
      accepted_at: sql`coalesce(accepted_at, now())`,
      ...(delivered && { delivered_at: sql`coalesce(delivered_at, now())` }),
      lease_owner: null,
      lease_until: null,
    })
    .where('id', '=', id)
    .where('state', 'not in', ['accepted', 'delivered'])
    .returning('occurrence_id')
    .executeTakeFirst()
  if (!row) return
  await scope.db
    .updateTable('occurrences')
    .set({ state: 'sent' })
    .where('id', '=', row.occurrence_id)
    .where('state', 'in', ['planned', 'held', 'due'])
    .execute()
  await writeFact(scope, row.occurrence_id)
}

/** The carrier surely did not take it: tried again at `retry_at`, or given up. */
export async function recordRefused(
  scope: Scope,
  id: number,
  { code, retry_at }: { code: string; retry_at: Date | null },
): Promise<void> {
  await settle(scope, id, {
    state: retry_at ? 'planned' : 'failed',
    error_code: code,
    ...(retry_at && { next_attempt_at: retry_at }),
  })
}

/** Nobody knows whether the carrier took it. It is looked up there at `look_up_at`, never sent blindly. */
export async function recordUnknown(scope: Scope, id: number, look_up_at: Date): Promise<void> {
  await settle(scope, id, { state: 'unknown', next_attempt_at: look_up_at })
}

async function settle(scope: Scope, id: number, values: Record<string, unknown>): Promise<void> {
  const row = await scope.db
    .updateTable('dispatches')
    .set({ ...values, lease_owner: null, lease_until: null })
    .where('id', '=', id)
    .where('state', 'in', ['claimed', 'sending', 'unknown'])
    .returning('occurrence_id')
    .executeTakeFirst()
  if (row) await writeFact(scope, row.occurrence_id)
}

/** What a carrier is asked about a message whose fate is unknown. */
export async function readUnknown({ actor, db }: Scope, id: number) {
  const row = await db
    .selectFrom('dispatches')
    .select(['channel', 'attempts', 'created_on'])
    .where('id', '=', id)
    .where('state', '=', 'unknown')
    .executeTakeFirst()
  return row ? { ...row, key: `${actor.tenant_id}:${id}`, tenant_id: actor.tenant_id } : null
}
