/** The table of all learners with the state and score of each form. */

import { PHASE_NAMES, RATER_NAMES } from '#app/domain/assessments/assessment-form.ts'
import { inPercent } from '#app/domain/assessments/comparing.ts'
import type { AssessmentsPage } from '#app/domain/assessments/form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { type Column, DataTable } from '#app/ui/list/table.tsx'
import { StateBadge } from './state-badge.tsx'

type Row = AssessmentsPage['data'][number]

type LearnersTableProps = { table: AssessmentsPage; q: string; mayEdit: boolean }

export function LearnersTable({ table, q, mayEdit }: LearnersTableProps) {
  const { journey, data, pagination } = table
  if (pagination.total === 0 && q === '')
    return (
      <Empty
        title="No learners yet"
        hint="They appear here once they take part in the journey."
        action={
          mayEdit ? (
            <ButtonLink to={`/lljs/${journey.id}/people/add`} variant="soft">
              Add participants
            </ButtonLink>
          ) : null
        }
      />
    )
  return (
    <>
      <FilterBar q={q} placeholder="Search learners" />
      {data.length > 0 ? (
        <DataTable
          caption={`Assessments of the learners of ${isolated(journey.name)}`}
          columns={columnsOf(table)}
          rows={data}
          rowKey="user_id"
        />
      ) : (
        <NoRows pagination={pagination} hint="Nobody here matches your search." />
      )}
      <Pager pagination={pagination} />
    </>
  )
}

function columnsOf({ journey, assessments }: AssessmentsPage): Column<Row>[] {
  const alike = new Set(assessments.map(({ phase }) => phase)).size < assessments.length
  const cells = assessments.flatMap(({ id, name, phase, raters }) =>
    raters.map(
      (rater): Column<Row> => ({
        key: `${id}-${rater}`,
        label: `${alike ? name : PHASE_NAMES[phase]}: ${RATER_NAMES[rater].toLowerCase()}`,
        render: ({ forms }) => {
          const cell = forms.find((form) => form.assessment_id === id && form.rater === rater)
          // Without a sponsor or peers, there is no rater.
          const isNone = !cell || (cell.asked === 0 && rater !== 'self')
          return isNone ? null : <Cell cell={cell} />
        },
      }),
    ),
  )
  const name: Column<Row> = {
    key: 'name',
    label: 'Learner',
    render: ({ user_id, name, exclude_data }) => (
      <>
        <Link to={`/lljs/${journey.id}/assessments/${user_id}`}>
          <bdi>{name}</bdi>
        </Link>
        {exclude_data ? <span className="people-mail"> (not in figures)</span> : null}
      </>
    ),
  }
  return [name, ...cells]
}

function Cell({ cell }: { cell: Row['forms'][number] }) {
  const { rater, state, score, asked, submitted } = cell
  if (rater === 'peers' && asked > 0)
    return (
      <span>
        {submitted} of {asked}
        {score === null ? null : <>, {inPercent(score)}</>}
      </span>
    )
  return (
    <span>
      {state === 'submitted' && score !== null ? <strong>{inPercent(score)} </strong> : null}
      <StateBadge state={state} />
    </span>
  )
}
