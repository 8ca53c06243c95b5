/** Fields for typed answers. */
import type { PagePrompt } from '#app/domain/lifts/page.ts'
import { Counter, useTyped } from '#app/ui/form/field-head.tsx'
import { answerName, type TypedAnswers } from './answer-names.ts'

const MAX_LETTERS: Partial<Record<PagePrompt['kind'], number>> = {
  short_text: 300,
  long_text: 5000,
  commitment: 500,
}

export function Words({ prompt, value }: { prompt: PagePrompt; value: string | undefined }) {
  const { typed, box } = useTyped(value)
  const max = MAX_LETTERS[prompt.kind]
  const shared = {
    ...box,
    className: 'input',
    name: answerName(prompt),
    required: prompt.required,
    maxLength: max,
    'aria-label': prompt.text,
    dir: 'auto',
  }
  if (prompt.kind === 'number') return <input {...shared} type="number" step="any" inputMode="decimal" />
  return (
    <>
      {prompt.kind === 'long_text' ? (
        <textarea {...shared} className="input input-area" rows={6} />
      ) : (
        <input {...shared} type="text" />
      )}
      <Counter max={max} value={typed} />
    </>
  )
}

type CommitmentProps = { prompt: PagePrompt; typed: TypedAnswers; what: string | undefined }

export function Commitment({ prompt, typed, what }: CommitmentProps) {
  const answered = prompt.answer?.value as { by?: string | null } | undefined
  const by = typed[answerName(prompt, 'by')]?.[0] ?? answered?.by ?? ''
  const action = useTyped(what)
  const max = MAX_LETTERS[prompt.kind]
  return (
    <div className="lift-choices">
      <label>
        I will
        <input
          {...action.box}
          className="input"
          dir="auto"
          name={answerName(prompt)}
          required={prompt.required}
          maxLength={max}
        />
      </label>
      <Counter max={max} value={action.typed} />
      <label>
        by
        <input
          className="input"
          type="date"
          name={answerName(prompt, 'by')}
          defaultValue={by}
          required={prompt.required}
        />
      </label>
    </div>
  )
}
