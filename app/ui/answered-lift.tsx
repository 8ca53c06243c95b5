/** A lift of one learner: its times, and their answers. */

import { stateInWords } from '#app/domain/responses/lift-states.ts'
import type { AnsweredLift, LearnerAnswer } from '#app/domain/responses/response.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Link } from '#app/ui/link.tsx'
import { Badge } from './badge.tsx'
import { Day } from './day.tsx'
import { ScoreOf } from './score-of.tsx'

export function AnsweredLiftReport({ lift, href }: { lift: AnsweredLift; href?: string }) {
  const times = [
    ['Due', lift.due_at],
    ['Opened', lift.opened_at],
    ['Answered', lift.responded_at],
    ['Completed', lift.completed_at],
  ] as const
  return (
    <article className="report-lift" aria-labelledby={`lift-${lift.lift_id}`}>
      <h3 id={`lift-${lift.lift_id}`}>{href ? <Link to={href}>{isolated(lift.title)}</Link> : lift.title}</h3>
      <p className="report-quiet">
        {stateInWords(lift)}
        {lift.is_overdue ? (
          <>
            {' '}
            <Badge tone="warning">Overdue</Badge>
          </>
        ) : null}
        {times.map(([word, at]) =>
          at ? (
            <span key={word}>
              {' · '}
              {word} <Day at={at} timed />
            </span>
          ) : null,
        )}
      </p>
      {lift.answers.length > 0 ? (
        <dl className="report-answers">
          {lift.answers.map((answer) => (
            <div key={answer.id} id={`answer-${answer.id}`}>
              <dt dir="auto">{answer.question}</dt>
              <dd>
                <Said answer={answer} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </article>
  )
}

function Said({ answer }: { answer: LearnerAnswer }) {
  const { words, visibility } = answer
  if (words === null)
    return (
      <span className="report-quiet">
        {visibility === 'learner_only'
          ? 'Answered. Only the learner can read it.'
          : 'Answered. It is only counted, together with others.'}
      </span>
    )
  return (
    <>
      <span className="report-said" dir="auto">
        {words}
      </span>
      <ScoreOf answer={answer} of={answer.question} />
    </>
  )
}
