/** A sponsor’s learners, and which of them need attention. */
import { reasonsOf } from '#app/domain/sponsors/brief.ts'
import type { SponsoredLearner, SponsorsJourney } from '#app/domain/sponsors/sponsored.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import type { Column } from '#app/ui/list/table.tsx'

const NOTHING = { overdue: 0, late_commitments: 0, is_quiet: false }

const COLUMNS: readonly Column<SponsoredLearner>[] = [
  {
    key: 'name',
    label: 'Learner',
    render: ({ user_id, name }) => (
      <Link to={`?learner=${user_id}`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    key: 'completed',
    label: 'Completed',
    render: ({ completed, come }) => `${completed} of ${come} ${come === 1 ? 'lift' : 'lifts'} so far`,
  },
  {
    key: 'overdue',
    label: 'Overdue',
    render: ({ overdue }) => (overdue > 0 ? <Badge tone="warning">{`${overdue}`}</Badge> : overdue),
  },
  {
    key: 'last_activity',
    label: 'Last activity',
    render: ({ last_activity }) => (last_activity ? <Day at={last_activity} /> : null),
  },
  { key: 'open_commitments', label: 'Open commitments', align: 'end' },
  {
    key: 'to_score',
    label: 'Waiting for you',
    render: ({ to_acknowledge, to_score }) =>
      reasonsOf({ ...NOTHING, to_acknowledge, to_score }).join(', ') || null,
  },
  {
    key: 'encouraged_today',
    label: 'Encouragement',
    render: ({ encouraged_today }) => (encouraged_today ? 'Sent today' : null),
  },
]

export function LearnerList({ list, q }: { list: SponsorsJourney; q: string }) {
  return (
    <>
      <FilterBar q={q} placeholder="Search your learners" />
      <PagedTable
        caption="Your learners"
        columns={COLUMNS}
        list={list}
        rowKey="user_id"
        empty={{ hint: 'None of your learners match this search.' }}
      />
    </>
  )
}
