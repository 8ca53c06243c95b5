/** Looks a text of unknown fate up in Twilio's list of messages. */
import { z } from 'zod'
import type { Fate, Lost } from '#app/integrations/carrier.ts'
import { fateOf, type Seen } from './text-fate.ts'
import { basic, call } from './texting.server.ts'

type Account = { account: string; token: string; api: string }

const PAGE_SIZE = 1000
/** By then a request that was cut off has been processed, and its message is listed. */
const LISTED_AFTER_MS = 15 * 60_000
const LEEWAY_MS = 10 * 60_000

const Text = z.object({
  sid: z.string(),
  to: z.string().nullable(),
  direction: z.string(),
  body: z.string().nullable(),
  status: z.string(),
  error_code: z.number().int().nullable(),
  date_created: z.string().transform((date) => new Date(date)),
})
type Text = z.infer<typeof Text>
const List = z.object({ messages: z.array(Text), next_page_uri: z.string().nullable() })

/** Finds a text by the link in it. Its absence counts only if the list is complete and contains the texts' bodies. */
export async function lookUpText(account: Account, { to, link, since }: Lost): Promise<Fate> {
  const { messages, next_page_uri } = await list(account, to)
  const ours = messages.filter((text) => text.to === to && text.direction.startsWith('outbound'))
  const [first, ...more] = ours.filter((text) => says(text, link)).map(seenOf)
  if (first) return fateOf([first, ...more])
  const from = since.getTime() - LEEWAY_MS
  const isWhole = next_page_uri === null || messages.some((text) => text.date_created.getTime() < from)
  const isHidden = ours.some((text) => !text.body && text.date_created.getTime() >= from)
  const isListed = Date.now() - since.getTime() >= LISTED_AFTER_MS
  return { outcome: isWhole && isListed && !isHidden ? 'absent' : 'unclear' }
}

async function list({ account, token, api }: Account, to: string) {
  const query = new URLSearchParams({ To: to, PageSize: String(PAGE_SIZE) })
  const answer = await call(`${api}/2010-04-01/Accounts/${account}/Messages.json?${query}`, {
    headers: { authorization: basic(account, token) },
  })
  if (!answer.ok) throw new Error(`Twilio answers ${answer.status}.`)
  return List.parse(await answer.json())
}

function says({ body }: Text, link: string): boolean {
  const [, ...after] = (body ?? '').split(link)
  return after.some((rest) => !/^[0-9a-z]/.test(rest))
}

const STATES: Record<string, Seen['state']> = {
  ...{ delivered: 'delivered', read: 'delivered' },
  ...{ failed: 'undelivered', undelivered: 'undelivered', canceled: 'undelivered' },
}

const seenOf = ({ sid, status, error_code }: Text): Seen => ({
  id: sid,
  state: STATES[status] ?? 'in transit',
  code: error_code === null ? null : String(error_code),
})
