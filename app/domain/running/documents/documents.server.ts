/** Exports, imports and duplicates journeys. */
import { createAssessment } from '#app/domain/assessments/assessments.server.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { invalid } from '#app/domain/errors.ts'
import type { FileStore } from '#app/domain/files/store.ts'
import { requireMayCreate } from '#app/domain/journeys/choices.server.ts'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { nameOfCopy } from '#app/domain/journeys/journey-form.ts'
import { createJourney, getJourney } from '#app/domain/journeys/journeys.server.ts'
import { listCategories } from '#app/domain/journeys/tenant-settings.server.ts'
import { problemsOfFiles } from '#app/domain/lifts/block-files.server.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import type { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'
import { copyObjective } from '#app/domain/objectives/objectives.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { insertLift, updateLift } from '../edit-lifts.server.ts'
import { insertPrompts } from '../insert-prompts.server.ts'
import type { DocumentRule, DuplicateInput, ImportInput, ImportResult, JourneyDocument } from './document.ts'
import { readDocument } from './document-reading.ts'
import { exportJourney } from './export-journey.server.ts'
import { lintDocument } from './lint.ts'
import { bringPictures, isAlong } from './pictures.server.ts'

/** Creates a draft from the document; the category is cleared if the company no longer has it. */
export async function createFromDocument(
  scope: Scope,
  { head, lifts }: JourneyDocument,
  subTenantId?: string | null,
): Promise<Journey> {
  const { objectives, assessments, ...settings } = head
  const journey = await createJourney(scope, settings, subTenantId)
  const ids = new Map<string, number>()
  for (const objective of objectives)
    ids.set(objective.code, (await copyObjective(scope, journey.id, objective)).id)
  const idsOf = (codes: readonly string[]) => codes.flatMap((code) => ids.get(code) ?? [])

  const made: Lift[] = []
  const waiting: { lift: Lift; rule: Extract<DocumentRule, { kind: 'after_lift' }> }[] = []
  for (const { objectives: codes, prompts, schedule, ...lift } of lifts) {
    const written = await insertLift(scope, journey, {
      ...lift,
      schedule: ruleOf(schedule, made),
      objective_ids: idsOf(codes),
    })
    await insertPrompts(
      scope,
      { id: written.id, journey },
      prompts.map(({ objectives: measured, ...prompt }) => ({ ...prompt, objective_ids: idsOf(measured) })),
    )
    made.push(written)
    if (schedule.kind === 'after_lift' && schedule.lift >= made.length)
      waiting.push({ lift: written, rule: schedule })
  }
  for (const { lift, rule } of waiting) {
    const lift_id = made[rule.lift - 1]?.id ?? lift.id
    await updateLift(scope, lift.id, {
      schedule: { kind: 'after_lift', lift_id, min_hours: rule.min_hours },
      lock_version: lift.lock_version,
    })
  }
  for (const { items, ...assessment } of assessments)
    await createAssessment(scope, journey.id, {
      ...assessment,
      items: items.map(({ objective, ...item }) => ({
        ...item,
        objective_id: objective === null ? null : (ids.get(objective) ?? null),
      })),
    })
  return getJourney(scope, journey.id)
}

/** A rule that refers to a later lift is set once that lift exists. */
function ruleOf(rule: DocumentRule, made: readonly Lift[]): ScheduleRule {
  if (rule.kind !== 'after_lift') return rule
  const { lift, ...after } = rule
  const awaited = made[lift - 1]
  return awaited ? { ...after, lift_id: awaited.id } : { kind: 'manual', at_launch: false }
}

