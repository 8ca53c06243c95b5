/** One item with native controls for its answer. Every answer can be left out or cleared. */
import type { AssessmentItem } from '#app/domain/assessments/assessment.ts'
import { Counter, useTyped } from '#app/ui/form/field-head.tsx'
import type { KeptWord } from '#app/ui/form/kept-words.tsx'

const MAX_LETTERS = 2000

/** `saved`: an answer saved in another window meanwhile, if it differs from the field. */
type ItemFieldProps = {
  item: AssessmentItem
  value: string
  saved: string | null
  errors: string[] | undefined
}

export const fieldOf = ({ kind, id }: Pick<AssessmentItem, 'kind' | 'id'>): string => `${kind}:${id}`

/** Typed words (not choices), except those of items that still show them in their fields. */
export const wordsOf = (typed: Record<string, string>, shown: readonly AssessmentItem[] = []): KeptWord[] =>
  Object.entries(typed)
    .filter(([name, words]) => name.startsWith('text:') && words.trim() !== '')
    .filter(([name]) => !shown.some((item) => fieldOf(item) === name))
    .map(([, text]) => ({ text }))

export function ItemField({ item, value, saved, errors }: ItemFieldProps) {
  const errorId = `wrong-${item.id}`
  return (
    <fieldset
      className="lift-prompt"
      id={fieldOf(item)}
      tabIndex={-1}
      aria-describedby={errors ? errorId : undefined}
      data-invalid={errors ? '' : undefined}
    >
      <legend>
        <strong>{item.text}</strong>
      </legend>
      <Controls item={item} value={value} />
      {saved === null ? null : <p className="field-help">Saved in the meantime: {wordsFor(item, saved)}</p>}
      {errors ? (
        <p className="lift-wrong" id={errorId}>
          {errors.join(' ')}
        </p>
      ) : null}
    </fieldset>
  )
}

const wordsFor = (item: AssessmentItem, saved: string): string =>
  item.options.find((option) => option.id === saved)?.text ?? saved

function Controls({ item, value }: Pick<ItemFieldProps, 'item' | 'value'>) {
  const name = fieldOf(item)
  if (item.kind === 'text') return <Words item={item} value={value} />
  const choices =
    item.kind === 'scale'
      ? item.anchors.map((words, step) => ({ id: String(step + 1), text: `${step + 1}`, words }))
      : item.options.map(({ id, text }) => ({ id, text, words: '' }))
  return (
    <div className={item.kind === 'scale' ? 'lift-choices fill-scale' : 'lift-choices'}>
      {[...choices, { id: '', text: 'No answer', words: '' }].map(({ id, text, words }) => (
        <label key={id} className="lift-choice">
          <input type="radio" value={id} defaultChecked={value === id} name={name} />
          <span>
            {text}
            {words ? <span className="lift-quiet"> {words}</span> : null}
          </span>
        </label>
      ))}
    </div>
  )
}

function Words({ item, value }: Pick<ItemFieldProps, 'item' | 'value'>) {
  const { typed, box } = useTyped(value)
  return (
    <>
      <textarea
        {...box}
        className="input input-area"
        name={fieldOf(item)}
        rows={4}
        maxLength={MAX_LETTERS}
        aria-label={item.text}
      />
      <Counter max={MAX_LETTERS} value={typed} />
    </>
  )
}
