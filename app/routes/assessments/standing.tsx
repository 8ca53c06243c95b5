/** The state of each form and, for administrators, the link to reopen one. */
import { OWN_RATER_NAMES, PHASE_NAMES, RATER_NAMES } from '#app/domain/assessments/assessment-form.ts'
import { inPercent } from '#app/domain/assessments/comparing.ts'
import type { LearnerAssessment, LearnerAssessments } from '#app/domain/assessments/form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import { StateBadge } from './state-badge.tsx'

export function Standing({ shown, zone }: { shown: LearnerAssessments; zone: string }) {
  return (
    <section className="section" aria-labelledby="standing">
      <h2 id="standing">Status</h2>
      <ul className="assessments">
        {shown.assessments.map((assessment) => (
          <li key={assessment.id} className="timeline-lift">
            <h3 className="timeline-title">
              {assessment.name}
              <Badge tone="accent">{PHASE_NAMES[assessment.phase]}</Badge>
              {assessment.is_retired ? <Badge>Closed</Badge> : null}
            </h3>
            {assessment.forms.length === 0 && !assessment.peers ? (
              <p className="timeline-facts">Nobody has been asked yet.</p>
            ) : null}
            {assessment.forms.map((form) => (
              <FormLine key={form.rater} {...{ assessment, form, shown, zone }} />
            ))}
            {assessment.peers ? <PeersLine peers={assessment.peers} /> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

type OneForm = LearnerAssessment['forms'][number]
type FormLineProps = { assessment: LearnerAssessment; form: OneForm; shown: LearnerAssessments; zone: string }

function FormLine({ assessment, form, shown, zone }: FormLineProps) {
  const { rater, state, score, submitted_at, opens_at, closes_at, revision, reopened_reason } = form
  const isDone = state === 'submitted' || state === 'closed'
  return (
    <p className="timeline-facts">
      {raterName(rater, shown.is_self)}: <StateBadge state={state} />
      {score === null ? null : <strong> {inPercent(score)}</strong>}
      {submitted_at ? (
        <>
          {' '}
          <Day at={submitted_at} zone={zone} />
        </>
      ) : null}
      {state === 'not_open' && opens_at ? (
        <>
          {' '}
          opens <Day at={opens_at} zone={zone} timed />
        </>
      ) : null}
      {!isDone && closes_at ? (
        <>
          , closes <Day at={closes_at} zone={zone} timed />
        </>
      ) : null}
      {revision > 1 ? ` · opened again: ${reopened_reason ?? ''}` : null}
      {shown.may_reopen && isDone && rater !== 'peers' && !assessment.is_retired ? (
        <span className="reopen">
          {' · '}
          <Link
            to={`/lljs/${shown.journey.id}/assessments/${shown.learner.id}/reopen/${assessment.id}/${rater}`}
            preventScrollReset
          >
            Open again
            <span className="hidden-words">
              : {assessment.name}, {RATER_NAMES[rater].toLowerCase()}
            </span>
          </Link>
        </span>
      ) : null}
    </p>
  )
}

/** Only the peer sees their own form. */
const raterName = (rater: OneForm['rater'], isSelf: boolean): string =>
  rater === 'peers' ? 'You, as a peer' : (isSelf ? OWN_RATER_NAMES : RATER_NAMES)[rater]

function PeersLine({ peers }: { peers: NonNullable<LearnerAssessment['peers']> }) {
  const { asked, submitted, counted, score } = peers
  return (
    <p className="timeline-facts">
      {RATER_NAMES.peers}: {submitted} of {asked} submitted
      {score === null ? null : <>, {inPercent(score)}</>}.{' '}
      {counted === 0
        ? 'Their answers are shown together, once there are enough of them.'
        : `Shown together: the first ${counted}.`}
    </p>
  )
}
