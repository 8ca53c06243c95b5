/** Dialogs over the schedule used to be search parameters, which bookmarks, links and forms still have. */
import { encodePath } from '#app/routes/encode-path.ts'
import { STEPS } from './lifecycle.ts'

const IS_ON = /^(true|1|yes|on)$/i

/** Null: the schedule itself. */
export function movedAddress(journeyId: string, search: URLSearchParams): string | null {
  const isOn = (name: string) => IS_ON.test(search.get(name) ?? '')
  const schedule = encodePath`/lljs/${journeyId}/schedule`
  if (isOn('objectives')) return objectivesAddress(journeyId, search)
  if (isOn('participantsModal')) return peopleAddress(journeyId, search)
  if (isOn('journeyModal')) return encodePath`/lljs/${journeyId}/details`
  if (isOn('preview')) return withSearch(`${schedule}/preview`, without(search, ['preview', 'page']))
  const lift = liftAddress(journeyId, search)
  if (lift) return lift
  if (isOn('create')) return withSearch(`${schedule}/lifts/new`, only(search, ['page']))
  const launch = search.get('launch')
  if (launch === 'send') return `${schedule}/launch`
  if (launch === 'skip') return `${schedule}/launch?past=skip`
  const step = STEPS.find((one) => one === search.get('ask'))
  return step ? withSearch(`${schedule}/${step}`, only(search, ['page'])) : null
}

/** URLs of a lift, its parts and its actions. */
function liftAddress(journeyId: string, search: URLSearchParams): string | null {
  const at = (name: string, rest = '', kept: readonly string[] = []) => {
    const id = idIn(search, name)
    return (
      id && withSearch(encodePath`/lljs/${journeyId}/lifts/${id}` + rest, only(search, ['page', ...kept]))
    )
  }
  return (
    at('lift', partIn(search)) ??
    at('send', '/send', ['whom', 'member_ids']) ??
    at('test', '/test') ??
    at('remove', '/delete')
  )
}

function partIn(search: URLSearchParams): string {
  for (const name of ['block', 'prompt']) {
    const value = search.get(name) ?? ''
    if (/^([a-z_]{1,20}|\d{1,15})$/.test(value)) return `/${name}s/${value}`
  }
  return ''
}

function objectivesAddress(journeyId: string, search: URLSearchParams): string {
  const list = encodePath`/lljs/${journeyId}/objectives`
  const removed = idIn(search, 'remove_objective')
  const edited = idIn(search, 'objective')
  return removed ? `${list}/${removed}/remove` : edited ? `${list}/${edited}` : list
}

/** Adding and listing people used to be one dialog. */
function peopleAddress(journeyId: string, search: URLSearchParams): string {
  const list = encodePath`/lljs/${journeyId}/people`
  const member = idIn(search, 'member')
  if (member) {
    const isLeaving = IS_ON.test(search.get('leave') ?? '')
    return withSearch(
      isLeaving ? `${list}/${member}/remove` : `${list}/${member}`,
      only(search, KEPT_OF_MEMBER),
    )
  }
  return search.has('people') || search.has('user_ids')
    ? withSearch(`${list}/add`, only(search, KEPT_OF_ADDING))
    : withSearch(list, only(search, KEPT_OF_LIST))
}

const KEPT_OF_LIST = ['find', 'members']
const KEPT_OF_MEMBER = [...KEPT_OF_LIST, 'seek']
const KEPT_OF_ADDING = [...KEPT_OF_LIST, 'people', 'user_ids']

function idIn(search: URLSearchParams, name: string): string | null {
  const value = search.get(name)
  return value !== null && /^[1-9]\d{0,14}$/.test(value) ? value : null
}

const only = (search: URLSearchParams, names: readonly string[]) =>
  new URLSearchParams([...search].filter(([name]) => names.includes(name)))
const without = (search: URLSearchParams, names: readonly string[]) =>
  new URLSearchParams([...search].filter(([name]) => !names.includes(name)))

const withSearch = (path: string, kept: URLSearchParams): string => (kept.size > 0 ? `${path}?${kept}` : path)
