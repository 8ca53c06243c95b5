import { recordEach } from '../audit/audit.server.ts'
import { Refusal } from '../errors.ts'
import type { Journey } from '../journeys/journey.ts'
import type { PromptInput } from '../lifts/prompt.ts'
import type { Scope } from '../scope/scope.server.ts'

export const MAX_PROMPTS = 20

/** Inserts the questions of an imported or copied lift, tagged only with objectives of its journey; nobody has seen it yet. */
export async function insertPrompts(
  scope: Scope,
  { id: liftId, journey }: { id: number; journey: Journey },
  inputs: readonly PromptInput[],
): Promise<void> {
  if (inputs.length === 0) return
  if (inputs.length > MAX_PROMPTS) throw tooManyPrompts()
  const { tenant_id } = scope.actor
  const made = await scope.db
    .insertInto('prompts')
    .values(inputs.map((input, at) => promptRow(scope, liftId, input, at + 1)))
    .returning(['id', 'position', 'text'])
    .execute()
  const tags = made.flatMap(({ id, position }) =>
    [...new Set(inputs[position - 1]?.objective_ids)].map((objective_id) => ({
      ...{ tenant_id, objective_id, prompt_id: id },
    })),
  )
  if (tags.length > 0) await scope.db.insertInto('prompt_objectives').values(tags).execute()
  await recordEach(
    scope,
    'prompt.created',
    made.map(({ id, text }) => ({
      subject: { type: 'prompt', id, name: text },
      subTenantId: journey.sub_tenant_id,
      changes: { lift: liftId, text },
    })),
  )
}

/** The row of a prompt; positions in a lift start at 1. */
export const promptRow = (
  { actor }: Scope,
  lift_id: number,
  { objective_ids: _, ...input }: PromptInput,
  position: number,
) => ({
  ...input,
  options: JSON.stringify(input.options),
  target: storedTarget(input.target),
  tenant_id: actor.tenant_id,
  lift_id,
  position,
})

export const tooManyPrompts = () => new Refusal(409, `A lift has at most ${MAX_PROMPTS} questions.`)

export const storedTarget = (target: PromptInput['target']): string | null => target && JSON.stringify(target)
