/** The figures of the overview, each with how many of how many. */

import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Overview, Rate } from '#app/domain/analytics/figures.ts'
import { percent } from '#app/domain/analytics/rate.ts'

/** `unknownHref`: where the messages stand of which nobody knows whether they arrived. */
type TilesProps = { overview: Overview; unknownHref: string }

export function Tiles({ overview, unknownHref }: TilesProps) {
  const { counts } = overview
  const rest = [
    [counts.pending, 'waiting'],
    [counts.failed, 'failed'],
    [counts.suppressed, 'held back'],
    [counts.expired, 'too late'],
  ] as const
  const unsent = rest.filter(([many]) => many > 0).map(([many, word]) => `${count(many)} ${word}`)
  return (
    <section aria-label="Overview" className="report-tiles">
      <Figure
        name="Sent"
        rate={overview.coverage}
        note={
          <>
            {counts.unknown > 0 ? (
              <>
                <Link to={unknownHref}>{count(counts.unknown)} unconfirmed</Link>
                {unsent.length > 0 ? ', ' : null}
              </>
            ) : null}
            {unsent.join(', ')}
          </>
        }
      />
      <Figure name="Delivered" rate={overview.delivery} />
      <Figure name="Opened" rate={overview.open} />
      <Figure name="Answered" rate={overview.response} />
      <Figure name="Completed" rate={overview.completion} />
      <p className="report-quiet report-scope">
        {count(overview.learners, 'learner')}, {count(overview.lifts, 'lift')},{' '}
        {count(overview.journeys, 'journey')}
      </p>
    </section>
  )
}

const count = (value: number, thing?: string) =>
  `${value.toLocaleString('en-US')}${thing ? ` ${thing}${value === 1 ? '' : 's'}` : ''}`

function Figure({ name, rate, note }: { name: string; rate: Rate; note?: ReactNode }) {
  const { n, d } = rate
  return (
    <div className="report-tile">
      <h2>{name}</h2>
      <p className="report-figure">{percent(rate)}</p>
      <p className="report-quiet">{`${n.toLocaleString('en-US')} of ${d.toLocaleString('en-US')}`}</p>
      <meter min={0} max={Math.max(d, 1)} value={n} aria-label={`${name}: ${n} of ${d}`} />
      {note ? <p className="report-quiet">{note}</p> : null}
    </div>
  )
}
