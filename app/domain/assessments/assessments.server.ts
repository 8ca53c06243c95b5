import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { record, recordChange } from '../audit/audit.server.ts'
import { invalid, notFound, Refusal, stale } from '../errors.ts'
import type { Journey } from '../journeys/journey.ts'
import { getJourney, requireEditable } from '../journeys/journeys.server.ts'
import { type Seen, wasDone } from '../optimistic-lock.ts'
import type { Scope } from '../scope/scope.server.ts'
import {
  Assessment,
  type AssessmentChange,
  type AssessmentInput,
  MAX_ASSESSMENTS,
  wrongEnd,
} from './assessment.ts'
import { itemsOf, sameItems, saveItems } from './items.server.ts'
import { reopenClosed } from './preparing.server.ts'

const select = ({ db }: Scope) =>
  db
    .selectFrom('assessments as a')
    .selectAll('a')
    .select(
      sql<number>`(select count(*) from assessment_forms f where f.assessment_id = a.id
        and (f.state = 'submitted' or f.revision > 1))`.as('submitted'),
    )
    .select(itemsOf(db))

type Stored = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

export const toAssessment = (row: Stored): Assessment =>
  Assessment.parse({ ...row, submitted: Number(row.submitted), is_retired: row.retired_on !== null })

export const selectAssessments = (scope: Scope, journeyId: number) =>
  select(scope)
    .where('a.journey_id', '=', journeyId)
    .orderBy(sql`array_position(array['pre', 'post', 'follow_up'], a.phase)`)
    .orderBy('a.id')

export async function readAssessments(scope: Scope, journeyId: number): Promise<Assessment[]> {
  const rows = await selectAssessments(scope, journeyId).execute()
  return rows.map(toAssessment)
}

export async function readAssessment(scope: Scope, id: number): Promise<Assessment> {
  const row = await select(scope).where('a.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toAssessment(row)
}

export async function getAssessment(scope: Scope, id: number): Promise<Assessment> {
  const assessment = await readAssessment(scope, id)
  await getJourney(scope, assessment.journey_id)
  return assessment
}

/** Assessments can still be added after a journey has ended; only an archived one takes no more. */
export async function requireKept(scope: Scope, journeyId: number): Promise<Journey> {
  const journey = await requireEditable(scope, journeyId)
  if (journey.status === 'archived') throw new Refusal(409, 'A journey that is archived cannot be changed.')
  return journey
}

export async function createAssessment(
  scope: Scope,
  journeyId: number,
  input: AssessmentInput,
): Promise<Assessment> {
  await requireKept(scope, journeyId)
  const living = (await readAssessments(scope, journeyId)).filter((one) => !one.is_retired)
  if (living.length >= MAX_ASSESSMENTS)
    throw new Refusal(409, `A journey has at most ${MAX_ASSESSMENTS} assessments.`)
  const { items, opens, closes, ...plain } = input
  const { id } = await scope.db
    .insertInto('assessments')
    .values({
      ...plain,
      opens: JSON.stringify(opens),
      closes: closes && JSON.stringify(closes),
      tenant_id: scope.actor.tenant_id,
      journey_id: journeyId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveItems(scope, { id, journey_id: journeyId, items: [] }, items)
  await record(scope, 'assessment.created', { type: 'assessment', id }, { name: input.name })
  await lookAfterSoon(scope)
  return readAssessment(scope, id)
}

export async function updateAssessment(
  scope: Scope,
  id: number,
  { lock_version, ...change }: AssessmentChange,
): Promise<Assessment> {
  const { journey_id } = await getAssessment(scope, id)
  await requireKept(scope, journey_id)
  await lockForms(scope, id)
  const before = await readAssessment(scope, id)
  if (before.lock_version !== lock_version) throw stale(before)
  if (before.is_retired) throw new Refusal(409, 'This assessment was closed; what was answered stays.')
  requireUnasked(before, change)
  const problem = wrongEnd({ ...before, ...definedOf(change) })
  if (problem) throw invalid({ closes: [problem] })
  const { items, opens, closes, ...plain } = change
  await scope.db
    .updateTable('assessments')
    .set({
      ...definedOf(plain),
      ...(opens && { opens: JSON.stringify(opens) }),
      ...(closes !== undefined && { closes: closes && JSON.stringify(closes) }),
      is_stale: true,
      updated_on: sql`scope_now()`,
      lock_version: lock_version + 1,
    })
    .where('id', '=', id)
    .execute()
  if (items) await saveItems(scope, before, items)
  if (!isSame(closes, before.closes)) await reopenClosed(scope, id)
  await recordChange(scope, 'assessment.updated', { type: 'assessment', id }, { before, after: change })
  await lookAfterSoon(scope)
  return readAssessment(scope, id)
}

/** Locks the forms, so that one submitted meanwhile is seen by the check whether anybody has submitted. */
const lockForms = ({ db }: Scope, assessment: number) =>
  db
    .selectFrom('assessment_forms')
    .select('id')
    .where('assessment_id', '=', assessment)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Opens due forms right after the commit, instead of at the next minute. */
const lookAfterSoon = ({ db }: Scope): Promise<void> =>
  addJob(db, 'look-after-assessments', {}, { key: 'look-after-assessments' })

/** Fields that are left out count as the same. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === undefined || JSON.stringify(one) === JSON.stringify(other)

/** Once somebody has submitted, the items and the raters can no longer change. */
function requireUnasked(before: Assessment, change: Omit<AssessmentChange, 'lock_version'>): void {
  if (before.submitted === 0) return
  const { phase, raters, opens, items, anonymous_min } = change
  if (
    !isSame(phase, before.phase) ||
    !isSame(raters, before.raters) ||
    !isSame(opens, before.opens) ||
    // A change of the minimum by one would reveal one person's answers by the difference.
    !isSame(anonymous_min, before.anonymous_min) ||
    !(items === undefined || sameItems(before.items, items))
  )
    throw new Refusal(409, 'Someone has answered already: you can only change its name and its end.')
}

/** An assessment with answers is closed and kept, with its answers. */
export async function deleteAssessment(scope: Scope, id: number, seen: Seen): Promise<void> {
  const { journey_id } = await getAssessment(scope, id)
  await requireKept(scope, journey_id)
  await lockForms(scope, id)
  const before = await readAssessment(scope, id)
  if (wasDone(before, seen, before.is_retired)) return
  const { submitted, name } = before
  if (submitted === 0) {
    await record(scope, 'assessment.deleted', { type: 'assessment', id }, { name })
    await scope.db.deleteFrom('assessments').where('id', '=', id).execute()
    return
  }
  await record(scope, 'assessment.retired', { type: 'assessment', id }, { name })
  await scope.db
    .updateTable('assessments')
    .set({ retired_on: sql`coalesce(retired_on, scope_now())`, lock_version: sql`lock_version + 1` })
    .where('id', '=', id)
    .execute()
  await scope.db
    .updateTable('assessment_forms')
    .set({ state: 'closed', is_left: false })
    .where('assessment_id', '=', id)
    .where('state', '!=', 'submitted')
    .execute()
}

const definedOf = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [Name in keyof Value]: Exclude<Value[Name], undefined>
  }
