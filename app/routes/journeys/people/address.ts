/** URLs of the list of participants and of the pages opened from it; each keeps the page and the search. */
import { useSearchParams } from '@remix-run/react'
import { encodePath } from '#app/routes/encode-path.ts'

const KEPT = ['find', 'members']

const addressIn = (path: string, search: URLSearchParams): string => {
  const kept = new URLSearchParams([...search].filter(([name]) => KEPT.includes(name)))
  return kept.size > 0 ? `${path}?${kept}` : path
}

export const peopleOf = (journeyId: string | undefined, request: Request): string =>
  addressIn(encodePath`/lljs/${journeyId}/people`, new URL(request.url).searchParams)

type PeopleAddress = { list: string; to: (rest: string) => string }

export function usePeopleAddress(journeyId: number): PeopleAddress {
  const [search] = useSearchParams()
  const list = `/lljs/${journeyId}/people`
  return { list: addressIn(list, search), to: (rest) => addressIn(`${list}/${rest}`, search) }
}
