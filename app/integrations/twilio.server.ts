/** The carrier of texts where Twilio is configured: its REST API, and the signature of what it tells us. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Carrier, CarrierError } from './carrier.ts'
import type { SentStore } from './sent.server.ts'
import { lookUpText } from './twilio-records.server.ts'

export type TwilioSettings = {
  account: string
  token: string
  /** A number, or a messaging service (MG…). */
  from: string
  /** Where it tells what became of a text; null where it could not reach us. */
  status_address: string | null
  /** Where the API is, if elsewhere than by default. */
  api?: string | undefined
}

const PATIENCE_MS = 15_000
const Answer = z.object({ sid: z.string().regex(/^(SM|MM)[0-9a-f]{32}$/) })
const Problem = z.object({ code: z.number().int() })

/** What it says of a number, not of a message. */
const OF_NUMBER: Record<number, string> = {
  21610: 'opted_out',
  21211: 'invalid_number',
  21614: 'invalid_number',
}
/** Nothing has left: the name is not known, or nobody answers there. */
const NOT_THERE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/

export function createTwilio(settings: TwilioSettings, store: SentStore) {
  return {
    sendsOncePerKey: false,
    async send(message) {
      const { to, text, tenant_id, key } = message
      const { from, status_address } = settings
      const body = new URLSearchParams({ To: to, Body: text })
      body.set(from.startsWith('MG') ? 'MessagingServiceSid' : 'From', from)
      // It signs the whole address, so what stands in it comes back as it was.
      if (status_address)
        body.set('StatusCallback', `${status_address}?${new URLSearchParams({ tenant: tenant_id, key })}`)
      const answer = await ask(settings, '/Messages.json', { method: 'POST', body })
      if (!answer.ok) throw await refusalOf(answer)
      const { data } = Answer.safeParse(await answer.json().catch(() => null))
      if (!data) throw new CarrierError('unclear', 'sms:answer', undefined, true)
      await store.keep(message, data.sid)
      return { provider_id: data.sid }
    },
    async find(message) {
      const provider_id = await store.find(message)
      return provider_id === null ? null : { provider_id }
    },
    lookUp: (lost) => lookUpText(settings, lost),
    /** Why it would take no text now; null where it would. Sends nothing. */
    async check() {
      try {
        const answer = await ask(settings, '.json')
        if (answer.ok) return null
        const { isOutage, code } = await refusalOf(answer)
        return isOutage ? code : null
      } catch (error) {
        return error instanceof CarrierError ? error.code : 'sms:closed'
      }
    },
  } satisfies Carrier & { check(): Promise<string | null> }
}

async function ask(
  { account, token, api = 'https://api.twilio.com' }: TwilioSettings,
  path: string,
  request: { method?: 'POST'; body?: URLSearchParams } = {},
) {
  try {
    return await fetch(`${api}/2010-04-01/Accounts/${account}${path}`, {
      ...request,
      headers: { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch (error) {
    const code = String((error as { cause?: { code?: unknown } }).cause?.code ?? 'closed')
    throw new CarrierError(NOT_THERE.test(code) ? 'busy' : 'unclear', `sms:${code}`, undefined, true)
  }
}

async function refusalOf(answer: Response): Promise<CarrierError> {
  const { status } = answer
  const seconds = Number(answer.headers.get('retry-after')) || undefined
  const { data } = Problem.safeParse(await answer.json().catch(() => null))
  // Our login is an operator's to mend, and a flood passes.
  if (status === 429 || status === 503 || status === 401)
    return new CarrierError('busy', `sms:${status}`, seconds, true)
  if (status >= 500) return new CarrierError('unclear', `sms:${status}`, undefined, true)
  return new CarrierError('refused', OF_NUMBER[data?.code ?? 0] ?? `sms:${data?.code ?? status}`)
}

/** Whether Twilio has sent these fields to this very address. */
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
