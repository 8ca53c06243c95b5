import { sql } from 'kysely'
import { mayManageJourneys, maySeeJourney } from '../access/journeys.ts'
import { record, recordChange } from '../audit/audit.server.ts'
import { forbidden, invalid, notFound, Refusal, stale } from '../errors.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { isReadOnly } from '../scope/scoped-transaction.server.ts'
import { requireMayCreate } from './choices.server.ts'
import { CLOCK_AND_HOURS, rememberClockAndHours } from './clock-and-hours.server.ts'
import type { Journey, JourneyChange, JourneyInput } from './journey.ts'
import { isClosed } from './journey-status.ts'
import { type StoredJourney, selectJourneys, storedJourney, toJourney } from './rows.server.ts'
import { MAX_SEGMENTS } from './segments.ts'
import { messageSegments } from './template.ts'
import { requireLivingCategory, timezoneOf } from './tenant-settings.server.ts'

const MAX_NAMED = 3

export async function getJourney(scope: Scope, id: number): Promise<Journey> {
  if (!mayManageJourneys(scope.actor)) throw forbidden()
  const row = await askOnce(scope, storedJourney(id), () => readJourney(scope, id))
  if (!row) throw notFound()
  if (!maySeeJourney(scope.actor, row)) throw forbidden()
  return toJourney(scope.actor, row)
}

async function readJourney(scope: Scope, id: number): Promise<StoredJourney | undefined> {
  const found = await selectJourneys(scope)
    .select(CLOCK_AND_HOURS.as('clock'))
    .where('j.id', '=', id)
    .executeTakeFirst()
  if (found) rememberClockAndHours(scope, id, found.clock)
  return found
}

/**
 * Locks journeys until the transaction ends, so that nobody edits, pauses or ends them. Lock all at once, before any
 * of their rows.
 */
export async function lockJourneys({ db }: Scope, ids: readonly number[]): Promise<void> {
  if (isReadOnly(db)) return
  await sql`select from journeys where id = any(${ids}::bigint[]) order by id for no key update`.execute(db)
}

/** The journey, if the actor may edit it, locked until the transaction ends. Senders are not blocked. */
export async function requireEditable(scope: Scope, id: number): Promise<Journey> {
  await lockJourneys(scope, [id])
  return getJourney(scope, id)
}

export async function requireOpen(scope: Scope, journeyId: number): Promise<Journey> {
  const journey = await requireEditable(scope, journeyId)
  if (isClosed(journey.status))
    throw new Refusal(409, `A journey that is ${journey.status} cannot be changed.`)
  return journey
}

/** `part`: its sub-tenant. */
export async function createJourney(
  scope: Scope,
  input: JourneyInput,
  subTenantId = scope.actor.sub_tenant_id,
): Promise<Journey> {
  const { user_id, is_impersonating } = scope.actor
  await requireMayCreate(scope)
  await requireLivingCategory(scope, input.category, subTenantId)
  const { id } = await scope.db
    .insertInto('journeys')
    .values({
      ...toColumns(input),
      name: input.name,
      timezone: input.timezone ?? (await timezoneOf(scope, subTenantId)),
      tenant_id: scope.actor.tenant_id,
      sub_tenant_id: subTenantId,
      author_id: user_id === null || is_impersonating ? await someAdmin(scope, subTenantId) : user_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(scope, 'journey.created', { type: 'journey', id }, { name: input.name })
  return getJourney(scope, id)
}

/** A journey's author belongs to its tenant; for a journey created by the operator it is the first admin who can open it. */
async function someAdmin({ db }: Scope, subTenantId: string | null): Promise<number> {
  const admin = await db
    .selectFrom('users')
    .innerJoin('user_general_roles as r', 'r.user_id', 'users.id')
    .select('users.id')
    .where('r.role', '=', 'admin')
    .where('users.activation_status', '!=', 'disabled')
    .orderBy(
      sql`r.sub_tenant_id is null or r.sub_tenant_id is not distinct from ${subTenantId}::uuid`,
      'desc',
    )
    .orderBy('users.id')
    .executeTakeFirst()
  if (!admin)
    throw invalid({ author_id: ['This tenant has no administrator yet who could own the journey.'] })
  return admin.id
}

export async function updateJourney(scope: Scope, id: number, change: JourneyChange): Promise<Journey> {
  const journey = await requireEditable(scope, id)
  if (journey.lock_version !== change.lock_version) throw stale(journey)
  if (isClosed(journey.status))
    throw new Refusal(409, `A journey that is ${journey.status} cannot be changed.`)
  if (change.name !== undefined && change.name !== journey.name)
    await requireFittingName(scope, id, change.name)
  if (change.category !== journey.category)
    await requireLivingCategory(scope, change.category, journey.sub_tenant_id)

  const { lock_version, ...input } = change
  await scope.db
    .updateTable('journeys')
    .set({ ...toColumns(input), lock_version: lock_version + 1, updated_on: nowIn(scope) })
    .$if(input.start_on !== undefined && input.start_on !== journey.start_on, (update) =>
      update.set({ start_set_on: sql`scope_now()` }),
    )
    .where('id', '=', id)
    .execute()
  await recordChange(scope, 'journey.updated', { type: 'journey', id }, { before: journey, after: input })
  return getJourney(scope, id)
}

/** Messages contain the name: with a longer one, none may exceed the maximum number of segments. */
async function requireFittingName({ db }: Scope, id: number, name: string): Promise<void> {
  const lifts = await db
    .selectFrom('lifts')
    .select(['title', 'sms_text'])
    .where('journey_id', '=', id)
    .where('status', '!=', 'retired')
    .orderBy('position')
    .execute()
  const tooLong = lifts.filter(
    ({ title, sms_text }) =>
      messageSegments(sms_text, { journey: name, lift: title }).segments > MAX_SEGMENTS,
  )
  if (tooLong.length === 0) return
  const named = tooLong.slice(0, MAX_NAMED).map(({ title }) => `“${title}”`)
  const more = tooLong.length > MAX_NAMED ? ` and ${tooLong.length - MAX_NAMED} more` : ''
  throw invalid({
    name: [
      `With this name, the message of ${named.join(', ')}${more} is longer than ${MAX_SEGMENTS} texts. Shorten the name, or shorten the message first.`,
    ],
  })
}

export async function deleteJourney(scope: Scope, id: number): Promise<void> {
  const journey = await requireEditable(scope, id)
  if (journey.status !== 'draft')
    throw new Refusal(409, 'You can only delete drafts. Archive this journey instead.')
  await record(scope, 'journey.deleted', { type: 'journey', id }, { name: journey.name })
  await scope.db.deleteFrom('journeys').where('id', '=', id).execute()
}

type Given = { [Field in keyof JourneyInput]?: JourneyInput[Field] | undefined }

function toColumns({ reminder_policy, ...plain }: Given) {
  const given = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  ) as Required<Omit<JourneyInput, 'reminder_policy'>>
  return { ...given, ...(reminder_policy && { reminder_policy: JSON.stringify(reminder_policy) }) }
}
