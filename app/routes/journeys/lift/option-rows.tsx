/** The options of a question: their words, which are right, and the feedback. */
import { type FieldMetadata, getInputProps } from '@conform-to/react'
import type { LiftFormFields } from '#app/domain/lifts/lift-form.ts'
import { TextInput } from '#app/ui/form/text-input.tsx'

type OptionFields = NonNullable<LiftFormFields['options']>[number]
type OptionRowsProps = {
  rows: FieldMetadata<OptionFields, LiftFormFields, string[]>[]
  correct: FieldMetadata<LiftFormFields['correct'], LiftFormFields, string[]>
  errors: string[] | undefined
}

export function OptionRows({ rows, correct, errors }: OptionRowsProps) {
  return (
    <fieldset className="options">
      <legend className="field-label">Answers</legend>
      {rows.map((row, index) => (
        <OptionRow key={row.key} row={row} index={index} correct={correct} />
      ))}
      <label className="choice">
        <input
          className="choice-box"
          type="radio"
          name={correct.name}
          value=""
          defaultChecked={!correct.initialValue}
        />
        <span className="choice-label">No answer is right or wrong</span>
      </label>
      {errors ? <p className="field-errors">{errors.join(' ')}</p> : null}
    </fieldset>
  )
}

function OptionRow({
  row,
  index,
  correct,
}: Pick<OptionRowsProps, 'correct'> & { row: OptionRowsProps['rows'][number]; index: number }) {
  const { id, text, feedback } = row.getFieldset()
  const { key, ...kept } = getInputProps(id, { type: 'hidden' })
  const name = `Answer ${index + 1}`
  return (
    <div className="option-row">
      <input key={key} {...kept} />
      <TextInput field={text} label={name} />
      <label className="choice">
        <input
          className="choice-box"
          type="radio"
          name={correct.name}
          value={String(index)}
          defaultChecked={correct.initialValue === String(index)}
        />
        <span className="choice-label">
          Right<span className="hidden-words">: {name}</span>
        </span>
      </label>
      <TextInput field={feedback} label={`Feedback ${index + 1}`} />
    </div>
  )
}
