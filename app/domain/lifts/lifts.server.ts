import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { notFound } from '../errors.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { askOnce, type Question, remember } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { Lift, type LiftName } from './lift.ts'
import { Prompt } from './prompt.ts'

export async function listLifts(scope: Scope, journeyId: number): Promise<Lift[]> {
  const rows = await selectLifts(scope.db).where('journey_id', '=', journeyId).orderBy('position').execute()
  const lifts = rows.map(toLift)
  const names = lifts.map(({ id, position, title, status }) => ({ id, position, title, status }))
  remember(scope, ['lift names', journeyId], names)
  return lifts
}

/** The names of all lifts of a journey, for choices. */
export async function listLiftNames(scope: Scope, journeyId: number): Promise<LiftName[]> {
  await getJourney(scope, journeyId)
  return askOnce(scope, ['lift names', journeyId], async () => {
    const rows = await scope.db
      .selectFrom('lifts')
      .select(['id', 'position', 'title', 'status'])
      .where('journey_id', '=', journeyId)
      .orderBy('position')
      .execute()
    return rows as LiftName[]
  })
}

/** A lift, for people who may see how its journey is built; learners get its page. */
export async function getLift(scope: Scope, id: number): Promise<Lift> {
  const lift = await askOnce(scope, ['lift', id], () => readLift(scope, id))
  if (!lift) throw notFound()
  await getJourney(scope, lift.journey_id)
  return lift
}

async function readLift(scope: Scope, id: number): Promise<Lift | undefined> {
  const row = await selectLifts(scope.db).where('id', '=', id).executeTakeFirst()
  if (!row) return
  remember(scope, allPrompts(id), row.prompts.map(toPrompt))
  return toLift(row)
}

const selectLifts = (db: Scope['db']) =>
  db
    .selectFrom('lifts')
    .selectAll()
    .select(
      sql<number[]>`array(select t.objective_id from lift_objectives t
        join learning_objectives o on o.id = t.objective_id
        where t.lift_id = lifts.id and o.retired_on is null order by o.position)`.as('objective_ids'),
    )
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('prompts')
          .selectAll()
          .select(TAGS)
          .whereRef('lift_id', '=', 'lifts.id')
          .orderBy('position')
          .orderBy('id'),
      ).as('prompts'),
    )

type StoredLift = { created_on: Date; updated_on: Date; prompts: readonly Record<string, unknown>[] }
const toLift = (row: StoredLift): Lift =>
  Lift.parse({
    ...row,
    created_on: row.created_on.toISOString(),
    updated_on: row.updated_on.toISOString(),
    prompts: row.prompts.filter(({ retired_on }) => retired_on === null).map(pick),
  })

const TAGS = sql<number[]>`array(select t.objective_id from prompt_objectives t
  join learning_objectives o on o.id = t.objective_id
  where t.prompt_id = prompts.id and o.retired_on is null order by o.position)`.as('objective_ids')

/** `all`: includes retired prompts, whose answers are kept. */
export async function listPrompts(
  { db }: Pick<Scope, 'db'>,
  liftIds: number[],
  which: 'asked' | 'all' = 'asked',
): Promise<Prompt[]> {
  if (liftIds.length === 0) return []
  const rows = await db
    .selectFrom('prompts')
    .selectAll()
    .select(TAGS)
    .where('lift_id', 'in', liftIds)
    .$if(which === 'asked', (query) => query.where('retired_on', 'is', null))
    .orderBy('lift_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(toPrompt)
}

/** Of one lift, with those retired, whose answers are kept. */
export const listAllPrompts = (scope: Scope, liftId: number): Promise<Prompt[]> =>
  askOnce(scope, allPrompts(liftId), () => listPrompts(scope, [liftId], 'all'))

const allPrompts = (liftId: number): Question => ['prompts', liftId]

export async function getPrompt({ db }: Scope, id: number): Promise<Prompt> {
  const row = await db
    .selectFrom('prompts')
    .selectAll()
    .select(TAGS)
    .where('id', '=', id)
    .where('retired_on', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound()
  return toPrompt(row)
}

const toPrompt = (row: Record<string, unknown>): Prompt => Prompt.parse(pick(row))

function pick({
  tenant_id: _tenant,
  retired_on: _retired,
  created_on: _created,
  ...prompt
}: Record<string, unknown>) {
  return prompt
}
