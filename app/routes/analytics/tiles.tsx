/** The tiles of a report: each figure with its counts, its definition, and a link to the rows behind it. */

import type { ReactNode } from 'react'
import { DEFINITIONS, FIGURE_NAMES, type FigureName } from '#app/domain/analytics/definitions.ts'
import type { Overview, Rate } from '#app/domain/analytics/figures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Link } from '#app/ui/link.tsx'
import { counted } from './charts/words.ts'
import { type Asked, explainHref } from './explain-href.ts'

/** `unknownHref`: the page of messages with unknown delivery. */
type TilesProps = { overview: Overview; asked: Asked; unknownHref: string }

export function Tiles({ overview, asked, unknownHref }: TilesProps) {
  return (
    <section aria-label="Figures" className="report-tiles">
      {FIGURE_NAMES.map((figure) => (
        <Figure
          key={figure}
          figure={figure}
          rate={overview[figure]}
          asked={asked}
          note={figure === 'coverage' ? <Unsent counts={overview.counts} unknownHref={unknownHref} /> : null}
        />
      ))}
      <p className="report-quiet report-scope">
        {[
          counted(overview.learners, 'learner'),
          counted(overview.lifts, 'lift'),
          counted(overview.journeys, 'journey'),
        ].join(', ')}
        . Each figure counts a lift once for each learner it was due for.
      </p>
    </section>
  )
}

/** The delivery states of messages that were not sent. */
function Unsent({ counts, unknownHref }: Pick<TilesProps, 'unknownHref'> & Pick<Overview, 'counts'>) {
  const rest = [
    [counts.pending, 'waiting'],
    [counts.failed, 'failed'],
    [counts.suppressed, 'held back'],
    [counts.expired, 'too late'],
  ] as const
  const unsent = rest.filter(([many]) => many > 0).map(([many, word]) => `${figures(many)} ${word}`)
  if (counts.unknown === 0 && unsent.length === 0) return null
  return (
    <p className="report-quiet">
      {counts.unknown > 0 ? (
        <>
          <Link to={unknownHref}>{figures(counts.unknown)} unconfirmed</Link>
          {unsent.length > 0 ? ', ' : null}
        </>
      ) : null}
      {unsent.join(', ')}
    </p>
  )
}

type FigureProps = { figure: FigureName; rate: Rate; asked: Asked; note: ReactNode }

const MISSING: Record<FigureName, (many: number) => string> = {
  coverage: (many) => `${figures(many)} not sent`,
  delivery: (many) => `${figures(many)} not confirmed`,
  open: (many) => `${figures(many)} not opened`,
  response: (many) => `${figures(many)} not answered`,
  completion: (many) => `${figures(many)} not completed`,
}

function Figure({ figure, rate, asked, note }: FigureProps) {
  const { name, line } = DEFINITIONS[figure]
  const { n, d } = rate
  const counts = `${figures(n)} of ${figures(d)}`
  return (
    <div className="report-tile">
      <h2>
        <Link to={explainHref(asked, figure)}>{name}</Link>
      </h2>
      <p className="report-figure">{percent(rate)}</p>
      <p className="report-quiet">{counts}</p>
      <meter min={0} max={Math.max(d, 1)} value={n} aria-label={`${name}: ${counts}`} />
      <p className="report-definition">{line}</p>
      {d > n ? (
        <p>
          <Link to={explainHref(asked, figure, 'no')}>{MISSING[figure](d - n)}</Link>
        </p>
      ) : null}
      {note}
    </div>
  )
}
