/** At a launch: when to send the lifts that go out with it, and the effect of sending them now. */

import type { LaunchForecast, Timeline } from '#app/domain/running/timeline.ts'
import { dayInWords, timeOfDay } from '#app/domain/text/date-format.ts'
import { figures } from '#app/domain/text/figures.ts'

export const dispatchesOf = ({ emails, texts, texts_waiting, in_app }: LaunchForecast): number =>
  emails + texts + texts_waiting + in_app

type WhenToSendProps = Pick<Timeline, 'journey' | 'at_launch'> & {
  forecast: LaunchForecast
  /** The start of a journey that is launched before it. */
  startsOn: string | null
}

/** Native controls, which work without scripts. */
export function WhenToSend({ journey, at_launch, forecast, startsOn }: WhenToSendProps) {
  const usual = timeOfDay(journey.default_send_time)
  const where = journey.timezone_mode === 'journey' ? `in ${journey.timezone}` : 'where each learner is'
  return (
    <fieldset className="field choices">
      <legend className="field-label">“At launch” lifts are sent</legend>
      <label className="choice">
        <input className="choice-box" type="radio" name="send_now" value="false" defaultChecked />
        <span className="choice-label">
          {`At the usual time: when it is next ${usual} ${where}, outside quiet hours${at_launch > 1 ? ', one lift a day' : ''}`}
        </span>
      </label>
      <label className="choice">
        <input className="choice-box" type="radio" name="send_now" value="true" />
        <span className="choice-label">
          {`Now: ${sentenceOf(forecast)}`}
          {at_launch > 1 ? ` ${at_launch} lifts reach the same person in the same minute.` : ''}
        </span>
      </label>
      {startsOn ? (
        <p className="field-help">{`They do not wait for the journey’s start on ${dayInWords(startsOn)}.`}</p>
      ) : null}
      <Untexted {...forecast} />
      <Unzoned {...forecast} />
    </fieldset>
  )
}

function Untexted({ without_number, without_consent }: LaunchForecast) {
  const all = without_number + without_consent
  if (all === 0) return null
  const why = [
    without_number > 0 ? `${figures(without_number)} without a number` : null,
    without_consent > 0
      ? `${figures(without_consent)} who ${without_consent === 1 ? 'has' : 'have'} not agreed to texts`
      : null,
  ].filter((one) => one !== null)
  return <p className="field-help">{`${count(all, 'learner')} cannot be texted: ${why.join(', ')}.`}</p>
}

function Unzoned({ without_zone }: LaunchForecast) {
  if (without_zone === 0) return null
  const have = `${count(without_zone, 'learner')} ${without_zone === 1 ? 'has' : 'have'} no time zone`
  return <p className="field-help">{`${have}: the company’s is used, with longer quiet hours.`}</p>
}

const count = (number: number, one: string, more = `${one}s`) =>
  `${figures(number)} ${number === 1 ? one : more}`

/** Texts do not all leave at the same hour: quiet hours end later for people with an unknown zone. */
function sentenceOf(forecast: LaunchForecast): string {
  const { emails, texts, texts_waiting, in_app, asleep, learners, is_estimate } = forecast
  const leaving = emails + texts + in_app
  const ways = [
    emails > 0 ? count(emails, 'e-mail') : null,
    texts > 0 ? count(texts, 'text') : null,
    in_app > 0 ? count(in_app, 'notification') : null,
  ].filter((way) => way !== null)
  const waits = texts_waiting === 1 ? 'waits' : 'wait'
  return [
    `${is_estimate ? 'about ' : ''}${count(leaving, 'message')} ${leaving === 1 ? 'goes' : 'go'} out now`,
    ways.length > 0 ? `: ${ways.join(', ')}` : '',
    texts_waiting > 0 ? `; ${count(texts_waiting, 'text')} ${waits} until quiet hours end` : '',
    `; ${figures(asleep)} of ${count(learners, 'person', 'people')} ${asleep === 1 ? 'is' : 'are'} asleep.`,
  ].join('')
}
