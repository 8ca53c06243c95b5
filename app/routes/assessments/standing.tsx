/** How each form stands, and, for administrators, the way to open one again. */
import { useActionData } from '@remix-run/react'
import { PHASE_NAMES, RATER_NAMES } from '#app/domain/assessments/assessment-form.ts'
import { inPercent } from '#app/domain/assessments/comparing.ts'
import type { LearnerAssessment, LearnerAssessments } from '#app/domain/assessments/form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import type { FillRefused } from './answers.server.ts'
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
      {RATER_NAMES[rater]}: <StateBadge state={state} />{' '}
      {score === null ? null : <strong>{inPercent(score)}</strong>}
      {submitted_at ? (
        <>
          {' '}
          <Day at={submitted_at} zone={zone} />
        </>
      ) : null}
      {state === 'not_open' && opens_at ? (
        <>
          {' '}
          opens <Day at={opens_at} zone={zone} />
        </>
      ) : null}
      {!isDone && closes_at ? (
        <>
          , closes <Day at={closes_at} zone={zone} />
        </>
      ) : null}
      {revision > 1 ? ` · opened again: ${reopened_reason ?? ''}` : null}
      {shown.may_reopen && isDone && rater !== 'peers' && !assessment.is_retired ? (
        <span className="reopen">
          {' · '}
          <Link to={`?reopen=${assessment.id}&rater=${rater}`} preventScrollReset>
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

type ReopenProps = {
  shown: LearnerAssessments
  assessmentId: number | undefined
  rater: 'self' | 'sponsor'
}

export function Reopen({ shown, assessmentId, rater }: ReopenProps) {
  const refused = useActionData<FillRefused>()
  const assessment = shown.assessments.find((one) => one.id === assessmentId)
  if (!shown.may_reopen || !assessment) return null
  const wrong = refused?.errors.reason?.join(' ') ?? refused?.problem
  return (
    <Modal title={`Open again: ${assessment.name}`} closeHref="?">
      <Form method="post" className="stack">
        <input type="hidden" name="intent" value="reopen" />
        <input type="hidden" name="assessment" value={assessment.id} />
        <input type="hidden" name="rater" value={rater} />
        <p>
          {rater === 'self' ? shown.learner.name : `The sponsor of ${shown.learner.name}`} can change their
          answers and submit again. What was submitted before is kept.
        </p>
        <label className="field" data-invalid={wrong ? '' : undefined}>
          <span className="field-label">Reason</span>
          <input
            className="input"
            name="reason"
            required
            maxLength={300}
            defaultValue={refused?.typed.reason}
            aria-describedby={wrong ? 'reason-wrong' : 'reason-help'}
          />
        </label>
        {wrong ? (
          <p className="field-errors" id="reason-wrong" role="alert">
            {wrong}
          </p>
        ) : (
          <p className="field-help" id="reason-help">
            The person who fills it in can read it.
          </p>
        )}
        <div className="dialog-actions">
          <ButtonLink to="?" variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Open again</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}
