import { useSearchParams } from '@remix-run/react'

type Changes = Record<string, string | readonly string[] | null>

/** The URL of the same page with some search parameters changed. */
export function useSearchLink(): (changes: Changes) => string {
  const [search] = useSearchParams()
  return (changes) => changeSearch(search, changes)
}

export function changeSearch(search: URLSearchParams, changes: Changes): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const one of value === null ? [] : [value].flat()) next.append(name, one)
  }
  return `?${next}`
}
