/** What stands between a draft and its launch, and the launch itself. */
import { Link } from '@remix-run/react'
import { timeOfDay } from '#app/domain/date-format.ts'
import type { LaunchProblem } from '#app/domain/journeys/journey.ts'
import type { LaunchForecast, Timeline } from '#app/domain/running/timeline.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { useSearchLink } from '#app/ui/search.ts'

const people = (count: number) => `${count} ${count === 1 ? 'learner' : 'learners'}`

export function LaunchPanel({ problems, learners, past_lifts, at_launch }: Omit<Timeline, 'lifts'>) {
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
          {at_launch > 1 ? (
            <p>
              {at_launch} lifts go out with the launch. Sent now, {at_launch} lifts reach the same person in
              the same minute; at the usual time they come one a day.
            </p>
          ) : null}
          {past_lifts.length > 0 ? (
            <p>
              The time of {past_lifts.map(({ title }) => `“${title}”`).join(', ')} is past: skip it, or send
              it?
            </p>
          ) : null}
          {past_lifts.length > 0 ? (
            <>
              <ButtonLink to={link({ launch: 'skip' })}>Launch, skip what is past</ButtonLink>
              <ButtonLink to={link({ launch: 'send' })} variant="soft">
                Launch, send it
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

type ConfirmLaunchProps = {
  timeline: Pick<Timeline, 'journey' | 'learners' | 'at_launch' | 'quiet_hours'>
  forecast: LaunchForecast
  skipPast: boolean
  cancelHref: string
}

export function ConfirmLaunch({ timeline, forecast, skipPast, cancelHref }: ConfirmLaunchProps) {
  const { journey, learners } = timeline
  return (
    <ConfirmDialog
      title={`Launch ${journey.name}?`}
      subtitle={`${people(learners)} will take part.`}
      message={
        <div className="stack">
          {messagesOf(forecast) > 0 ? <WhenToSend {...timeline} forecast={forecast} /> : null}
          <p>Lifts with a time of their own keep it, outside quiet hours. This cannot be undone.</p>
        </div>
      }
      continueText="Yes, launch"
      cancelHref={cancelHref}
      fields={{ intent: 'launch', expected_recipients: learners, skip_past: String(skipPast) }}
    />
  )
}

const messagesOf = ({ emails, texts, texts_waiting, in_app }: LaunchForecast): number =>
  emails + texts + texts_waiting + in_app

type WhenToSendProps = Pick<Timeline, 'journey' | 'at_launch' | 'quiet_hours'> & { forecast: LaunchForecast }

/** Native controls: they work before any script. */
function WhenToSend({ journey, at_launch, quiet_hours, forecast }: WhenToSendProps) {
  const usual = timeOfDay(journey.default_send_time)
  const where = journey.timezone_mode === 'journey' ? `in ${journey.timezone}` : 'where each learner is'
  return (
    <fieldset className="field choices">
      <legend className="field-label">What goes out with the launch is sent</legend>
      <label className="choice">
        <input className="choice-box" type="radio" name="send_now" value="false" defaultChecked />
        <span className="choice-label">
          {`At the usual time: when it is next ${usual} ${where}, outside quiet hours${at_launch > 1 ? ', one lift a day' : ''}`}
        </span>
      </label>
      <label className="choice">
        <input className="choice-box" type="radio" name="send_now" value="true" />
        <span className="choice-label">
          {`Now: ${sentenceOf(forecast, timeOfDay(quiet_hours.to))}`}
          {at_launch > 1 ? ` ${at_launch} lifts reach the same person in the same minute.` : ''}
        </span>
      </label>
    </fieldset>
  )
}

const count = (number: number, one: string, more = `${one}s`) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : more}`

function sentenceOf(forecast: LaunchForecast, morning: string): string {
  const { emails, texts, texts_waiting, in_app, asleep, learners, is_estimate } = forecast
  const leaving = emails + texts + in_app
  const ways = [
    emails > 0 ? count(emails, 'e-mail') : null,
    texts > 0 ? count(texts, 'text') : null,
    in_app > 0 ? count(in_app, 'notification') : null,
  ].filter((way) => way !== null)
  const waits = texts_waiting === 1 ? 'waits' : 'wait'
  return [
    `${is_estimate ? 'about ' : ''}${count(leaving, 'message')} ${leaving === 1 ? 'leaves' : 'leave'} now`,
    ways.length > 0 ? `: ${ways.join(', ')}` : '',
    texts_waiting > 0 ? `; ${count(texts_waiting, 'text')} ${waits} until ${morning}` : '',
    `; ${asleep.toLocaleString('en-US')} of ${count(learners, 'person', 'people')} ${asleep === 1 ? 'is' : 'are'} asleep.`,
  ].join('')
}
