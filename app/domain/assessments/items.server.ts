/** The items of assessments: stored in the order of the list, each with its id. */
import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { DB } from '#app/db/schema.ts'
import { invalid } from '../errors.ts'
import { requireObjectives } from '../objectives/objectives.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Assessment, AssessmentItem, ItemInput } from './assessment.ts'

const selectItems = (db: Kysely<DB>) =>
  db
    .selectFrom('assessment_items')
    .select(['id', 'text', 'kind', 'objective_id', 'weight', 'anchors', 'options', 'pair_key'])
    .orderBy('position')
    .orderBy('id')

/** The items of assessment `a`, as a part of its statement. */
export const itemsOf = (db: Kysely<DB>) =>
  jsonArrayFrom(selectItems(db).where('assessment_id', '=', sql.ref<number>('a.id'))).as('items')

/** Saves the complete list in its order; items missing from it are deleted. */
export async function saveItems(
  scope: Scope,
  { id, journey_id, items: before }: Pick<Assessment, 'id' | 'journey_id' | 'items'>,
  items: readonly ItemInput[],
): Promise<void> {
  const { actor, db } = scope
  const known = new Set(before.map((item) => item.id))
  const kept = items.flatMap((item) => item.id ?? [])
  if (kept.some((one) => !known.has(one)) || new Set(kept).size < kept.length)
    throw invalid({ items: ['There is no such item in this assessment.'] })
  await requireObjectives(
    scope,
    journey_id,
    items.flatMap((item) => item.objective_id ?? []),
  )
  await db
    .deleteFrom('assessment_items')
    .where('assessment_id', '=', id)
    .where(sql<boolean>`id <> all(${kept}::bigint[])`)
    .execute()
  for (const [index, { id: itemId, options, ...item }] of items.entries()) {
    const row = { ...item, options: JSON.stringify(options), position: index + 1 }
    if (itemId) await db.updateTable('assessment_items').set(row).where('id', '=', itemId).execute()
    else
      await db
        .insertInto('assessment_items')
        .values({ ...row, tenant_id: actor.tenant_id, assessment_id: id })
        .execute()
  }
}

export const sameItems = (before: readonly AssessmentItem[], items: readonly ItemInput[]): boolean =>
  JSON.stringify(before.map(inOrder)) === JSON.stringify(items.map(inOrder))

const inOrder = ({ id, text, kind, objective_id, weight, anchors, options, pair_key }: ItemInput) => [
  ...[id, text, kind, objective_id, weight, anchors, pair_key],
  options.map((option) => [option.id, option.text, option.points]),
]
