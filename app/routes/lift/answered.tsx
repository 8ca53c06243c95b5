/** A question that was answered: what was said, and what there is to say about it. */
import { Link } from '@remix-run/react'
import type { PagePrompt } from '#app/domain/lifts/page.ts'

type AnsweredProps = { prompt: PagePrompt; mayChange: boolean }

export function Answered({ prompt, mayChange }: AnsweredProps) {
  const { answer } = prompt
  if (!answer) return null
  const tone = answer.correct === null ? 'info' : answer.correct ? 'success' : 'warning'
  return (
    <section className="lift-prompt" id={`prompt-${prompt.id}`} aria-labelledby={`asked-${prompt.id}`}>
      <h2 id={`asked-${prompt.id}`}>{prompt.text}</h2>
      <p className="lift-answer">
        <span className="lift-quiet">Your answer:</span> {inWords(prompt)}
      </p>
      <div className="lift-callout" data-tone={tone} role="status">
        <p>
          <strong>{answer.correct === null ? 'Thank you.' : answer.correct ? 'Right.' : 'Not quite.'}</strong>{' '}
          {answer.feedback}
        </p>
      </div>
      {mayChange ? (
        <p>
          <Link to={`?again=${prompt.id}`} prefetch="none">
            Change my answer
          </Link>
        </p>
      ) : null}
    </section>
  )
}

function inWords({ kind, options, answer }: PagePrompt): string {
  const value = answer?.value
  if (kind === 'true_false') return value ? 'True' : 'False'
  if (typeof value === 'object' && value !== null && 'what' in value) {
    const { what, by } = value as { what: string; by: string | null }
    return `I will ${what}${by ? ` by ${by}` : ''}`
  }
  const words = [value].flat().map((one) => options.find(({ id }) => id === one)?.text ?? String(one))
  return words.join(', ')
}
