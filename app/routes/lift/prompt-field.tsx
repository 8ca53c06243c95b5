/** A question with native controls for its answer. */
import type { PagePrompt } from '#app/domain/lifts/page.ts'
import { RequiredMark } from '#app/ui/form/field-head.tsx'
import { answerName, type TypedAnswers } from './answer-names.ts'
import { Commitment, Words } from './typed-fields.tsx'
import { whoReads } from './who-reads.ts'

type PromptFieldProps = {
  prompt: PagePrompt
  sponsor: string | null
  typed: TypedAnswers
  errors: string[] | undefined
}

export function PromptField({ prompt, sponsor, typed, errors }: PromptFieldProps) {
  const noteId = `about-${prompt.id}`
  const errorId = `wrong-${prompt.id}`
  return (
    <fieldset
      className="lift-prompt"
      id={`prompt-${prompt.id}`}
      aria-describedby={errors ? `${noteId} ${errorId}` : noteId}
      data-invalid={errors ? '' : undefined}
    >
      <legend dir="auto">
        {prompt.text}
        {prompt.required ? <RequiredMark /> : <span className="lift-quiet"> (optional)</span>}
      </legend>
      {prompt.help ? (
        <p className="lift-quiet" dir="auto">
          {prompt.help}
        </p>
      ) : null}
      <Controls prompt={prompt} typed={typed} />
      {errors ? (
        <p className="lift-wrong" id={errorId} role="alert">
          {errors.join(' ')}
        </p>
      ) : null}
      <p className="lift-quiet" id={noteId}>
        {whoReads(prompt.visibility, sponsor)}
      </p>
    </fieldset>
  )
}

function Controls({ prompt, typed }: Pick<PromptFieldProps, 'prompt' | 'typed'>) {
  const chosen = typed[answerName(prompt)] ?? valuesOf(prompt)
  switch (prompt.kind) {
    case 'single_choice':
      return <Choices prompt={prompt} chosen={chosen} options={prompt.options} />
    case 'multiple_choice':
      return <Choices prompt={prompt} chosen={chosen} options={prompt.options} multiple />
    case 'true_false':
      return <Choices prompt={prompt} chosen={chosen} options={YES_NO} />
    case 'scale':
      return <Choices prompt={prompt} chosen={chosen} options={numbers(1, 5)} row />
    case 'confidence':
      return <Choices prompt={prompt} chosen={chosen} options={numbers(0, 10)} row />
    case 'ranking':
      return <Ranking prompt={prompt} typed={typed} />
    case 'commitment':
      return <Commitment prompt={prompt} typed={typed} what={chosen[0]} />
    default:
      return <Words prompt={prompt} value={chosen[0]} />
  }
}

const YES_NO = [
  { id: 'true', text: 'True' },
  { id: 'false', text: 'False' },
]
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, step) => ({ id: String(from + step), text: String(from + step) }))

function valuesOf({ answer }: PagePrompt): string[] {
  if (!answer) return []
  const { value } = answer
  if (typeof value === 'object' && value !== null && 'what' in value) return [String(value.what)]
  return [value].flat().map(String)
}

type ChoicesProps = {
  prompt: PagePrompt
  chosen: readonly string[]
  options: readonly { id: string; text: string }[]
  multiple?: boolean
  row?: boolean
}

function Choices({ prompt, chosen, options, multiple = false, row = false }: ChoicesProps) {
  return (
    <div className={row ? 'lift-choices lift-choices-row' : 'lift-choices'}>
      {options.map(({ id, text }) => (
        <label key={id} className="lift-choice">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={answerName(prompt)}
            value={id}
            defaultChecked={chosen.includes(id)}
            required={!multiple && prompt.required}
          />
          <span dir="auto">{text}</span>
        </label>
      ))}
    </div>
  )
}

function Ranking({ prompt, typed }: { prompt: PagePrompt; typed: TypedAnswers }) {
  const order = valuesOf(prompt)
  return (
    <div className="lift-choices">
      {prompt.options.map(({ id, text }) => {
        const name = answerName(prompt, `place-${id}`)
        const place = typed[name]?.[0] ?? (order.includes(id) ? String(order.indexOf(id) + 1) : '')
        return (
          <label key={id} className="lift-choice">
            <select name={name} defaultValue={place} required={prompt.required}>
              <option value="">–</option>
              {prompt.options.map((one, index) => (
                <option key={one.id} value={index + 1}>
                  {index + 1}
                </option>
              ))}
            </select>
            <span dir="auto">{text}</span>
          </label>
        )
      })}
    </div>
  )
}
