/** URLs of the list of journeys and of the pages opened from it; each keeps the list's filters, order and page. */
import { useLocation } from '@remix-run/react'
import { listAddress } from '#app/ui/list/list-place.ts'

const LIST = '/lljs/manage'

export const listOf = (request: Request): string => listAddress(LIST, new URL(request.url).searchParams)

export function useListAddress(): { list: string; to: (rest: string) => string } {
  const { search } = useLocation()
  const list = listAddress(LIST, new URLSearchParams(search))
  return { list, to: (rest) => list.replace(LIST, `${LIST}/${rest}`) }
}

/** Dialogs over the list used to be search parameters, which bookmarks and links still have. */
const MOVED = {
  create: () => 'new',
  import: () => 'import',
  edit: (id) => `${id}/details`,
  edit_author: (id) => `${id}/author`,
  author_of: (id) => `${id}/author`,
  duplicate: (id) => `${id}/duplicate`,
  archive: (id) => `${id}/archive`,
  delete: (id) => `${id}/delete`,
} satisfies Record<string, (id: number) => string>

const IS_ON = /^(true|1|yes|on)$/i

/** Null: the list itself. */
export function movedAddress(search: URLSearchParams): string | null {
  for (const [name, pathOf] of Object.entries(MOVED)) {
    const value = search.get(name) ?? ''
    const isAsked = pathOf.length === 0 ? IS_ON.test(value) : /^[1-9]\d{0,14}$/.test(value)
    if (!isAsked) continue
    const rest = new URLSearchParams(search)
    for (const old of Object.keys(MOVED)) rest.delete(old)
    return `${LIST}/${pathOf(Number(value))}${rest.size > 0 ? `?${rest}` : ''}`
  }
  return null
}
