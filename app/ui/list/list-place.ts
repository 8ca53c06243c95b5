/** What a list was showing travels along to the pages that its rows lead to, so that one comes back to it. */
import { useSearchParams } from '@remix-run/react'

const LIST = 'list'
const LONGEST = 1000

/** Open something over a page, or are the framework's: they belong to no address that is kept. */
const PASSING = ['log_out', 'ask', 'user_ids', 'writer', 'index', '_routes', '_data', LIST]

/** The page at `path` as it was, with nothing open over it. */
export function listAddress(path: string, search: URLSearchParams): string {
  const kept = new URLSearchParams(search)
  for (const name of PASSING) kept.delete(name)
  return kept.size > 0 ? `${path}?${kept}` : path
}

/** From a list to the page of one of its rows. */
export function rowAddress(path: string, search: URLSearchParams): string {
  const [, shown = ''] = listAddress('', search).split('?')
  return shown && shown.length <= LONGEST ? `${path}?${new URLSearchParams({ [LIST]: shown })}` : path
}

/** From there back to the list at `path`: only its query is carried, never another place. */
export function backAddress(path: string, search: URLSearchParams): string {
  return listAddress(path, new URLSearchParams(carried(search)))
}

/** From there to a page beside it, from which one still finds back. */
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
