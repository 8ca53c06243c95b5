/** The form of a question: its words, its options, who sees the answers, what they measure. */
import { getFormProps } from '@conform-to/react'
import type { ComponentProps } from 'react'
import { asksTwice } from '#app/domain/lifts/asks-twice.ts'
import { hasOptions, hasTarget, Prompt, type PromptKind } from '#app/domain/lifts/prompt.ts'
import { formOfPrompt, KIND_NAMES, PromptForm } from '#app/domain/lifts/prompt-form.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { useRefused } from '#app/ui/form/refused.ts'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { differencesOf } from '../differences.ts'
import { ImpactQuestion } from '../impact-question.tsx'
import { useLiftAddress } from './address.ts'
import { LiftPage } from './lift-page.tsx'
import { Afterwards } from './prompt-afterwards.tsx'
import { Answers, RightAnswer } from './right-answer.tsx'

const FIELD_NAMES = {
  text: 'Question',
  help: 'Help text',
  is_optional: 'Optional',
  options: 'Answers',
  right_answer: 'Right answer',
  tolerance: 'Tolerance',
  feedback_right: 'Feedback to a right answer',
  feedback_wrong: 'Feedback to any other answer',
  visibility: 'Who sees the answer',
  scoring: 'Score',
  max_score: 'Points',
  objective_ids: 'Objectives',
}

/** Only questions for a number have a tolerance. */
const namesFor = (kind: PromptKind) => {
  const { tolerance, ...names } = FIELD_NAMES
  return kind === 'number' ? FIELD_NAMES : names
}

const LABELS: Record<string, string> = {
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, row) => [`options[${row}].text`, `Answer ${row + 1}`]),
  ),
  'options[0].correct': 'Right answers',
  text: 'Question',
  options: 'Answers',
  max_score: 'Points',
  right_answer: 'Right answer',
  tolerance: 'Tolerance',
  visibility: FIELD_NAMES.visibility,
}

type PromptFieldsProps = Pick<ComponentProps<typeof LiftPage>, 'journey' | 'lift' | 'preview'> & {
  /** The id of an existing question, or the kind of a new one. */
  which: number | PromptKind
  objectives: readonly Objective[]
}

export function PromptFields({ journey, lift, preview, which, objectives }: PromptFieldsProps) {
  const { lift: back, schedule, to } = useLiftAddress()
  const prompt = lift?.prompts.find((one) => one.id === which)
  const typed = PromptForm.shape.kind.safeParse(useRefused().lastResult?.initialValue?.kind).data
  const kind = prompt?.kind ?? typed ?? (typeof which === 'string' ? which : 'single_choice')
  const { form, fields, stored } = useSchemaForm(PromptForm, {
    id: 'prompt',
    defaultValue: formOfPrompt(kind, prompt),
  })
  const saved = Prompt.safeParse(stored).data
  return (
    <LiftPage {...{ journey, lift, preview }} title={`${prompt ? 'Edit' : 'Add'}: ${KIND_NAMES[kind]}`}>
      <Form
        method="post"
        preventScrollReset
        {...getFormProps(form)}
        {...(prompt ? {} : { action: to(`prompts/${kind}`) })}
      >
        <ImpactQuestion />
        <FormErrors form={form} labels={LABELS} />
        {saved ? (
          <SavedMeanwhile differences={differencesOf(namesFor(kind), formOfPrompt(kind, saved), fields)} />
        ) : null}
        <input type="hidden" name="kind" value={kind} />
        {prompt ? <SeenVersion field={fields.version} saved={saved?.version} /> : null}
        <FormSection title="Question" help={KIND_NAMES[kind]}>
          <TextInput
            field={fields.text}
            label="Question"
            maxLength={300}
            required
            help={
              asksTwice(fields.text.value ?? '')
                ? 'This looks like two questions in one: you couldn’t tell which one an answer is for.'
                : undefined
            }
          />
          <TextInput field={fields.help} label="Help text" maxLength={500} />
          <CheckboxInput field={fields.is_optional} label="Optional: learners can skip it" />
        </FormSection>
        {hasOptions(kind) ? <Answers kind={kind} form={form.id} fields={fields} /> : null}
        {hasTarget(kind) ? <RightAnswer kind={kind} fields={fields} /> : null}
        <Afterwards kind={kind} fields={fields} objectives={objectives} />
        <FormActions>
          <ButtonLink to={lift ? back : schedule} variant="soft" color="gray">
            {lift ? 'Back to the lift' : 'Back to the schedule'}
          </ButtonLink>
          {lift ? <SubmitButton>Save question</SubmitButton> : null}
          {lift && !prompt ? (
            <SubmitButton intent="another" variant="soft">
              Save and add another
            </SubmitButton>
          ) : null}
        </FormActions>
      </Form>
    </LiftPage>
  )
}