export async function duplicateJourney(scope: Scope, id: number, input: DuplicateInput): Promise<Journey> {
  const { head, lifts } = await exportJourney(scope, id)
  // A copy stays in the sub-tenant of its source.
  const subTenantId = (await getJourney(scope, id)).sub_tenant_id ?? scope.actor.sub_tenant_id
  const objectives = input.objectives ? head.objectives : []
  const known = objectives.map((objective) => objective.code)
  const kept = (codes: readonly string[]) => codes.filter((code) => known.includes(code))
  const copy = await createFromDocument(
    scope,
    {
      head: {
        ...head,
        name: input.name ?? nameOfCopy(head.name),
        category: await livingCategory(scope, head.category, subTenantId),
        objectives,
        assessments: (input.assessments ? head.assessments : []).map((assessment) => ({
          ...assessment,
          items: assessment.items.map(({ objective, ...item }) => ({
            ...item,
            objective: objective !== null && known.includes(objective) ? objective : null,
          })),
        })),
        start_on: null,
      },
      lifts: (input.lifts ? lifts : []).map((lift) => ({
        ...lift,
        objectives: kept(lift.objectives),
        prompts: lift.prompts.map((prompt) => ({ ...prompt, objectives: kept(prompt.objectives) })),
      })),
    },
    subTenantId,
  )
  await scope.db.updateTable('journeys').set({ source_journey_id: id }).where('id', '=', copy.id).execute()
  await record(scope, 'journey.duplicated', { type: 'journey', id: copy.id }, { from: id })
  return getJourney(scope, copy.id)
}

const livingCategory = async (
  scope: Scope,
  category: string | null | undefined,
  subTenantId: string | null,
): Promise<string | null> =>
  category && (await listCategories(scope, subTenantId)).includes(category) ? category : null

/** Reports what it found; creates the draft only when asked to, and without errors. */
export async function importJourney(
  scope: Scope,
  { text, dry_run }: ImportInput,
  store: FileStore | null,
): Promise<ImportResult> {
  await requireMayCreate(scope)
  const { document, problems, places } = readDocument(text)
  if (document) {
    problems.push(...lintDocument(document, places))
    const { category } = document.head
    if (category && !(await livingCategory(scope, category, scope.actor.sub_tenant_id)))
      problems.push({
        line: places.head(['category']),
        severity: 'warning',
        message: `There is no category “${category}” here. The draft has none: choose one before you launch it.`,
      })
    problems.push(...(await wrongFiles(scope, document, places.lifts)))
  }
  const isWrong = problems.some((problem) => problem.severity === 'error')
  if (isWrong && !dry_run)
    throw invalid({
      text: problems
        .filter((one) => one.severity === 'error')
        .map((one) => `Line ${one.line}: ${one.message}`),
    })
  const isMade = document !== null && !isWrong && !dry_run
  const journey = isMade ? await bringIn(scope, document, store) : null
  return {
    problems,
    name: document?.head.name ?? '',
    lifts: document?.lifts.length ?? 0,
    prompts: document?.lifts.reduce((sum, lift) => sum + lift.prompts.length, 0) ?? 0,
    objectives: document?.head.objectives.length ?? 0,
    assessments: document?.head.assessments.length ?? 0,
    journey_id: journey?.id ?? null,
  }
}

async function bringIn(scope: Scope, document: JourneyDocument, store: FileStore | null): Promise<Journey> {
  const { head, ...pages } = await bringPictures(scope, document, store)
  const category = await livingCategory(scope, head.category, scope.actor.sub_tenant_id)
  return createFromDocument(scope, { ...pages, head: { ...head, category } })
}

/** Errors of files, each at the line of its block. */
async function wrongFiles(
  scope: Scope,
  { lifts, pictures }: JourneyDocument,
  places: readonly { line: number; blocks: number[] }[],
): Promise<ImportResult['problems']> {
  const parts = lifts.flatMap(({ blocks }, index) =>
    blocks.map((block, at) => ({ block, line: places[index]?.blocks[at] ?? places[index]?.line ?? 1 })),
  )
  const problems = await problemsOfFiles(
    scope,
    parts.map(({ block }) => block),
  )
  return problems
    .filter(({ at }) => !isAlong(parts[at]?.block, pictures))
    .map(({ at, why }) => ({
      line: parts[at]?.line ?? 1,
      severity: 'error' as const,
      message: why,
    }))
}
