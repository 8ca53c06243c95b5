/** Writing the questions of a lift. */
import { sql } from 'kysely'
import { invalid, Refusal } from '../errors.ts'
import type { Scope } from '../scope.server.ts'
import { requireOpen, touchLift } from './authoring.server.ts'
import { getLift, getPrompt } from './lifts.server.ts'
import type { Prompt, PromptInput } from './prompt.ts'

const MAX_PROMPTS = 20

export async function createPrompt(scope: Scope, liftId: number, input: PromptInput): Promise<Prompt> {
  const lift = await getLift(scope, liftId)
  const journey = await requireOpen(scope, lift.journey_id)
  if (lift.prompts.length >= MAX_PROMPTS)
    throw new Refusal(409, `A lift has at most ${MAX_PROMPTS} questions.`)
  const { id } = await scope.db
    .insertInto('prompts')
    .values({
      ...input,
      options: JSON.stringify(input.options),
      tenant_id: scope.actor.tenant_id,
      lift_id: liftId,
      position: Math.max(0, ...lift.prompts.map((prompt) => prompt.position)) + 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await touchLift(scope, journey, liftId)
  return getPrompt(scope, id)
}

export async function updatePrompt(scope: Scope, id: number, input: PromptInput): Promise<Prompt> {
  const before = await getPrompt(scope, id)
  const lift = await getLift(scope, before.lift_id)
  const journey = await requireOpen(scope, lift.journey_id)
  if (await isAnswered(scope, id)) requireCompatible(before, input)
  await scope.db
    .updateTable('prompts')
    .set({ ...input, options: JSON.stringify(input.options), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  await touchLift(scope, journey, lift.id)
  return getPrompt(scope, id)
}

/** A question that was answered is retired: its answers stay. */
export async function deletePrompt(scope: Scope, id: number): Promise<void> {
  const prompt = await getPrompt(scope, id)
  const lift = await getLift(scope, prompt.lift_id)
  const journey = await requireOpen(scope, lift.journey_id)
  if (await isAnswered(scope, id))
    await scope.db.updateTable('prompts').set({ retired_on: new Date() }).where('id', '=', id).execute()
  else await scope.db.deleteFrom('prompts').where('id', '=', id).execute()
  await touchLift(scope, journey, lift.id)
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

/** After the first answer options are added or retired, never re-keyed; visibility is never widened. */
function requireCompatible(before: Prompt, input: PromptInput): void {
  if (before.kind !== input.kind) throw invalid({ kind: ['This question was answered; its kind stays.'] })
  if (EYES.indexOf(input.visibility) > EYES.indexOf(before.visibility))
    throw invalid({ visibility: ['This question was answered; its visibility can only be narrowed.'] })
}

/** From few eyes to many. */
const EYES: readonly Prompt['visibility'][] = ['learner_only', 'aggregate_only', 'admins', 'sponsor']
