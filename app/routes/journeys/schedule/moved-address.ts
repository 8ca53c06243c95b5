/** What opens over a schedule was a search parameter once: bookmarks, links and forms still arrive. */
import { encodePath } from '#app/api/path.ts'

const IS_ON = /^(true|1|yes|on)$/i

/** Null: the schedule itself is asked for. */
export function movedAddress(journeyId: string, search: URLSearchParams): string | null {
  const isOn = (name: string) => IS_ON.test(search.get(name) ?? '')
  if (isOn('journeyModal')) return encodePath`/lljs/${journeyId}/details`
  if (isOn('participantsModal')) return peopleAddress(journeyId, search)
  return null
}

/** Adding people and looking at them were one dialog. */
function peopleAddress(journeyId: string, search: URLSearchParams): string {
  const list = encodePath`/lljs/${journeyId}/people`
  const member = idIn(search, 'member')
  if (member) {
    const isLeaving = IS_ON.test(search.get('leave') ?? '')
    return withSearch(isLeaving ? `${list}/${member}/remove` : `${list}/${member}`, search, KEPT_OF_MEMBER)
  }
  return search.has('people') || search.has('user_ids')
    ? withSearch(`${list}/add`, search, KEPT_OF_ADDING)
    : withSearch(list, search, KEPT_OF_LIST)
}

const KEPT_OF_LIST = ['find', 'members']
const KEPT_OF_MEMBER = [...KEPT_OF_LIST, 'seek']
const KEPT_OF_ADDING = [...KEPT_OF_LIST, 'people', 'user_ids']

function idIn(search: URLSearchParams, name: string): string | null {
  const value = search.get(name)
  return value !== null && /^[1-9]\d{0,14}$/.test(value) ? value : null
}

function withSearch(path: string, search: URLSearchParams, names: readonly string[]): string {
  const kept = new URLSearchParams([...search].filter(([name]) => names.includes(name)))
  return kept.size > 0 ? `${path}?${kept}` : path
}
