/** The filters of a report: a form of choices, and the active ones. */

import type { FilterChoices } from '#app/domain/analytics/filter-choices.ts'
import type { AnalyticsSearch } from '#app/domain/analytics/query.ts'
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useSubmitOnChange } from '#app/ui/form/submit-on-change.ts'
import { Chosen } from './chosen-filters.tsx'

/** Filters that are reset when another journey or lift is chosen. */
const DEPENDENTS = {
  journey: ['user', 'lift', 'lift_id', 'prompt_id', 'lo_id'],
  lift: ['prompt_id'],
  lift_id: ['prompt_id'],
}

export type FiltersProps = {
  search: Partial<AnalyticsSearch>
  choices: FilterChoices
  /** Other parameters of the URL that are kept. */
  kept?: Readonly<Record<string, string>>
  isClearedBelow?: boolean
}

export function Filters({ search, choices, kept = {}, isClearedBelow = false }: FiltersProps) {
  const send = useSubmitOnChange(DEPENDENTS)
  const { journey } = search
  const { journeys, today } = choices
  // In the report on one lift, `lift` is the subject; elsewhere it is a filter.
  const liftName = search.lift || (search.type === 'by_lift' && !search.lift_id) ? 'lift' : 'lift_id'
  const { user, lift, lift_id, prompt_id, lo_id, from, to, as_of } = search
  const isNarrowed = Boolean(user ?? lift ?? lift_id ?? prompt_id ?? lo_id ?? from ?? to ?? as_of)
  const launched = journeys.filter(({ id, status }) => status !== 'draft' || id === journey)
  const hidden = {
    ...kept,
    ...(search.lift && search.lift_id ? { lift_id: String(search.lift_id) } : {}),
    ...(search.type && search.type !== 'overview' ? { type: search.type } : {}),
  }
  return (
    <>
      <Form method="get" className="report-filters" onChange={send} key={JSON.stringify(search)}>
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Choose label="Journey" name="journey" all="All journeys" value={journey} options={launched} />
        <Button type="submit" variant="soft" color="gray">
          Show
        </Button>
        <details className="report-more" open={isNarrowed}>
          <summary>More filters</summary>
          <div className="report-fields">
            <Narrowing {...{ search, choices, liftName }} />
            <Day label="Due from" name="from" value={search.from} max={today} />
            <Day label="Due until" name="to" value={search.to} max={today} />
            <Day label="As of" name="as_of" value={search.as_of} max={today} />
          </div>
        </details>
      </Form>
      <Chosen {...{ search, choices, isClearedBelow }} />
    </>
  )
}

type NarrowingProps = Pick<FiltersProps, 'search' | 'choices'> & { liftName: 'lift' | 'lift_id' }

function Narrowing({ search, choices, liftName }: NarrowingProps) {
  const { journey, lift, lift_id } = search
  const { lifts, learners, objectives, prompts, chosen } = choices
  return (
    <>
      <Choose
        {...{ label: 'Lift', name: liftName, all: 'All lifts', options: lifts.data }}
        value={search[liftName]}
        chosen={chosen[liftName]}
        hint={hintOf(lifts, journey, 'journey')}
      />
      <Choose
        {...{ label: 'Learner', name: 'user', all: 'All learners', options: learners.data }}
        value={search.user}
        chosen={chosen.user}
        hint={hintOf(learners, journey, 'journey', 'Find others in “By user”')}
      />
      <Choose
        {...{ label: 'Objective', name: 'lo_id', all: 'All objectives', options: objectives.data }}
        value={search.lo_id}
        chosen={chosen.lo_id}
        hint={hintOf(objectives, journey, 'journey')}
      />
      <Choose
        {...{ label: 'Question', name: 'prompt_id', all: 'All questions', options: prompts.data }}
        value={search.prompt_id}
        chosen={chosen.prompt_id}
        hint={hintOf(prompts, lift ?? lift_id, 'lift')}
      />
    </>
  )
}

/** Why there is nothing to choose from, or not everything. */
function hintOf(
  { data, has_more }: FilterChoices['lifts'],
  chosen: number | undefined,
  first: 'journey' | 'lift',
  elsewhere: string | null = null,
): string | null {
  if (has_more) return elsewhere
  if (data.length > 0) return null
  return chosen === undefined ? `Choose a ${first} first` : `This ${first} has none`
}

type Named = { id: number; name: string }
type ChooseProps = {
  label: string
  name: string
  all: string
  value: number | undefined
  options: readonly Named[]
  /** The chosen value, which may not be among those offered. */
  chosen?: Named | undefined
  hint?: string | null
}

function Choose({ label, name, all, value, options, chosen, hint }: ChooseProps) {
  const isOffered = !chosen || options.some(({ id }) => id === chosen.id)
  return (
    <label>
      <span>{label}</span>
      <select className="input input-select" name={name} defaultValue={value ?? ''}>
        <option value="">{all}</option>
        {isOffered ? null : <option value={chosen.id}>{chosen.name}</option>}
        {options.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
        {hint ? <option disabled>{hint}</option> : null}
      </select>
    </label>
  )
}

type DayProps = { label: string; name: string; value: string | undefined; max: string }

function Day({ label, name, value, max }: DayProps) {
  return (
    <label className="report-day">
      <span>{label}</span>
      <input className="input" type="date" name={name} defaultValue={value} max={max} />
    </label>
  )
}
