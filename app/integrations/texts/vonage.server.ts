/** The carrier of texts where Vonage is configured: its Messages API (v1). */
import { randomUUID } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { SentStore } from '#app/integrations/sent.server.ts'
import { type AboutNumber, call, textCarrier } from './texting.server.ts'
import { type Account, lookUpText } from './vonage-records.server.ts'

export type VonageSettings = {
  application: string
  /** PEM, PKCS #8. */
  private_key: string
  /** A number, or a name where those are allowed. */
  from: string
  /** Credentials for looking up texts in reports; without them nobody can be asked. */
  account?: Omit<Account, 'api'> | undefined
  api?: string | undefined
}

const TOKEN_SECONDS = 300
const MAX_REF = 100
const Answer = z.object({ message_uuid: z.uuid() })
/** RFC 7807: the number at the end of `type` is the error code. */
const Problem = z.object({ type: z.string() })

export const OF_NUMBER: Readonly<Record<string, AboutNumber>> = {
  '1170': 'invalid_number',
  '1190': 'invalid_number',
  '1240': 'invalid_number',
}

export function createVonage(settings: VonageSettings, store: SentStore) {
  const { from, account, api } = settings
  return textCarrier(
    {
      name: `vonage:${settings.application}`,
      post: ({ to, text, key }) =>
        post(settings, {
          message_type: 'text',
          channel: 'sms',
          to: to.replace(/^\+/, ''),
          from: from.replace(/^\+/, ''),
          text,
          ...(key.length <= MAX_REF && { client_ref: key }),
        }),
      idIn: (answer) => Answer.safeParse(answer).data?.message_uuid,
      // An empty message is refused as invalid (422): such an answer shows that the API is up and accepts us.
      ask: () => post(settings, {}),
      codeIn: (answer) => codeOf(Problem.safeParse(answer).data?.type),
      ofNumber: OF_NUMBER,
      passing: [401, 402, 403, 429, 503],
      ...(account && { lookUp: (lost) => lookUpText({ ...account, api }, lost) }),
    },
    store,
  )
}

async function post(
  { application, private_key, api = 'https://api.nexmo.com' }: VonageSettings,
  body: object,
): Promise<Response> {
  const token = await new SignJWT({ application_id: application })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .setJti(randomUUID())
    .sign(await importPKCS8(private_key, 'RS256'))
  return call(`${api}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
}

export const codeOf = (type = ''): string => /#?(\d{4})$/.exec(type)?.[1] ?? ''
