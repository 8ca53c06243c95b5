/** Fields for the completion of a lift, its closing time, and its objectives. */
import type { useForm } from '@conform-to/react'
import type { z } from 'zod'
import type { LiftForm } from '#app/domain/lifts/lift-form.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { CheckboxInput, ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { ObjectiveChoice } from './objective-choice.tsx'

const DONE_WHEN = [
  { value: 'all_required_prompts', label: 'All its questions are answered' },
  { value: 'viewed_and_confirmed', label: 'The learner marks it as read' },
]

type CompletionFieldsProps = {
  fields: ReturnType<typeof useForm<z.input<typeof LiftForm>>>[1]
  objectives: readonly Objective[]
}

export function CompletionFields({ fields, objectives }: CompletionFieldsProps) {
  return (
    <FormSection title="Completion" help="When it counts as done, and until when learners can answer.">
      <ChoiceInput field={fields.completion_rule} label="Complete when" options={DONE_WHEN} />
      <TextInput
        field={fields.closes_after_hours}
        label="Closes after (hours)"
        type="number"
        inputMode="numeric"
        help="Leave blank to keep it open."
      />
      <TextInput field={fields.est_minutes} label="Minutes it takes" type="number" inputMode="numeric" />
      <CheckboxInput field={fields.is_optional} label="Optional: learners can skip it" />
      <ObjectiveChoice field={fields.objective_ids} objectives={objectives} />
    </FormSection>
  )
}
