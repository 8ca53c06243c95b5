/** The carrier of texts where Vonage is configured: its Messages API (v1). */

import { randomUUID } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { type Carrier, CarrierError } from './carrier.ts'
import type { SentStore } from './sent.server.ts'

export type VonageSettings = {
  application: string
  /** PEM, PKCS #8. */
  private_key: string
  /** A number, or a name where those are allowed. */
  from: string
  api?: string | undefined
}

const PATIENCE_MS = 15_000
const TOKEN_SECONDS = 300
const MOST_REF = 100
const Answer = z.object({ message_uuid: z.uuid() })
/** RFC 7807: the number at the end of `type` says what it is about. */
const Problem = z.object({ type: z.string() })

/** What it says of a number, not of a message. */
export const OF_NUMBER: Record<string, 'opted_out' | 'invalid_number'> = {
  '1170': 'invalid_number',
  '1190': 'invalid_number',
  '1240': 'invalid_number',
}
/** Nothing has left: the name is not known, or nobody answers there. */
const NOT_THERE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/

export function createVonage(settings: VonageSettings, store: SentStore) {
  return {
    sendsOncePerKey: false,
    async send(message) {
      const { to, text, key } = message
      const answer = await ask(settings, {
        message_type: 'text',
        channel: 'sms',
        to: to.replace(/^\+/, ''),
        from: settings.from.replace(/^\+/, ''),
        text,
        // Comes back with what became of it.
        ...(key.length <= MOST_REF && { client_ref: key }),
      })
      if (!answer.ok) throw await refusalOf(answer)
      const { data } = Answer.safeParse(await answer.json().catch(() => null))
      if (!data) throw new CarrierError('unclear', 'sms:answer', undefined, true)
      await store.keep(message, data.message_uuid)
      return { provider_id: data.message_uuid }
    },
    async find(message) {
      const provider_id = await store.find(message)
      return provider_id === null ? null : { provider_id }
    },
    /** An empty message is refused by its form (422): whoever says so is there, and knows us. Sends nothing. */
    async check() {
      try {
        const answer = await ask(settings, {})
        const { isOutage, code } = await refusalOf(answer)
        return isOutage ? code : null
      } catch (error) {
        return error instanceof CarrierError ? error.code : 'sms:closed'
      }
    },
  } satisfies Carrier & { check(): Promise<string | null> }
}

async function ask(
  { application, private_key, api = 'https://api.nexmo.com' }: VonageSettings,
  body: object,
) {
  const token = await new SignJWT({ application_id: application })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .setJti(randomUUID())
    .sign(await importPKCS8(private_key, 'RS256'))
  try {
    return await fetch(`${api}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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
  const code = codeOf(data?.type)
  // Our login and our credit are an operator's to mend, and a flood passes.
  if ([401, 402, 403, 429, 503].includes(status) && !OF_NUMBER[code])
    return new CarrierError('busy', `sms:${status}`, seconds, true)
  if (status >= 500) return new CarrierError('unclear', `sms:${status}`, undefined, true)
  return new CarrierError('refused', OF_NUMBER[code] ?? `sms:${code || status}`)
}

export const codeOf = (type = ''): string => /#?(\d{4})$/.exec(type)?.[1] ?? ''
