/** The columns and filters of the journeys' list. */
import { Link } from '@remix-run/react'
import { JOURNEY_STATUSES, type JourneyChoices, type JourneyRow } from '#app/domain/journeys/journey.ts'
import { Day } from '#app/ui/day.tsx'
import type { Chips } from '#app/ui/filter-bar.tsx'
import type { Column } from '#app/ui/table.tsx'
import { inWords, JourneyBadge } from './journey-badge.tsx'

type LinkTo = (changes: Record<string, string>) => string

export const columnsOf = (link: LinkTo): readonly Column<JourneyRow>[] => [
  {
    key: 'name',
    label: 'Name',
    sortable: true,
    render: ({ id, name }) => <Link to={`/lljs/${id}/schedule`}>{name}</Link>,
  },
  { key: 'category', label: 'Category', sortable: true },
  { key: 'author', label: 'Author', sortable: true, render: ({ author }) => author.name },
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
    render: (row) => <RowActions row={row} link={link} />,
  },
]

function RowActions({ row, link }: { row: JourneyRow; link: LinkTo }) {
  if (!row.may_edit) return null
  return (
    <span className="row-actions">
      <Link to={link({ edit: String(row.id) })} preventScrollReset>
        Edit<span className="hidden-words"> {row.name}</span>
      </Link>
      {row.status === 'draft' ? (
        <Link to={link({ delete: String(row.id) })} preventScrollReset>
          Delete<span className="hidden-words"> {row.name}</span>
        </Link>
      ) : null}
    </span>
  )
}

/** Filters that offer one thing only are none. */
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
