/** The clock of the testing tenant: its time, and how to set it forward. */
import { Temporal } from 'temporal-polyfill'
import {
  ANSWERING,
  type Answering,
  CLOCK_STEPS,
  type ClockMove,
  type ClockStep,
  progressOf,
  type TestingClock,
} from '#app/domain/testing/clock.ts'
import { inTheirZone } from '#app/domain/text/in-their-zone.ts'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useRefresh } from '#app/ui/frame/use-refresh.ts'

const STEPS = Object.entries(CLOCK_STEPS) as [ClockStep, (typeof CLOCK_STEPS)[ClockStep]][]
const ANSWERS: Record<Answering, string> = {
  none: 'Nobody answers',
  some: 'Some answer',
  most: 'Most answer',
}

export function TestingClockSection({ clock, answers }: { clock: TestingClock; answers: Answering }) {
  const { move, now, timezone } = clock
  useRefresh(move !== null)
  return (
    <section className="section" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p>
        It is <time dateTime={now}>{inTheirZone(new Date(now), timezone)}</time> in this tenant
        {clock.ahead_ms > 0 ? `, ${aheadOf(clock.ahead_ms)} ahead` : ''}. All other tenants keep the real
        time.
      </p>
      {move ? <OnItsWay {...{ move, now, timezone }} /> : <Steps {...{ clock, answers }} />}
    </section>
  )
}

function OnItsWay({ move, now, timezone }: { move: ClockMove; now: string; timezone: string }) {
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content="2" />
      </noscript>
      {move.starts_again ? (
        <p aria-live="polite">This tenant is being reset. You can leave this page.</p>
      ) : (
        <>
          <progress
            className="progress"
            max={100}
            value={progressOf(move, now)}
            aria-label="How far the clock is"
          />
          <p aria-live="polite">
            The clock is moving forward to {inTheirZone(new Date(move.to), timezone)}. {ANSWERS[move.answers]}
            . You can leave this page.
          </p>
        </>
      )}
    </>
  )
}

function Steps({ clock, answers }: { clock: TestingClock; answers: Answering }) {
  const { next_message_at, timezone, version } = clock
  return (
    <Form method="post" className="section clock-steps">
      <input type="hidden" name="intent" value="clock" />
      <input type="hidden" name="version" value={version} />
      <p>
        Set it forward, and everything that is due by then happens: messages, reminders, closings,
        completions, weekly mails, assessments.
      </p>
      <div className="clock-answers">
        <label htmlFor="clock-answers">Meanwhile</label>
        <select id="clock-answers" name="answers" className="input input-select" defaultValue={answers}>
          {ANSWERING.map((one) => (
            <option key={one} value={one}>
              {ANSWERS[one]}
            </option>
          ))}
        </select>
      </div>
      <div className="row-actions row-actions-start">
        {STEPS.filter(([step]) => step !== 'next_message' || next_message_at).map(([step, { label }]) => (
          <SubmitButton key={step} name="by" intent={step} variant={step === 'six_weeks' ? 'solid' : 'soft'}>
            {label}
          </SubmitButton>
        ))}
      </div>
      <p className="handset-quiet">
        {next_message_at
          ? `The next message leaves on ${inTheirZone(new Date(next_message_at), timezone)}. Playing six weeks takes a minute, or longer where much happens.`
          : 'No message is planned: launch a journey first.'}
      </p>
    </Form>
  )
}

function aheadOf(ms: number): string {
  const { days, hours, minutes } = Temporal.Duration.from({
    minutes: Math.round(ms / 60_000),
  }).round({
    largestUnit: 'days',
  })
  const parts = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes, 'minute'],
  ] as const
  const said = parts.flatMap(([count, unit]) =>
    count > 0 ? [`${count} ${unit}${count === 1 ? '' : 's'}`] : [],
  )
  return said.join(' ') || 'a moment'
}
