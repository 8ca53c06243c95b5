/** Obstacles to the launch of a draft, and the link to the launch. */

import type { LaunchProblem } from '#app/domain/journeys/journey.ts'
import type { Timeline } from '#app/domain/running/timeline.ts'
import { figures } from '#app/domain/text/figures.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Link } from '#app/ui/link.tsx'
import { useScheduleAddress } from './address.ts'

export const learnersIn = (count: number) => `${figures(count)} ${count === 1 ? 'learner' : 'learners'}`

type LaunchPanelProps = Omit<Timeline, 'lifts'>

export function LaunchPanel(props: LaunchPanelProps) {
  return (
    <section aria-labelledby="launch">
      <h2 id="launch">Launch</h2>
      {props.problems.length > 0 ? <Missing {...props} /> : <Ready {...props} />}
    </section>
  )
}

function Missing({ journey, problems, past_lifts }: LaunchPanelProps) {
  const address = useScheduleAddress()
  return (
    <>
      <p>Before you can launch:</p>
      <ul className="problems">
        {problems.map((problem) => (
          <li key={problem.message}>
            <Link to={addressOf(problem, address, journey.id)}>{problem.message}</Link>
          </li>
        ))}
      </ul>
      {past_lifts.length > 0 ? (
        <>
          <p>You can choose another time, or decide at the launch whether to skip or to send:</p>
          <ul className="problems">
            {past_lifts.map(({ id, title }) => (
              <li key={id}>
                <Link to={address.liftTo(id)}>The time of “{title}” has passed.</Link>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}

function Ready({ learners, past_lifts, at_launch, warnings }: LaunchPanelProps) {
  const address = useScheduleAddress()
  const them = past_lifts.length === 1 ? 'it' : 'them'
  return (
    <div className="stack">
      <p>Ready for {learnersIn(learners)}.</p>
      {warnings.length > 0 ? (
        <ul className="problems">
          {warnings.map(({ lift_id, message }) => (
            <li key={message}>
              <Link to={address.liftTo(lift_id)}>{message}</Link>
            </li>
          ))}
        </ul>
      ) : null}
      {at_launch > 1 ? (
        <p>
          {at_launch} lifts go out with the launch. Sent now, {at_launch} lifts reach the same person in the
          same minute; at the usual time they come one a day.
        </p>
      ) : null}
      {past_lifts.length > 0 ? (
        <p>
          The time of {past_lifts.map(({ title }) => `“${title}”`).join(', ')} has passed. Skip {them}, or
          send {them}?
        </p>
      ) : null}
      {past_lifts.length > 0 ? (
        <>
          <ButtonLink to={`${address.to('launch')}?past=skip`}>Launch and skip {them}</ButtonLink>
          <ButtonLink to={address.to('launch')} variant="soft">
            Launch and send {them}
          </ButtonLink>
        </>
      ) : (
        <ButtonLink to={address.to('launch')}>Launch</ButtonLink>
      )}
    </div>
  )
}

function addressOf(
  { code, lift_id }: LaunchProblem,
  { to, liftTo }: ReturnType<typeof useScheduleAddress>,
  id: number,
) {
  if (lift_id) return liftTo(lift_id)
  if (code === 'no_lift') return to('lifts/new')
  if (code === 'assessment') return `/lljs/${id}/assessments/`
  return code === 'no_learner' ? `/lljs/${id}/people/add` : `/lljs/${id}/details`
}
