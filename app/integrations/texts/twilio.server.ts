/** The carrier of texts where Twilio is configured: its REST API, and the signature of its webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { SentStore } from '#app/integrations/sent.server.ts'
import { type AboutNumber, basic, call, textCarrier } from './texting.server.ts'
import { lookUpText } from './twilio-records.server.ts'

export type TwilioSettings = {
  account: string
  token: string
  /** A number, or a messaging service (MG…). */
  from: string
  /** The URL for status callbacks; null where Twilio could not reach us. */
  status_address: string | null
  api?: string | undefined
}

const Answer = z.object({ sid: z.string().regex(/^(SM|MM)[0-9a-f]{32}$/) })
const Problem = z.object({ code: z.number().int() })

const OF_NUMBER: Readonly<Record<string, AboutNumber>> = {
  '21610': 'opted_out',
  '21211': 'invalid_number',
  '21614': 'invalid_number',
}

export function createTwilio(settings: TwilioSettings, store: SentStore) {
  const { account, token, from, status_address, api = 'https://api.twilio.com' } = settings
  const ask = (path: string, request: RequestInit = {}) =>
    call(`${api}/2010-04-01/Accounts/${account}${path}`, {
      ...request,
      headers: { authorization: basic(account, token) },
    })
  return textCarrier(
    {
      name: `twilio:${account}`,
      post({ to, text, tenant_id, key }) {
        const body = new URLSearchParams({ To: to, Body: text })
        body.set(from.startsWith('MG') ? 'MessagingServiceSid' : 'From', from)
        // Twilio signs the whole URL, so its parameters come back unchanged.
        if (status_address)
          body.set('StatusCallback', `${status_address}?${new URLSearchParams({ tenant: tenant_id, key })}`)
        return ask('/Messages.json', { method: 'POST', body })
      },
      idIn: (answer) => Answer.safeParse(answer).data?.sid,
      ask: () => ask('.json'),
      codeIn: (answer) => String(Problem.safeParse(answer).data?.code ?? ''),
      ofNumber: OF_NUMBER,
      passing: [401, 429, 503],
      lookUp: (lost) => lookUpText({ account, token, api }, lost),
    },
    store,
  )
}

/** Whether Twilio has signed these fields for this URL. */
export function isSigned(
  token: string,
  address: string,
  fields: URLSearchParams,
  signature: string,
): boolean {
  const said = [...fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const text = address + said.map(([name, value]) => name + value).join('')
  const right = Buffer.from(createHmac('sha1', token).update(text).digest('base64'))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right)
}
