import { sql } from 'kysely'
import { record, recordChange } from '../audit/audit.server.ts'
import { invalid, Refusal, stale } from '../errors.ts'
import { requireOpen } from '../journeys/journeys.server.ts'
import type { Lift } from '../lifts/lift.ts'
import { getLift, getPrompt } from '../lifts/lifts.server.ts'
import type {
  Prompt,
  PromptChange,
  PromptInput,
  PromptOption,
  PromptOrder,
  SeenPrompt,
} from '../lifts/prompt.ts'
import { requireSameThings } from '../lifts/same-things.ts'
import { requireObjectives, tagWith } from '../objectives/objectives.server.ts'
import { IS_SETTLED } from '../occurrences/settled.server.ts'
import { wasDone } from '../optimistic-lock.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { touchLift } from './changed-lift.server.ts'
import { MAX_PROMPTS, promptRow, storedTarget, tooManyPrompts } from './insert-prompts.server.ts'

export async function createPrompt(scope: Scope, liftId: number, input: PromptInput): Promise<Prompt> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireOpen(scope, journey_id)
  const lift = await getLift(scope, liftId)
  if (lift.prompts.length >= MAX_PROMPTS) throw tooManyPrompts()
  await requireObjectives(scope, lift.journey_id, input.objective_ids ?? [])
  const position = Math.max(0, ...lift.prompts.map((prompt) => prompt.position)) + 1
  const { id } = await scope.db
    .insertInto('prompts')
    .values(promptRow(scope, liftId, input, position))
    .returning('id')
    .executeTakeFirstOrThrow()
  await tagWith(scope, 'prompt', id, input.objective_ids)
  await touchLift(scope, journey, liftId)
  await record(scope, 'prompt.created', { type: 'prompt', id }, { lift: liftId, text: input.text })
  return getPrompt(scope, id)
}

export async function updatePrompt(scope: Scope, id: number, change: PromptChange): Promise<Prompt> {
  const { lift_id } = await getPrompt(scope, id)
  const lift = await getLift(scope, lift_id)
  const journey = await requireOpen(scope, lift.journey_id)
  const { version, objective_ids, ...input } = change
  const locked = await getPrompt(scope, id)
  if (version !== undefined && version !== locked.version) throw stale(locked)
  await requireObjectives(scope, lift.journey_id, objective_ids ?? [])
  const wasAnswered = await isAnswered(scope, id)
  const options = wasAnswered ? requireCompatible(locked, input) : input.options
  await scope.db
    .updateTable('prompts')
    .set({
      ...input,
      options: JSON.stringify(options),
      target: storedTarget(input.target),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute()
  await tagWith(scope, 'prompt', id, objective_ids)
  await touchLift(scope, journey, lift.id)
  if (input.kind !== locked.kind && (await isHeld(scope, lift.id, { id, kind: locked.kind })))
    throw invalid({ kind: ['This question was sent; its kind stays.'] })
  await waitForAnswers(scope, id)
  if (!wasAnswered && (await isAnswered(scope, id)))
    throw new Refusal(409, 'This question was answered just now. Nothing was saved: please save once more.')
  const changed = { lift: lift.id, before: locked, after: { ...input, objective_ids } }
  await recordChange(scope, 'prompt.updated', { type: 'prompt', id }, changed)
  return getPrompt(scope, id)
}

export async function orderPrompts(scope: Scope, liftId: number, order: PromptOrder): Promise<Lift> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireOpen(scope, journey_id)
  const before = await getLift(scope, liftId)
  const there = before.prompts.map((prompt) => prompt.id)
  const { prompt_ids: ids, ...seen } = order
  requireSameThings('prompt_ids', there, ids)
  if (wasDone(before, seen, there.join() === ids.join())) return before
  for (const [position, id] of ids.entries())
    await scope.db
      .updateTable('prompts')
      .set({ position: position + 1 })
      .where('id', '=', id)
      .execute()
  await touchLift(scope, journey, liftId)
  await record(scope, 'prompts.ordered', { type: 'lift', id: liftId }, { prompts: [...ids] })
  return getLift(scope, liftId)
}

/** A question that was sent or answered is retired: those who got it can still answer it, and its answers stay. */
export async function deletePrompt(scope: Scope, id: number, seen: SeenPrompt): Promise<void> {
  const { lift_id } = await getPrompt(scope, id)
  const lift = await getLift(scope, lift_id)
  const journey = await requireOpen(scope, lift.journey_id)
  const prompt = await getPrompt(scope, id)
  if ((seen.version ?? prompt.version) !== prompt.version) throw stale(prompt)
  await record(scope, 'prompt.deleted', { type: 'prompt', id }, { lift: lift.id, text: prompt.text })
  await scope.db
    .updateTable('prompts')
    .set({ retired_on: nowIn(scope) })
    .where('id', '=', id)
    .execute()
  await touchLift(scope, journey, lift.id)
  await waitForAnswers(scope, id)
  if ((await isAnswered(scope, id)) || (await isHeld(scope, lift.id, { id }))) return
  await scope.db.deleteFrom('prompts').where('id', '=', id).execute()
}

async function isAnswered({ db }: Scope, id: number): Promise<boolean> {
  const one = await db
    .selectFrom('responses')
    .select('id')
    .where('prompt_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** Waits for answers being saved, and blocks new ones. Lock it after the lift's messages, in the same order as answering. */
const waitForAnswers = ({ db }: Scope, id: number) =>
  db.selectFrom('prompts').select('id').where('id', '=', id).forUpdate().execute()

/**
 * Whether a version of the lift that somebody got contains it like this; unsent occurrences get the current version.
 */
async function isHeld(
  { db }: Scope,
  liftId: number,
  asked: Pick<Prompt, 'id'> & Partial<Prompt>,
): Promise<boolean> {
  const { rows } = await sql`
    select from occurrences o where o.lift_id = ${liftId} and ${IS_SETTLED} and o.content_version = any(array(
      select version from lift_versions where lift_id = ${liftId}
        and content -> 'prompts' @> ${JSON.stringify([asked])}::jsonb))
    limit 1`.execute(db)
  return rows.length > 0
}

/** After the first answer, options can be added or retired but keep their ids, and visibility is never widened. */
function requireCompatible(before: Prompt, input: PromptInput): PromptOption[] {
  if (before.kind !== input.kind) throw invalid({ kind: ['This question was answered; its kind stays.'] })
  if (EYES.indexOf(input.visibility) > EYES.indexOf(before.visibility))
    throw invalid({ visibility: ['This question was answered; its visibility can only be narrowed.'] })
  const given = new Map(input.options.map((option) => [option.id, option]))
  const isRekeyed = before.options.some(({ id, correct }) => {
    const now = given.get(id)
    return now !== undefined && Boolean(now.correct) !== Boolean(correct)
  })
  if (isRekeyed)
    throw invalid({ options: ['This question was answered; which answers are right stays as it was.'] })
  if (!isSameTarget(before.target, input.target))
    throw invalid({ target: ['This question was answered; the right answer stays as it was.'] })
  const left = before.options.filter(({ id }) => !given.has(id))
  return [...input.options, ...left.map((option) => ({ ...option, retired: true }))]
}

/** Feedback may be reworded; the right answer may not change. */
const isSameTarget = (before: Prompt['target'], now: Prompt['target']): boolean =>
  before?.value === now?.value && before?.tolerance === now?.tolerance

/** From the narrowest to the widest visibility. */
const EYES: readonly Prompt['visibility'][] = ['learner_only', 'aggregate_only', 'admins', 'sponsor']
