/** A search for people; other parameters of the URL are kept. */

import { useSearchParams } from '@remix-run/react'
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Icon } from '#app/ui/icons.tsx'

type SearchFieldProps = {
  /** The search parameter of the words. */
  name: string
  label: string
  words: string
}

/** `fresh`: the parameter that a new search resets, such as the page of a list. */
export function SearchPeople({ fresh, ...field }: SearchFieldProps & { fresh?: string }) {
  return (
    <Form method="get" role="search" className="filter-search" preventScrollReset>
      <KeptSearch but={[field.name, fresh ?? '']} />
      <SearchField {...field} />
    </Form>
  )
}

export function KeptSearch({ but }: { but: readonly string[] }) {
  const [search] = useSearchParams()
  return [...search]
    .filter(([name]) => !but.includes(name))
    .map(([name, value]) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />)
}

export function SearchField(field: SearchFieldProps) {
  return (
    <>
      <SearchInput {...field} />
      <Button type="submit" variant="soft" color="gray">
        Search
      </Button>
    </>
  )
}

export function SearchInput({ name, label, words }: SearchFieldProps) {
  return (
    <label className="filter-input">
      <Icon name="search" size={16} />
      <span className="hidden-words">{label}</span>
      <input
        className="input"
        type="search"
        name={name}
        defaultValue={words}
        maxLength={200}
        placeholder="Name or e-mail"
      />
    </label>
  )
}
