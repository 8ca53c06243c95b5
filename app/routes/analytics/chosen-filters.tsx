/** The active filters, as links that remove them. */
import type { FilterChoices } from '#app/domain/analytics/filter-choices.ts'
import type { AnalyticsSearch } from '#app/domain/analytics/query.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'

const LABELS = {
  journey: 'Journey',
  lift: 'Lift',
  lift_id: 'Lift',
  user: 'Learner',
  lo_id: 'Objective',
  prompt_id: 'Question',
} as const

type ChosenProps = {
  search: Partial<AnalyticsSearch>
  choices: FilterChoices
  /** The search below has the link that clears all filters. */
  isClearedBelow: boolean
}

export function Chosen({ search, choices, isClearedBelow }: ChosenProps) {
  const link = useSearchLink()
  const named = Object.entries(LABELS).flatMap(([name, label]) => {
    const one = choices.chosen[name as keyof typeof LABELS]
    return one ? [{ name, words: `${label}:`, of: one.name }] : []
  })
  const days = (
    [
      ['from', 'Due from'],
      ['to', 'Due until'],
      ['as_of', 'As of'],
    ] as const
  ).flatMap(([name, label]) => {
    const day = search[name]
    return day ? [{ name, words: label, of: dayInWords(day) }] : []
  })
  const all = [...named, ...days]
  if (all.length === 0) return null
  const without = (names: readonly string[]) =>
    link({ ...Object.fromEntries(names.map((name) => [name, null])), page: null, lifts_page: null })
  return (
    <ul className="chips report-chosen" aria-label="Filters that are set">
      {all.map(({ name, words, of }) => (
        <li key={name}>
          <Link className="chip" data-on="" to={without([name])} preventScrollReset>
            <span>
              {words} <bdi>{of}</bdi>
            </span>
            <span aria-hidden="true" className="chip-remove">
              ×
            </span>
            <span className="hidden-words"> (remove)</span>
          </Link>
        </li>
      ))}
      {all.length > 1 && !isClearedBelow ? (
        <li>
          <Link className="filter-clear" to={without(all.map(({ name }) => name))} preventScrollReset>
            Clear all
          </Link>
        </li>
      ) : null}
    </ul>
  )
}
