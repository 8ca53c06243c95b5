import { useLocation, useNavigation, useSearchParams, useSubmit } from '@remix-run/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'
import { changeSearch } from './search.ts'

/** A row of links, each of which switches one value of a search parameter on or off. */
export type Chips = {
  name: string
  legend: string
  /** At most one of them. */
  single?: boolean
  options: readonly (string | { value: string; label: string })[]
}

type FilterBarProps = {
  q: string
  /** The search parameter of the search text. */
  name?: string
  placeholder?: string
  chips?: readonly Chips[]
  /** Other parameters that "Clear all" removes. */
  others?: readonly string[]
}

const PAUSE_MS = 300
const MAX_LETTERS = 200

/** Search and filters of a list: a GET form and links; with JavaScript it searches during typing. */
export function FilterBar({
  q,
  name = 'q',
  placeholder = 'Search',
  chips = [],
  others = [],
}: FilterBarProps) {
  const [address] = useSearchParams()
  // The list changes, so an open question about its rows is dropped.
  const search = new URLSearchParams([...address].filter(([name]) => name !== 'ask' && name !== 'user_ids'))
  const names = [name, ...chips.map((group) => group.name), ...others]
  const cleared = Object.fromEntries([...names, 'page'].map((one) => [one, null]))
  const isLeftOut = q === '' && (search.get(name)?.trim() ?? '') !== ''
  return (
    <div className="filter-bar">
      <SearchForm q={q} name={name} placeholder={placeholder} search={search} />
      {chips.map((group) => (
        <ChipGroup key={group.name} group={group} search={search} />
      ))}
      <Found />
      {isLeftOut ? (
        <p role="status" className="filter-left-out">
          The search was ignored: please use at most {MAX_LETTERS} characters, none of them invisible.
        </p>
      ) : null}
      {names.some((one) => search.get(one)?.trim()) ? (
        <Link className="filter-clear" to={changeSearch(search, cleared)} preventScrollReset>
          Clear all
        </Link>
      ) : null}
    </div>
  )
}

/** Announces the number of results to people who cannot see the list change during typing. */
function Found() {
  const { search } = useLocation()
  const { state } = useNavigation()
  const heard = useRef(search)
  const [found, setFound] = useState('')
  useEffect(() => {
    if (state !== 'idle' || heard.current === search) return
    heard.current = search
    setFound(document.querySelector('.pager-range, .empty-title')?.textContent ?? '')
  }, [state, search])
  return (
    <p role="status" className="hidden-words">
      {found}
    </p>
  )
}

type SearchFormProps = { q: string; name: string; placeholder: string; search: URLSearchParams }

function SearchForm({ q, name: searchName, placeholder, search }: SearchFormProps) {
  const { input, searchSoon, stop } = useSearchSoon(q)
  const kept = [...search].filter(([name]) => name !== searchName && name !== 'page')
  return (
    <Form
      method="get"
      role="search"
      className="filter-search"
      onInput={searchSoon}
      onSubmit={stop}
      preventScrollReset
    >
      {kept.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <label className="filter-input">
        <Icon name="search" size={16} />
        <span className="hidden-words">{placeholder}</span>
        <input
          className="input"
          type="search"
          name={searchName}
          ref={input}
          defaultValue={q}
          placeholder={placeholder}
          maxLength={MAX_LETTERS}
        />
      </label>
      <button
        type="submit"
        className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft"
        data-accent-color="gray"
      >
        Search
      </button>
    </Form>
  )
}

function useSearchSoon(q: string) {
  const submit = useSubmit()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  const { state } = useNavigation()
  // Cancels a pending search when the visitor navigates.
  useEffect(() => {
    if (state !== 'idle') clearTimeout(timer.current)
  }, [state])
  // Links (clear, back) change the search as well; an input with the focus keeps its text.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = q
  }, [q])

  const searchSoon = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    clearTimeout(timer.current)
    timer.current = setTimeout(() => submit(form, { replace: true, preventScrollReset: true }), PAUSE_MS)
  }
  return { input, searchSoon, stop: () => clearTimeout(timer.current) }
}

function ChipGroup({ group, search }: { group: Chips; search: URLSearchParams }) {
  const chosen = search.getAll(group.name)
  return (
    <ul className="chips" aria-label={group.legend}>
      <li className="chips-legend" aria-hidden="true">
        {group.legend}
      </li>
      {group.options.map((option) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
        const on = chosen.includes(value)
        const next = on ? chosen.filter((one) => one !== value) : [...(group.single ? [] : chosen), value]
        return (
          <li key={value}>
            <Link
              className="chip"
              data-on={on ? '' : undefined}
              aria-current={on ? 'true' : undefined}
              to={changeSearch(search, { [group.name]: next, page: null })}
              preventScrollReset
            >
              {label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
