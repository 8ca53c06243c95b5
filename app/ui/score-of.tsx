/** The score of an answer, with a link to score it for people who may. */

import type { LearnerAnswer } from '#app/domain/responses/response.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Link } from '#app/ui/link.tsx'

type Scored = Pick<LearnerAnswer, 'id' | 'points' | 'max_score' | 'comment' | 'may_score'>

/** `of`: what is scored, for screen readers, which read the link alone. */
export function ScoreOf({ answer, of }: { answer: Scored; of: string }) {
  const { id, points, max_score, comment, may_score } = answer
  if (points === null && !may_score) return null
  return (
    <span className="report-score">
      {points === null ? null : (
        <strong>
          {`${figures(points)} of ${figures(max_score ?? 0)} ${max_score === 1 ? 'point' : 'points'}`}
        </strong>
      )}
      {comment ? (
        <span className="report-said">
          “<bdi>{comment}</bdi>”
        </span>
      ) : null}
      {may_score ? (
        <Link to={`/answers/${id}/score`}>
          {points === null ? 'Score' : 'Change score'}
          <span className="hidden-words">: {of}</span>
        </Link>
      ) : null}
    </span>
  )
}
