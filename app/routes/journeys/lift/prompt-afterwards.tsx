/** Fields for the use of a question's answers: who sees them, how they are scored, what they measure. */
import type { useForm } from '@conform-to/react'
import { isJudged, type PromptKind } from '#app/domain/lifts/prompt.ts'
import type { PromptFormFields } from '#app/domain/lifts/prompt-form.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { ObjectiveChoice } from './objective-choice.tsx'

const SCORINGS = [
  { value: 'none', label: 'Not scored' },
  { value: 'auto', label: 'By the right answers' },
  { value: 'sponsor', label: 'By the sponsor' },
  { value: 'author', label: 'By the author' },
]

const WHO_SEES = [
  { value: 'learner_only', label: 'Only the learner' },
  { value: 'aggregate_only', label: 'Nobody: answers are only counted' },
  { value: 'admins', label: 'The people who run the journey' },
  { value: 'sponsor', label: 'The sponsor, and the people who run the journey' },
]

type AfterwardsProps = {
  kind: PromptKind
  fields: ReturnType<typeof useForm<PromptFormFields>>[1]
  objectives: readonly Objective[]
}

export function Afterwards({ kind, fields, objectives }: AfterwardsProps) {
  return (
    <FormSection
      title="Afterwards"
      help="Learners read beside the question who sees their answer. Once somebody has answered, you can let fewer people see it, never more."
    >
      <ChoiceInput field={fields.visibility} label="Who sees the answer" options={WHO_SEES} />
      <ChoiceInput
        field={fields.scoring}
        label="Score"
        options={SCORINGS.filter(({ value }) => isJudged(kind) || value !== 'auto')}
      />
      <TextInput field={fields.max_score} label="Points" type="number" inputMode="decimal" />
      <ObjectiveChoice field={fields.objective_ids} objectives={objectives} />
    </FormSection>
  )
}
