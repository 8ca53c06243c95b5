/** What the carriers of texts share: how their API is called, what it means that a call fails, and what is kept. */
import { type Carrier, CarrierError, type Message } from '#app/integrations/carrier.ts'
import type { SentStore } from '#app/integrations/sent.server.ts'

const PATIENCE_MS = 15_000
/** Nothing has left: the name is not known, or nobody answers there. */
const NOT_THERE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/

export type AboutNumber = 'opted_out' | 'invalid_number'

export type TextApi = {
  name: string
  post(message: Message): Promise<Response>
  /** The carrier's own name for a text, in the answer of having taken it. */
  idIn(answer: unknown): string | undefined
  /** A call that sends nothing. */
  ask(): Promise<Response>
  /** The number of an error, in the answer of one; '' where it has none. */
  codeIn(answer: unknown): string
  /** Errors that speak of a number, not of a message. */
  ofNumber: Readonly<Record<string, AboutNumber>>
  /** Statuses that are an operator's to mend, as our login and our credit, or that pass, as a flood does. */
  passing: readonly number[]
  lookUp?: NonNullable<Carrier['lookUp']>
}

/** `check` says why the carrier would take no text now, null where it would; it sends nothing. */
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

/** Asks; where there is no answer, it says whether anything can have left. */
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

/** Whatever a carrier says: a text is of no use hours later. */
const LONGEST_RETRY_SECONDS = 2 * 3600

function secondsIn(header: string | null): number | undefined {
  const seconds = Number(header)
  return seconds > 0 ? Math.min(seconds, LONGEST_RETRY_SECONDS) : undefined
}

const readJson = (answer: Response): Promise<unknown> => answer.json().catch(() => null)
