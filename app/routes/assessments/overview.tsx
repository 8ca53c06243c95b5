/** The assessments of a journey, each with its raters, times and progress. */
import { useParams } from '@remix-run/react'
import { PHASE_NAMES, RATER_NAMES } from '#app/domain/assessments/assessment-form.ts'
import { inPercent } from '#app/domain/assessments/comparing.ts'
import type { AssessmentsPage } from '#app/domain/assessments/form.ts'
import { describeRule } from '#app/domain/lifts/describe-rule.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Link } from '#app/ui/link.tsx'
import { editorOf } from './address.ts'

type Listed = AssessmentsPage['assessments'][number]

export function Overview({ assessments, mayEdit }: { assessments: readonly Listed[]; mayEdit: boolean }) {
  const params = useParams()
  return (
    <ul className="assessments">
      {assessments.map((assessment) => {
        const { id, name, phase, raters, opens, closes, items, is_retired } = assessment
        return (
          <li key={id} className="timeline-lift">
            <h3 className="timeline-title">
              {name}
              <Badge tone="accent">{PHASE_NAMES[phase]}</Badge>
              {is_retired ? <Badge>Closed</Badge> : null}
            </h3>
            <p className="timeline-facts">
              {items.length === 1 ? '1 item' : `${items.length} items`} · asked:{' '}
              {raters.map((rater) => RATER_NAMES[rater].toLowerCase()).join(', ')} · opens:{' '}
              {inSentence(opens)}
              {closes ? <> · closes: {inSentence(closes)}</> : null}
            </p>
            {items.length === 0 ? <p className="timeline-facts">No items yet: add one.</p> : null}
            <Figures assessment={assessment} />
            {mayEdit && !is_retired ? (
              <div className="row-actions timeline-actions">
                <Link to={editorOf(params, id)}>
                  Edit<span className="hidden-words"> {name}</span>
                </Link>
                <Link className="dangerous" to={`${editorOf(params, id)}/remove`} preventScrollReset>
                  {assessment.submitted > 0 ? 'Close' : 'Delete'}
                  <span className="hidden-words"> {name}</span>
                </Link>
              </div>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

function Figures({ assessment: { figures } }: { assessment: Listed }) {
  if (figures.length === 0) return null
  return (
    <ul className="assessment-figures">
      {figures.map(({ rater, asked, submitted, score }) => (
        <li key={rater}>
          {RATER_NAMES[rater]}: {submitted} of {asked} submitted
          {score === null ? null : <>, {inPercent(score)} on average</>}
        </li>
      ))}
    </ul>
  )
}

const inSentence = (rule: Listed['opens']) =>
  describeRule(rule).replace(/^./, (letter) => letter.toLowerCase())
