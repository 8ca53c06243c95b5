/** The clock of the testing tenant: what it shows, and how it is set forward. */
import { Temporal } from 'temporal-polyfill'
import { dateFormat } from '#app/domain/date-format.ts'
import { CLOCK_STEPS, type ClockStep, progressOf, type TestingClock } from '#app/domain/testing/clock.ts'
import { SubmitButton } from '#app/ui/form.tsx'
import { Form } from '#app/ui/place-form.tsx'
import { useRefresh } from '#app/ui/use-refresh.ts'

const STEPS = Object.entries(CLOCK_STEPS) as [ClockStep, (typeof CLOCK_STEPS)[ClockStep]][]

export function TestingClockSection({ clock }: { clock: TestingClock }) {
  const { move, now, timezone } = clock
  useRefresh(move !== null)
  return (
    <section className="section" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p>
        It is <time dateTime={now}>{moment(now, timezone)}</time> in this tenant
        {clock.ahead_ms > 0 ? `, ${aheadOf(clock.ahead_ms)} ahead` : ''}. All other tenants keep the real
        time.
      </p>
      {move ? (
        <>
          <noscript>
            <meta httpEquiv="refresh" content="2" />
          </noscript>
          <progress
            className="progress"
            max={100}
            value={progressOf(move, now)}
            aria-label="How far the clock is"
          />
          <p aria-live="polite">
            The clock is on its way to {moment(move.to, timezone)}. This goes on by itself: you can leave the
            page.
          </p>
        </>
      ) : (
        <Form method="post" className="stack">
          <input type="hidden" name="version" value={clock.version} />
          <p>
            Set it forward, and everything that is due by then happens: messages, reminders, ends, weekly
            mails.
          </p>
          <div className="row-actions row-actions-start">
            {STEPS.filter(([step]) => step !== 'next_message' || clock.next_message_at).map(
              ([step, { label }]) => (
                <SubmitButton key={step} intent={step} variant="soft">
                  {label}
                </SubmitButton>
              ),
            )}
          </div>
          {clock.next_message_at ? (
            <p>The next message leaves on {moment(clock.next_message_at, timezone)}.</p>
          ) : (
            <p>No message is planned: launch a journey first.</p>
          )}
        </Form>
      )}
    </section>
  )
}

export function moment(at: string, timeZone: string): string {
  const shown = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone })
  return `${shown.format(new Date(at)).replace('\u202f', ' ')} (${timeZone})`
}

function aheadOf(ms: number): string {
  const { days, hours, minutes } = Temporal.Duration.from({ minutes: Math.round(ms / 60_000) }).round({
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
