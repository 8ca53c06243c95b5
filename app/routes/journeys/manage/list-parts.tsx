import type { JourneyChoices, JourneyRow } from '#app/domain/journeys/journey.ts'
import { JOURNEY_STATUSES, mayMove } from '#app/domain/journeys/journey-status.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import type { Chips } from '#app/ui/list/filter-bar.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { inWords, JourneyBadge } from '../journey-badge.tsx'

type LinkTo = (rest: string) => string

type Rights = { mayCreate: boolean; mayChangeAuthor: boolean }

export const columnsOf = (to: LinkTo, rights: Rights): readonly Column<JourneyRow>[] => [
  {
    key: 'name',
    label: 'Name',
    sortable: true,
    render: ({ id, name }) => (
      <Link to={`/lljs/${id}/schedule`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { key: 'category', label: 'Category', sortable: true },
  { key: 'author', label: 'Author', sortable: true, render: ({ author }) => isolated(author.name) },
  {
    key: 'status',
    label: 'Status',
    sortable: true,
    render: ({ status }) => <JourneyBadge status={status} />,
  },
  { key: 'lifts', label: 'Lifts', align: 'end' },
  { key: 'learners', label: 'Learners', align: 'end' },
  { key: 'date', label: 'Created', sortable: true, render: ({ created_on }) => <Day at={created_on} /> },
  {
    key: 'actions',
    label: 'Actions',
    hideLabel: true,
    render: (row) => <RowActions row={row} to={to} rights={rights} />,
  },
]

function RowActions({ row, to, rights }: { row: JourneyRow; to: LinkTo; rights: Rights }) {
  if (!row.may_edit) return null
  const ask = (name: string, words: string, look?: 'dangerous') => (
    <Link className={look} to={to(`${row.id}/${name}`)} preventScrollReset>
      {words}
      <span className="hidden-words">{` ${isolated(row.name)}`}</span>
    </Link>
  )
  return (
    <span className="row-actions">
      {ask('details', 'Edit')}
      {rights.mayCreate ? ask('duplicate', 'Duplicate') : null}
      {rights.mayChangeAuthor ? ask('author', 'Reassign') : null}
      <Link to={`/lljs/${row.id}/file`} reloadDocument>
        Export<span className="hidden-words">{` ${isolated(row.name)} as a text file`}</span>
      </Link>
      {row.status !== 'draft' && mayMove(row.status, 'archived') ? ask('archive', 'Archive') : null}
      {row.status === 'draft' ? ask('delete', 'Delete', 'dangerous') : null}
    </span>
  )
}

/** Filters with a single value are not shown. */
export function filterChips({ categories, authors }: JourneyChoices): Chips[] {
  const chips: Chips[] = [
    {
      name: 'status',
      legend: 'Status',
      options: JOURNEY_STATUSES.map((value) => ({ value, label: inWords(value) })),
    },
    { name: 'category', legend: 'Category', options: categories },
    {
      name: 'author',
      legend: 'Author',
      options: authors.map(({ id, name }) => ({ value: String(id), label: name })),
    },
  ]
  return chips.filter(({ options }) => options.length > 1)
}
