/** Shared by the carriers of texts: calling their API, reading its errors, recording what was sent. */
import { type Carrier, CarrierError, type Message } from '#app/integrations/carrier.ts'
import type { SentStore } from '#app/integrations/sent.server.ts'

const PATIENCE_MS = 15_000
/** Nothing was sent: the name does not resolve, or nothing answers there. */
const NOT_THERE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/

export type AboutNumber = 'opted_out' | 'invalid_number'

export type TextApi = {
  name: string
  post(message: Message): Promise<Response>
  /** The carrier's id of a text, from the answer that took it. */
  idIn(answer: unknown): string | undefined
  /** A call that sends nothing. */
  ask(): Promise<Response>
  /** The error number in an answer; '' where it has none. */
  codeIn(answer: unknown): string
  /** Errors that concern a number, not a message. */
  ofNumber: Readonly<Record<string, AboutNumber>>
  /** Statuses that the operator has to correct (login, credit), or that are temporary (rate limits). */
  passing: readonly number[]
  lookUp?: NonNullable<Carrier['lookUp']>
}

/** `check` returns why the carrier would take no text now, or null; it sends nothing. */
export function textCarrier(api: TextApi, store: SentStore): Carrier & { check(): Promise<string | null> } {
  return {
    name: api.name,
    sendsOncePerKey: false,
    async send(message) {
      const answer = await api.post(message)
      if (!answer.ok) throw await refusalOf(api, answer)
      const provider_id = api.idIn(await readJson(answer))
      if (provider_id === undefined) throw new CarrierError('unclear', 'sms:answer', undefined, true)
      await store.keep(message, provider_id)
      return { provider_id }
    },
    async find(message) {
      const provider_id = await store.find(message)
      return provider_id === null ? null : { provider_id }
    },
    ...(api.lookUp && { lookUp: api.lookUp }),
    async check() {
      try {
        const answer = await api.ask()
        if (answer.ok) return null
        const { isOutage, code } = await refusalOf(api, answer)
        return isOutage ? code : null
      } catch (error) {
        return error instanceof CarrierError ? error.code : 'sms:closed'
      }
    },
  }
}

/** Calls the API; without an answer, the error says whether anything can have been sent. */
export async function call(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...request, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    const code = String((error as { cause?: { code?: unknown } }).cause?.code ?? 'closed')
    throw new CarrierError(NOT_THERE.test(code) ? 'busy' : 'unclear', `sms:${code}`, undefined, true)
  }
}

export const basic = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`

async function refusalOf({ codeIn, ofNumber, passing }: TextApi, answer: Response): Promise<CarrierError> {
  const { status } = answer
  const seconds = secondsIn(answer.headers.get('retry-after'))
  const code = codeIn(await readJson(answer))
  const aboutNumber = ofNumber[code]
  if (passing.includes(status) && !aboutNumber)
    return new CarrierError('busy', `sms:${status}`, seconds, true)
  if (status >= 500) return new CarrierError('unclear', `sms:${status}`, undefined, true)
  return new CarrierError('refused', aboutNumber ?? `sms:${code || status}`)
}

/** Longer waits are cut to this: a text is of no use hours later. */
const LONGEST_RETRY_SECONDS = 2 * 3600

function secondsIn(header: string | null): number | undefined {
  const seconds = Number(header)
  return seconds > 0 ? Math.min(seconds, LONGEST_RETRY_SECONDS) : undefined
}

const readJson = (answer: Response): Promise<unknown> => answer.json().catch(() => null)
