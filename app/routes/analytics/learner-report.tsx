/** One learner of one journey: their lifts, when they did what, and what they answered. */
import { Link } from '@remix-run/react'
import type { AnsweredLift, LearnerAnswer, LearnerResponses } from '#app/domain/responses/response.ts'
import { Day } from '#app/ui/day.tsx'
import { FilterBar } from '#app/ui/filter-bar.tsx'
import { NoRows } from '#app/ui/no-rows.tsx'
import { Pager } from '#app/ui/pager.tsx'

type LearnerReportProps = { learner: LearnerResponses; q: string }

export function LearnerReport({ learner, q }: LearnerReportProps) {
  const { name, journey, sponsor, data, pagination } = learner
  return (
    <section className="report-prompt" aria-labelledby="learner">
      <h2 id="learner">
        {name} in <Link to={`?type=by_user&journey=${journey.id}`}>{journey.name}</Link>
      </h2>
      <p>
        {sponsor ? `Sponsor: ${sponsor}.` : 'No sponsor.'}
        {learner.has_left ? ' They have left this journey; their answers stay.' : null}
        {learner.exclude_data ? ' They are not in the figures.' : null}
      </p>
      <FilterBar q={q} placeholder="Search lifts and answers" />
      {data.map((lift) => (
        <LiftReport key={lift.lift_id} lift={lift} journeyId={journey.id} />
      ))}
      {data.length === 0 ? (
        <NoRows
          pagination={pagination}
          title={q ? 'No results' : 'No lifts yet'}
          hint={
            q ? 'No lift and no answer contains these words.' : 'Lifts appear here once they are planned.'
          }
        />
      ) : null}
      <Pager pagination={pagination} />
    </section>
  )
}

/** In the words of the learner’s own pages. */
export const STATES: Readonly<Record<string, string>> = {
  planned: 'Planned',
  held: 'On hold',
  due: 'Being sent',
  sent: 'Sent',
  opened: 'Opened',
  responded: 'Answered in part',
  completed: 'Completed',
  expired: 'Closed unanswered',
  suppressed: 'Not sent',
}

function LiftReport({ lift, journeyId }: { lift: AnsweredLift; journeyId: number }) {
  const times = [
    ['Due', lift.due_at],
    ['Opened', lift.opened_at],
    ['Answered', lift.responded_at],
    ['Completed', lift.completed_at],
  ] as const
  return (
    <article className="report-lift" aria-labelledby={`lift-${lift.lift_id}`}>
      <h3 id={`lift-${lift.lift_id}`}>
        <Link to={`?type=by_lift&journey=${journeyId}&lift=${lift.lift_id}`}>{lift.title}</Link>
      </h3>
      <p className="report-quiet">
        {STATES[lift.state] ?? lift.state}
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
            <div key={answer.id}>
              <dt>{answer.question}</dt>
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

function Said({ answer: { words, visibility, score } }: { answer: LearnerAnswer }) {
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
      <span className="report-said">{words}</span>
      {score === null ? null : (
        <span className="report-quiet">
          {' '}
          {score === 1 ? 'Right' : score === 0 ? 'Not right' : 'Partly right'}
        </span>
      )}
    </>
  )
}
