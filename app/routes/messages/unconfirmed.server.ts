import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import {
  decideUnknownMessages,
  foreseeResend,
  listUnknownMessages,
} from '#app/api/contract/unknown-messages.ts'
import { shownPage } from '#app/domain/page.ts'
import { DECISIONS, type Decided, type Decision } from '#app/domain/unknown-messages/unknown-message.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { count, DONE, messages } from './words.ts'

const PATH = '/messages/unconfirmed'

const id = z.coerce.number().int().positive()
const chosen = z.array(id).max(100).catch([])
const Search = z.object({
  page: shownPage,
  journey: id.optional().catch(undefined),
  lift: id.optional().catch(undefined),
  channel: z.enum(['sms', 'email']).optional().catch(undefined),
  /** The question before a decision about several messages: the ticked ones, or all that match. */
  ask: z.enum(DECISIONS).optional().catch(undefined),
  message_ids: chosen,
  all: z.stringbool().catch(false),
})
export type Search = z.infer<typeof Search>

const readSearch = (params: URLSearchParams): Search =>
  Search.parse({ ...Object.fromEntries(params), message_ids: params.getAll('message_ids') })

/** The URL of the list without the question. */
export function backTo({ journey, lift, channel, page }: Search): string {
  const kept = Object.entries({ journey, lift, channel, page: page > 1 ? page : undefined })
  const query = new URLSearchParams(
    kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  return query.size > 0 ? `${PATH}?${query}` : PATH
}

export async function readUnconfirmed(api: ApiClient, address: string) {
  const search = readSearch(new URL(address).searchParams)
  const { page, journey, lift, channel, ask, message_ids, all } = search
  if (ask && !all && message_ids.length === 0) throw await sayNothing(search)
  const until = new Date().toISOString()
  const filters = { journey, lift, channel }
  const which = all ? filters : { ...filters, message_ids: message_ids.join(',') }
  const [list, prospect] = await Promise.all([
    api(listUnknownMessages, { page, ...filters }),
    ask ? api(foreseeResend, { ...which, until }) : null,
  ])
  return { search, list, prospect, until, back: backTo(search) }
}

const sayNothing = (search: Search) =>
  redirectWithToast(backTo(search), {
    title: 'Please select at least one message',
    message: 'Select the box beside its learner, then press the button again.',
    variant: 'info',
  })

const Until = z.iso.datetime({ offset: true }).optional().catch(undefined)

export async function decide(api: ApiClient, request: Request) {
  const form = await request.formData()
  const search = readSearch(new URL(request.url).searchParams)
  const decision = requireIntent(form, DECISIONS)
  const ids = chosen.parse(form.getAll('message_ids'))
  const toAll = form.get('all') === 'true'
  if (!toAll && ids.length === 0) return sayNothing(search)
  const { journey, lift, channel } = search
  const until = Until.parse(form.get('until') ?? undefined)
  const which = toAll
    ? { message_ids: 'all' as const, journey, lift, channel, ...(until && { until }) }
    : { message_ids: ids }
  const done = await api(decideUnknownMessages, { decision, ...which })
  return redirectWithToast(backTo(search), toastOf(decision, done))
}

function toastOf(decision: Decision, { decided, not, left }: Decided) {
  const more = [
    ...(decision === 'send_again' && decided > 0
      ? ['E-mails are sent now. Texts wait until morning where it is night.']
      : []),
    ...(not > 0 ? [`${messages(not)} can’t be sent again; the list says why.`] : []),
    ...(left > 0 ? [`${count(left)} left to decide.`] : []),
  ].join(' ')
  if (decided === 0)
    return {
      title: 'Nothing changed',
      message: more || 'This was decided already.',
      variant: 'info' as const,
    }
  return { title: DONE[decision](decided), ...(more ? { message: more } : {}) }
}
