/** The comparison item by item: before and after, by the learner, the sponsor and peers; then their words. */
import { OWN_RATER_NAMES, PHASE_NAMES, RATER_NAMES } from '#app/domain/assessments/assessment-form.ts'
import {
  type ComparedColumn,
  type ComparedRow,
  columnsOf,
  commentsOf,
  inPoints,
  rowsOf,
} from '#app/domain/assessments/comparing.ts'
import type { LearnerAssessment } from '#app/domain/assessments/form.ts'
import { type Column, DataTable } from '#app/ui/list/table.tsx'

type ComparisonProps = { assessments: readonly LearnerAssessment[]; isOwn: boolean }

export function Comparison({ assessments, isOwn }: ComparisonProps) {
  const raters = isOwn ? OWN_RATER_NAMES : RATER_NAMES
  const columns = columnsOf(assessments)
  if (columns.length === 0) return null
  const alike = new Set(assessments.map(({ phase }) => phase)).size < assessments.length
  const nameOf = ({ assessment, rater }: ComparedColumn) =>
    `${alike ? assessment.name : PHASE_NAMES[assessment.phase]}: ${raters[rater].toLowerCase()}`
  const rows = rowsOf(assessments)
  const comments = commentsOf(assessments, nameOf)
  return (
    <>
      {rows.length > 0 ? (
        <section className="section" aria-labelledby="compared">
          <h2 id="compared">Item by item</h2>
          <DataTable
            caption="Answers beside each other"
            columns={tableColumns(columns, rows, nameOf)}
            rows={rows}
            rowKey="key"
          />
          <Explained rows={rows} isOwn={isOwn} />
        </section>
      ) : null}
      {comments.length > 0 ? (
        <section className="section" aria-labelledby="comments">
          <h2 id="comments">Comments</h2>
          {comments.map((comment) => (
            <div key={comment.key} className="comment">
              <h3>{comment.text}</h3>
              <dl className="facts panel">
                {comment.from.map(({ who, words }, nth) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: several peers may write the same words
                  <div key={nth}>
                    <dt>{who}</dt>
                    <dd className="comment-words">{words}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </section>
      ) : null}
    </>
  )
}

function Explained({ rows, isOwn }: { rows: readonly ComparedRow[]; isOwn: boolean }) {
  const hasGap = rows.some((row) => Object.keys(row.gaps).length > 0)
  const hasChange = rows.some((row) => row.change !== null)
  if (!hasGap && !hasChange) return null
  return (
    <p className="timeline-facts">
      {hasGap
        ? `Gap: how many points of 100 higher ${isOwn ? 'you see yourself than your sponsor does' : 'the learner sees themselves than the sponsor does'}. `
        : null}
      {hasChange
        ? `Change: from the first to the last time ${isOwn ? 'you' : 'the learner'} answered.`
        : null}
    </p>
  )
}

function tableColumns(
  columns: readonly ComparedColumn[],
  rows: readonly ComparedRow[],
  nameOf: (column: ComparedColumn) => string,
): Column<ComparedRow>[] {
  const said = columns.flatMap((column): Column<ComparedRow>[] => {
    const { key, assessment, rater } = column
    const shown: Column<ComparedRow> = {
      key,
      label: nameOf(column),
      render: (row) => row.said[key]?.words ?? null,
    }
    // The gap follows the later of the two columns.
    const hasGap = rater === 'sponsor' && rows.some((row) => row.gaps[assessment.id] !== undefined)
    return hasGap ? [shown, gapOf(assessment)] : [shown]
  })
  const change: Column<ComparedRow> = {
    key: 'change',
    label: 'Change',
    align: 'end',
    render: (row) => (row.change === null ? null : inPoints(row.change)),
  }
  const text: Column<ComparedRow> = { key: 'text', label: 'Item' }
  return [text, ...said, ...(rows.some((row) => row.change !== null) ? [change] : [])]
}

const gapOf = ({ id, phase }: LearnerAssessment): Column<ComparedRow> => ({
  key: `gap-${id}`,
  label: `${PHASE_NAMES[phase]}: gap`,
  align: 'end',
  render: ({ gaps }) => {
    const gap = gaps[id]
    return gap === undefined ? null : inPoints(gap)
  },
})
