/** An answered question: the answer and the feedback on it. */

import { answerInWords } from '#app/domain/lifts/answer-words.ts'
import type { PagePrompt } from '#app/domain/lifts/page.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Link } from '#app/ui/link.tsx'
import { whoReads } from './who-reads.ts'

type AnsweredProps = { prompt: PagePrompt; sponsor: string | null; mayChange: boolean }

export function Answered({ prompt, sponsor, mayChange }: AnsweredProps) {
  const { answer } = prompt
  if (!answer) return null
  const tone = answer.correct === null ? 'info' : answer.correct ? 'success' : 'warning'
  return (
    <section className="lift-prompt" id={`prompt-${prompt.id}`} aria-labelledby={`asked-${prompt.id}`}>
      <h2 id={`asked-${prompt.id}`} dir="auto">
        {prompt.text}
      </h2>
      <p>
        <span className="lift-quiet">Your answer:</span>{' '}
        <span className="lift-said" dir="auto">
          {answerInWords(prompt, answer.value)}
        </span>
      </p>
      {answer.commitment && answer.commitment !== 'open' ? (
        <p>
          You {answer.commitment === 'done' ? 'marked this commitment as done' : 'dropped this commitment'}.
        </p>
      ) : null}
      <div className="lift-callout" data-tone={tone} role="status">
        <p>
          <strong>{answer.correct === null ? 'Thank you.' : answer.correct ? 'Right.' : 'Not quite.'}</strong>{' '}
          <span className="lift-said" dir="auto">
            {answer.feedback}
          </span>
        </p>
      </div>
      <Score prompt={prompt} sponsor={sponsor} />
      <p className="lift-quiet">{whoReads(prompt.visibility, sponsor)}</p>
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

const SCORERS = { sponsor: 'Your sponsor', author: 'The author' } as const

function Score({ prompt: { answer, scorer }, sponsor }: Omit<AnsweredProps, 'mayChange'>) {
  if (answer?.score)
    return (
      <div>
        <p>
          <strong>
            Score: {figures(answer.score.points)} of {figures(answer.score.max_score)}
          </strong>
        </p>
        {answer.score.comment ? (
          <p className="lift-said" dir="auto">
            {answer.score.comment}
          </p>
        ) : null}
      </div>
    )
  const isScored = scorer === 'author' || (scorer === 'sponsor' && sponsor !== null)
  return isScored ? <p className="lift-quiet">{SCORERS[scorer]} scores this answer.</p> : null
}
