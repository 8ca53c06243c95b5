/** One question: how many answered, and the distribution of the answers. */
import type { PromptFigures } from '#app/domain/analytics/figures.ts'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'
import { AnswersChart, rounded } from './charts/answers.tsx'

export function PromptReport({ prompt }: { prompt: PromptFigures }) {
  const { prompt_id, text, kind, response, counted, mean, score } = prompt
  const link = useSearchLink()
  const isRead = prompt.visibility === 'admins' || prompt.visibility === 'sponsor'
  return (
    <section className="report-prompt" aria-labelledby={`prompt-${prompt_id}`}>
      <h2 id={`prompt-${prompt_id}`} dir="auto">
        {text}
      </h2>
      <p>
        Answered {response.n} of {response.d}
        {mean === null ? null : `, mean ${rounded(mean)}${SCALES[kind] ?? ''} (n = ${counted})`}
        {score ? `, mean score ${rounded(score.mean)} of ${rounded(score.max_score)} (n = ${score.n})` : null}
        {isRead && response.n > 0 ? (
          <>
            {'. '}
            <Link to={`${link({ prompt_id: String(prompt_id), page: null, q: null })}#answers`}>
              Read the answers
              <span className="hidden-words">
                {' '}
                to “<bdi>{text}</bdi>”
              </span>
            </Link>
          </>
        ) : null}
      </p>
      <Hidden prompt={prompt} />
      {prompt.options.length > 0 && counted > 0 ? <AnswersChart prompt={prompt} /> : null}
    </section>
  )
}

const SCALES: Partial<Record<PromptFigures['kind'], string>> = { scale: ' of 5', confidence: ' of 10' }

/** Says what is not shown, and why. */
function Hidden({ prompt: { visibility, response, counted, kind } }: { prompt: PromptFigures }) {
  if (visibility === 'learner_only')
    return <p className="report-quiet">Only the learners themselves can read what they answered.</p>
  if (visibility !== 'aggregate_only') return null
  const isWritten = kind === 'short_text' || kind === 'long_text' || kind === 'commitment'
  return (
    <p className="report-quiet">
      {isWritten
        ? 'Answers to this question are only counted; nobody reads what was written.'
        : counted === 0
          ? 'Answers to this question are only counted, and shown from five on.'
          : `Answers to this question are only counted, five people at a time, without later changes: these are ${counted} of ${Math.max(response.n, counted)}.`}
    </p>
  )
}
