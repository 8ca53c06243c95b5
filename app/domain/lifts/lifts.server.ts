/** Reading the lifts of a journey and their questions. */
import { notFound } from '../errors.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import type { Scope } from '../scope.server.ts'
import { Lift } from './lift.ts'
import { Prompt } from './prompt.ts'

export async function listLifts({ db }: Scope, journeyId: number): Promise<Lift[]> {
  const rows = await db
    .selectFrom('lifts')
    .selectAll()
    .where('journey_id', '=', journeyId)
    .orderBy('position')
    .execute()
  const prompts = await listPrompts(
    { db },
    rows.map((row) => row.id),
  )
  return rows.map((row) =>
    toLift(
      row,
      prompts.filter((prompt) => prompt.lift_id === row.id),
    ),
  )
}

/** A lift for those who may see its journey's workings; learners have its page. */
export async function getLift(scope: Scope, id: number): Promise<Lift> {
  const row = await scope.db.selectFrom('lifts').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  await getJourney(scope, row.journey_id)
  return toLift(row, await listPrompts(scope, [id]))
}

type StoredLift = { created_on: Date; updated_on: Date }
const toLift = (row: StoredLift, prompts: Lift['prompts']): Lift =>
  Lift.parse({
    ...row,
    created_on: row.created_on.toISOString(),
    updated_on: row.updated_on.toISOString(),
    prompts,
  })

export async function listPrompts({ db }: Pick<Scope, 'db'>, liftIds: number[]): Promise<Prompt[]> {
  if (liftIds.length === 0) return []
  const rows = await db
    .selectFrom('prompts')
    .selectAll()
    .where('lift_id', 'in', liftIds)
    .where('retired_on', 'is', null)
    .orderBy('lift_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => Prompt.parse(pick(row)))
}

export async function getPrompt({ db }: Scope, id: number): Promise<Prompt> {
  const row = await db
    .selectFrom('prompts')
    .selectAll()
    .where('id', '=', id)
    .where('retired_on', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound()
  return Prompt.parse(pick(row))
}

function pick({
  tenant_id: _tenant,
  retired_on: _retired,
  created_on: _created,
  ...prompt
}: Record<string, unknown>) {
  return prompt
}
