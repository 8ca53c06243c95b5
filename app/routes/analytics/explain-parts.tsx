/** The rows behind a figure, and what it leaves out. */
import type { FigureName } from '#app/domain/analytics/definitions.ts'
import type { Explained, ExplainedRow } from '#app/domain/analytics/explained/explained.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { counted, listed } from './charts/words.ts'

const DELIVERIES: Readonly<Record<string, string>> = {
  pending: 'Waiting',
  unknown: 'Unconfirmed',
  suppressed: 'Held back',
  failed: 'Failed',
  expired: 'Too late',
}

const when = (at: string | null) => (at ? <Day at={at} timed /> : null)

export const rowColumns: readonly Column<ExplainedRow>[] = [
  {
    key: 'name',
    label: 'Learner',
    sortable: true,
    render: ({ user_id, journey_id, name }) => (
      <Link to={`/analytics?type=by_user&journey=${journey_id}&user=${user_id}`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    key: 'lift',
    label: 'Lift',
    sortable: true,
    render: ({ lift_id, journey_id, lift, journey }) => (
      <>
        <Link to={`/analytics?type=by_lift&journey=${journey_id}&lift=${lift_id}`}>
          <bdi>{lift}</bdi>
        </Link>{' '}
        <bdi className="report-quiet">{journey}</bdi>
      </>
    ),
  },
  { key: 'due', label: 'Due', sortable: true, render: ({ due_at }) => when(due_at) },
  {
    key: 'sent',
    label: 'Sent',
    render: ({ sent_at, delivery, reason }) => (
      <>
        {when(sent_at) ?? DELIVERIES[delivery] ?? 'Waiting'} <span className="report-quiet">{reason}</span>
      </>
    ),
  },
  { key: 'opened', label: 'Opened', render: ({ opened_at }) => when(opened_at) },
  { key: 'answered', label: 'Answered', sortable: true, render: ({ answered_at }) => when(answered_at) },
  { key: 'completed', label: 'Completed', sortable: true, render: ({ completed_at }) => when(completed_at) },
]

/** The page for reminding learners of a lift. */
export const remindHref = ({ journey_id, lift_id }: { journey_id: number; lift_id: number }): string =>
  `/lljs/${journey_id}/lifts/${lift_id}/remind`

/** Only for running journeys: there are no reminders in others. */
export const remindColumn = (running: ReadonlySet<number>): Column<ExplainedRow> => ({
  key: 'remind',
  label: 'Remind',
  hideLabel: true,
  render: (row) =>
    running.has(row.journey_id) ? (
      <Link to={remindHref(row)}>
        Remind<span className="hidden-words">{` those who have not answered ${isolated(row.lift)}`}</span>
      </Link>
    ) : null,
})

type LeftOutProps = { leftOut: Explained['left_out']; figure: FigureName }

/** What a figure leaves out; with names where somebody decided it. */
export function LeftOut({ leftOut: { excluded, without_questions, held, left }, figure }: LeftOutProps) {
  const names = ({ data, total }: typeof excluded) =>
    listed(
      data.map(({ name }) => isolated(name)),
      total,
    )
  return (
    <ul className="report-left-out">
      {excluded.total > 0 ? <li>Excluded from analytics: {names(excluded)}.</li> : null}
      {figure === 'response' && without_questions.total > 0 ? (
        <li>Lifts without a question are left out: {names(without_questions)}.</li>
      ) : null}
      {left > 0 ? <li>Not counted because the learner had left before: {counted(left, 'lift')}.</li> : null}
      {held > 0 ? <li>Not counted while on hold: {counted(held, 'lift')}.</li> : null}
      <li>Test messages are not counted.</li>
    </ul>
  )
}
