/** The parts of the printable report. */

import type { z } from 'zod'
import type {
  AssessmentFigures,
  ObjectiveFigures,
} from '#app/domain/analytics/assessed/assessment-figures.ts'
import { DEFINITIONS, FIGURE_NAMES } from '#app/domain/analytics/definitions.ts'
import type { ByLift, LiftFigures, Overview, Rate } from '#app/domain/analytics/figures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { type Column, DataTable } from '#app/ui/list/table.tsx'
import { changeColumns } from './change-columns.ts'
import { counted } from './charts/words.ts'

/** The headline, for people who read nothing else. */
export function Headline({ overview: { response, completion, learners, lifts } }: { overview: Overview }) {
  const reached = `${counted(learners, 'learner')} got ${counted(lifts, 'lift')}`
  const answered = response.d > 0 ? `${percent(response)} of lifts with a question were answered, and ` : ''
  return (
    <p className="board-headline">
      {reached}: {answered}
      {percent(completion)} of all that was due was completed.
    </p>
  )
}

const inFull = ({ n, d }: Rate) => `${figures(n)} of ${figures(d)}`

export function BoardFigures({ overview }: { overview: Overview }) {
  return (
    <dl className="report-tiles board-figures">
      {FIGURE_NAMES.map((figure) => (
        <div key={figure} className="report-tile">
          <dt>{DEFINITIONS[figure].name}</dt>
          <dd className="report-figure">{percent(overview[figure])}</dd>
          <dd className="report-quiet">{inFull(overview[figure])}</dd>
          <dd className="report-definition">{DEFINITIONS[figure].line}</dd>
        </div>
      ))}
    </dl>
  )
}

type Row = z.infer<typeof LiftFigures>
const rate = (key: string, label: string, of: (row: Row) => Rate): Column<Row> => ({
  ...{ key, label, align: 'end' },
  render: (row) => (
    <>
      {percent(of(row))} <span className="report-quiet">{inFull(of(row))}</span>
    </>
  ),
})
const LIFT_COLUMNS: readonly Column<Row>[] = [
  { key: 'title', label: 'Lift' },
  rate('opened', 'Opened', ({ open }) => open),
  rate('answered', 'Answered', ({ response }) => response),
  rate('completed', 'Completed', ({ completion }) => completion),
]

export function BoardLifts({ byLift: { data, pagination } }: { byLift: ByLift }) {
  const more = pagination.total - data.length
  return (
    <section aria-labelledby="lifts" className="board-part">
      <h2 id="lifts">Lift by lift</h2>
      <DataTable caption="Lift by lift" columns={LIFT_COLUMNS} rows={data} rowKey="lift_id" />
      {more > 0 ? <p className="report-quiet">And {counted(more, 'further lift')}.</p> : null}
    </section>
  )
}

const OBJECTIVE_COLUMNS: readonly Column<ObjectiveFigures>[] = [
  { key: 'text', label: 'Objective', render: ({ code, text }) => `${isolated(code)} ${isolated(text)}` },
  ...changeColumns('Change, as learners see themselves'),
]

export function BoardObjectives({ objectives: { data, pagination } }: { objectives: AssessmentFigures }) {
  if (data.length === 0) return null
  const more = pagination.total - data.length
  return (
    <section aria-labelledby="objectives" className="board-part">
      <h2 id="objectives">Before and after</h2>
      <DataTable caption="Before and after" columns={OBJECTIVE_COLUMNS} rows={data} rowKey="objective_id" />
      {more > 0 ? <p className="report-quiet">And {counted(more, 'further objective')}.</p> : null}
    </section>
  )
}
