/** The options of a question, with the right answer. */
import { type FieldMetadata, getInputProps, type useForm } from '@conform-to/react'
import { isJudged, type PromptKind } from '#app/domain/lifts/prompt.ts'
import type { PromptFormFields } from '#app/domain/lifts/prompt-form.ts'
import { CheckboxInput, ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

const TRUE_FALSE = [
  { value: 'true', label: 'True' },
  { value: 'false', label: 'False' },
  { value: '', label: 'No answer is right or wrong' },
]

type Fields = ReturnType<typeof useForm<PromptFormFields>>[1]

/** For a question without options. */
export function RightAnswer({ kind, fields }: { kind: PromptKind; fields: Fields }) {
  return (
    <FormSection title="Right answer" help="Learners read the feedback after they answer.">
      {kind === 'number' ? (
        <>
          <TextInput
            field={fields.right_answer}
            label="Right number"
            type="number"
            inputMode="decimal"
            help="Leave blank if no answer is right or wrong."
          />
          <TextInput
            field={fields.tolerance}
            label="Tolerance"
            type="number"
            inputMode="decimal"
            help="With 5, if 100 is right, 95 to 105 are, too."
          />
        </>
      ) : (
        <ChoiceInput field={fields.right_answer} label="Right answer" options={TRUE_FALSE} />
      )}
      <TextInput field={fields.feedback_right} label="Feedback to a right answer" maxLength={500} />
      <TextInput field={fields.feedback_wrong} label="Feedback to any other answer" maxLength={500} />
    </FormSection>
  )
}

export function Answers({ kind, form, fields }: { kind: PromptKind; form: string; fields: Fields }) {
  return (
    <FormSection title="Answers" help="Blank rows are ignored.">
      <fieldset className="options" id={`${form}-options`} tabIndex={-1}>
        <legend className="hidden-words">Answers</legend>
        {fields.options.getFieldList().map((row, index) => (
          <AnswerRow key={row.key} row={row} index={index} isJudged={isJudged(kind)} />
        ))}
        {fields.options.errors ? <p className="field-errors">{fields.options.errors.join(' ')}</p> : null}
      </fieldset>
    </FormSection>
  )
}

type Row = FieldMetadata<NonNullable<PromptFormFields['options']>[number], PromptFormFields, string[]>
function AnswerRow({ row, index, isJudged }: { row: Row; index: number; isJudged: boolean }) {
  const { id, text, feedback, correct } = row.getFieldset()
  const { key, ...kept } = getInputProps(id, { type: 'hidden' })
  const name = `Answer ${index + 1}`
  return (
    <div className="option-row">
      <input key={key} {...kept} />
      <TextInput field={text} label={name} maxLength={200} />
      {isJudged ? (
        <CheckboxInput
          field={correct}
          label={
            <>
              Right<span className="hidden-words">: {name}</span>
            </>
          }
        />
      ) : (
        <span />
      )}
      <TextInput field={feedback} label={`Feedback ${index + 1}`} maxLength={500} />
    </div>
  )
}
