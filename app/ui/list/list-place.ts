/** Carries the state of a list to the pages of its rows, so that visitors can return to it. */
import { useSearchParams } from '@remix-run/react'

const LIST = 'list'
const LONGEST = 1000

/** Parameters that open something over a page or belong to the framework: never part of a kept URL. */
const PASSING = ['log_out', 'ask', 'user_ids', 'writer', 'index', '_routes', '_data', LIST]

/** The URL of the page at `path` in the same state, without anything open over it. */
export function listAddress(path: string, search: URLSearchParams): string {
  const kept = new URLSearchParams(search)
  for (const name of PASSING) kept.delete(name)
  return kept.size > 0 ? `${path}?${kept}` : path
}

/** The URL of a row's page, opened from a list. */
export function rowAddress(path: string, search: URLSearchParams): string {
  const [, shown = ''] = listAddress('', search).split('?')
  return shown && shown.length <= LONGEST ? `${path}?${new URLSearchParams({ [LIST]: shown })}` : path
}

/** The URL back to the list at `path`: only the query is carried, never another path. */
export function backAddress(path: string, search: URLSearchParams): string {
  return listAddress(path, new URLSearchParams(carried(search)))
}

/** The URL of a page beside the row's page, which also leads back to the list. */
export function besideAddress(path: string, search: URLSearchParams): string {
  return rowAddress(path, new URLSearchParams(carried(search)))
}

function carried(search: URLSearchParams): string {
  const shown = search.get(LIST) ?? ''
  return shown.length <= LONGEST ? shown : ''
}

type AddressOf = (path: string) => string

export const useRowAddress = (): AddressOf => useWith(rowAddress)
export const useBackAddress = (): AddressOf => useWith(backAddress)
export const useBesideAddress = (): AddressOf => useWith(besideAddress)

function useWith(address: (path: string, search: URLSearchParams) => string): AddressOf {
  const [search] = useSearchParams()
  return (path) => address(path, search)
}
