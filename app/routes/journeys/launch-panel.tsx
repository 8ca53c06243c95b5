/** What stands between a draft and its launch, and the launch itself. */
import { Link } from '@remix-run/react'
import type { LaunchProblem } from '#app/domain/journeys/journey.ts'
import type { Timeline } from '#app/domain/running/timeline.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { useSearchLink } from '#app/ui/search.ts'

const people = (count: number) => `${count} ${count === 1 ? 'learner' : 'learners'}`

export function LaunchPanel({ problems, learners, past_lifts }: Omit<Timeline, 'lifts'>) {
  const link = useSearchLink()
  return (
    <section aria-labelledby="launch">
      <h2 id="launch">Launch</h2>
      {problems.length > 0 ? (
        <>
          <p>Before it can be launched:</p>
          <ul className="problems">
            {problems.map((problem) => (
              <li key={`${problem.code}${problem.lift_id}`}>
                <Link to={link(placeOf(problem))} preventScrollReset>
                  {problem.message}
                </Link>
              </li>
            ))}
            {past_lifts.map(({ id, title }) => (
              <li key={`past${id}`}>
                <Link to={link({ lift: String(id) })} preventScrollReset>
                  The time of “{title}” is past: choose another one, or decide at the launch.
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <div className="stack">
          <p>Ready for {people(learners)}.</p>
          {past_lifts.length > 0 ? (
            <p>
              The time of {past_lifts.map(({ title }) => `“${title}”`).join(', ')} is past: skip, or send now?
            </p>
          ) : null}
          {past_lifts.length > 0 ? (
            <>
              <ButtonLink to={link({ launch: 'skip' })}>Launch, skip what is past</ButtonLink>
              <ButtonLink to={link({ launch: 'send' })} variant="soft">
                Launch, send it now
              </ButtonLink>
            </>
          ) : (
            <ButtonLink to={link({ launch: 'send' })}>Launch</ButtonLink>
          )}
        </div>
      )}
    </section>
  )
}

function placeOf({ code, lift_id }: LaunchProblem): Record<string, string> {
  if (lift_id) return { lift: String(lift_id) }
  if (code === 'no_lift') return { create: 'true' }
  if (code === 'no_learner') return { participantsModal: 'true' }
  return { journeyModal: 'true' }
}

type ConfirmLaunchProps = { name: string; learners: number; skipPast: boolean; cancelHref: string }

export function ConfirmLaunch({ name, learners, skipPast, cancelHref }: ConfirmLaunchProps) {
  return (
    <ConfirmDialog
      title={`Launch ${name}?`}
      subtitle={`${people(learners)} will take part.`}
      message="Lifts without a time of their own are sent at once; the others keep their times and the hours of rest, and text messages never come at night. This cannot be undone."
      continueText="Yes, launch"
      cancelHref={cancelHref}
      fields={{ intent: 'launch', expected_recipients: learners, skip_past: String(skipPast) }}
    />
  )
}
