import { sql } from 'kysely'
import { record, recordChange } from '../audit/audit.server.ts'
import { conflict, invalid, notFound, Refusal } from '../errors.ts'
import { isClosed } from '../journeys/journey-status.ts'
import { getJourney, requireEditable } from '../journeys/journeys.server.ts'
import { requireSeen, type Seen, wasDone } from '../optimistic-lock.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { Objective, type ObjectiveChange, type ObjectiveInput } from './objective.ts'

const MAX_OBJECTIVES = 50

const USES = sql<number>`(select count(*) from lift_objectives l where l.objective_id = o.id)
  + (select count(*) from prompt_objectives p where p.objective_id = o.id)
  + (select count(*) from assessment_items a where a.objective_id = o.id)`

const select = ({ db }: Scope) =>
  db
    .selectFrom('learning_objectives as o')
    .select(['o.id', 'o.journey_id', 'o.code', 'o.text', 'o.target_level', 'o.position', 'o.lock_version'])
    .select(USES.as('uses'))
    .where('o.retired_on', 'is', null)

export async function listObjectives(scope: Scope, journeyId: number): Promise<Objective[]> {
  await getJourney(scope, journeyId)
  const rows = await select(scope).where('o.journey_id', '=', journeyId).orderBy('o.position').execute()
  return rows.map((row) => Objective.parse(row))
}

export async function getObjective(scope: Scope, id: number): Promise<Objective> {
  const row = await select(scope).where('o.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return Objective.parse(row)
}

export async function createObjective(scope: Scope, journeyId: number, input: ObjectiveInput) {
  await requireOpen(scope, journeyId)
  await requireFreeCode(scope, journeyId, input.code)
  return copyObjective(scope, journeyId, input)
}

/** Copies an objective of a journey or an imported file, in which codes may differ in case only. */
export async function copyObjective(scope: Scope, journeyId: number, input: ObjectiveInput) {
  await requireOpen(scope, journeyId)
  const living = await listObjectives(scope, journeyId)
  if (living.length >= MAX_OBJECTIVES)
    throw new Refusal(409, `A journey has at most ${MAX_OBJECTIVES} learning objectives.`)
  const { id } = await scope.db
    .insertInto('learning_objectives')
    .values({
      ...input,
      tenant_id: scope.actor.tenant_id,
      journey_id: journeyId,
      position: Math.max(0, ...living.map((one) => one.position)) + 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(scope, 'objective.created', { type: 'journey', id: journeyId }, { code: input.code })
  return getObjective(scope, id)
}

export async function updateObjective(
  scope: Scope,
  id: number,
  { lock_version, ...input }: ObjectiveChange,
): Promise<Objective> {
  const { journey_id } = await getObjective(scope, id)
  await requireOpen(scope, journey_id)
  const before = await getObjective(scope, id)
  if (wasDone(before, { lock_version }, isAsIs(before, input))) return before
  if (input.code !== before.code) await requireFreeCode(scope, before.journey_id, input.code, id)
  await scope.db
    .updateTable('learning_objectives')
    .set({ ...input, lock_version: lock_version + 1 })
    .where('id', '=', id)
    .execute()
  await recordChange(
    scope,
    'objective.updated',
    { type: 'journey', id: before.journey_id },
    { objective: before.code, before, after: input },
  )
  return getObjective(scope, id)
}

const isAsIs = (before: Objective, input: ObjectiveInput): boolean =>
  before.code === input.code && before.text === input.text && before.target_level === input.target_level

/** An objective in use is retired instead, so that its results stay. */
export async function deleteObjective(scope: Scope, id: number, seen: Seen): Promise<void> {
  const { journey_id: journeyId } = await getObjective(scope, id)
  await requireOpen(scope, journeyId)
  const objective = await getObjective(scope, id)
  requireSeen(objective, seen)
  if (objective.uses > 0)
    await scope.db
      .updateTable('learning_objectives')
      .set({ retired_on: nowIn(scope) })
      .where('id', '=', id)
      .execute()
  else await scope.db.deleteFrom('learning_objectives').where('id', '=', id).execute()
  const { journey_id, code } = objective
  await record(scope, 'objective.deleted', { type: 'journey', id: journey_id }, { code })
}

async function requireOpen(scope: Scope, journeyId: number): Promise<void> {
  const journey = await requireEditable(scope, journeyId)
  if (isClosed(journey.status))
    throw new Refusal(409, `A journey that is ${journey.status} cannot be changed.`)
}

/** Codes are compared without case: people would confuse LO1 and lo1. */
async function requireFreeCode({ db }: Scope, journeyId: number, code: string, ownId = 0) {
  const other = await db
    .selectFrom('learning_objectives')
    .select(['code', 'retired_on'])
    .where('journey_id', '=', journeyId)
    .where(sql<string>`lower(code)`, '=', sql<string>`lower(${code})`)
    .where('id', '!=', ownId)
    .executeTakeFirst()
  if (!other) return
  const whose = other.retired_on ? 'An objective that was retired keeps' : 'Another objective has'
  throw conflict('code', other.code === code ? `${whose} this code.` : `${whose} the code “${other.code}”.`)
}

/** Tags of a lift or question must be active objectives of the same journey. */
export async function requireObjectives({ db }: Scope, journeyId: number, ids: readonly number[]) {
  if (ids.length === 0) return
  const found = await db
    .selectFrom('learning_objectives')
    .select('id')
    .where('journey_id', '=', journeyId)
    .where('id', 'in', [...ids])
    .execute()
  if (found.length < new Set(ids).size)
    throw invalid({ objective_ids: ['There is no such objective in this journey.'] })
}

type Tagged = 'lift' | 'prompt'

/** Replaces the tags of a lift or a question; `undefined` leaves them. */
export async function tagWith(
  { actor, db }: Scope,
  kind: Tagged,
  id: number,
  objectiveIds: readonly number[] | undefined,
): Promise<void> {
  if (objectiveIds === undefined) return
  const tags = [...new Set(objectiveIds)].map((objective_id) => ({
    tenant_id: actor.tenant_id,
    objective_id,
  }))
  if (kind === 'lift') {
    await db.deleteFrom('lift_objectives').where('lift_id', '=', id).execute()
    if (tags.length > 0)
      await db
        .insertInto('lift_objectives')
        .values(tags.map((tag) => ({ ...tag, lift_id: id })))
        .execute()
    return
  }
  await db.deleteFrom('prompt_objectives').where('prompt_id', '=', id).execute()
  if (tags.length > 0)
    await db
      .insertInto('prompt_objectives')
      .values(tags.map((tag) => ({ ...tag, prompt_id: id })))
      .execute()
}
