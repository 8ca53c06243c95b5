/** Looks a text of unknown fate up in Vonage's Reports API, where each record has our key. */
import { z } from 'zod'
import type { Fate, Lost } from '#app/integrations/carrier.ts'
import { fateOf, type Seen } from './text-fate.ts'
import { basic, call } from './texting.server.ts'

/** The account's credentials; an application's key does not open reports. */
export type Account = { key: string; secret: string; api?: string | undefined }

const DAY_MS = 86_400_000
const LEEWAY_MS = 10 * 60_000

const Text = z.object({
  message_id: z.string(),
  client_ref: z.string().nullish(),
  status: z.string(),
  error_code: z.union([z.string(), z.number()]).nullish(),
})
const Report = z.object({ records: z.array(Text).default([]) })

/** Nothing says when a report is complete, so a text missing from it is never sent again: in the end people decide. */
export async function lookUpText(account: Account, { to, key }: Pick<Lost, 'to' | 'key'>): Promise<Fate> {
  const [first, ...more] = (await list(account, to))
    .filter(({ client_ref }) => client_ref === key)
    .map(seenOf)
  return first ? fateOf([first, ...more]) : { outcome: 'unclear' }
}

/** A report covers a day at most, which is more than a text may be late. */
async function list({ key, secret, api = 'https://api.nexmo.com' }: Account, to: string) {
  const until = Date.now() + LEEWAY_MS
  const query = new URLSearchParams({
    ...{ account_id: key, product: 'MESSAGES', direction: 'outbound', to: to.replace(/^\+/, '') },
    ...{ date_start: new Date(until - DAY_MS).toISOString(), date_end: new Date(until).toISOString() },
  })
  const answer = await call(`${api}/v2/reports/records?${query}`, {
    headers: { authorization: basic(key, secret) },
  })
  if (!answer.ok) throw new Error(`Vonage answers ${answer.status}.`)
  return Report.parse(await answer.json()).records
}

const STATES: Record<string, Seen['state']> = {
  delivered: 'delivered',
  read: 'delivered',
  ...{ rejected: 'undelivered', undeliverable: 'undelivered', undelivered: 'undelivered' },
  ...{ failed: 'undelivered', expired: 'undelivered', deleted: 'undelivered' },
}

const seenOf = ({ message_id, status, error_code }: z.infer<typeof Text>): Seen => ({
  id: message_id,
  state: STATES[status.toLowerCase()] ?? 'in transit',
  code: error_code ? String(error_code) : null,
})
