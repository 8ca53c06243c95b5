/** Vonage's webhooks, signed with the account's secret: a JWT with its time and a digest of the body. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { jwtVerify } from 'jose'
import { z } from 'zod'
import {
  asJson,
  type Hook,
  isRecent,
  type Listeners,
  NUMBER,
  type Sent,
} from '#app/integrations/hooks.server.ts'
import { codeOf, OF_NUMBER } from './vonage.server.ts'

const Claims = z.object({ iat: z.number(), payload_hash: z.string().regex(/^[0-9a-f]{64}$/i) })
const Text = z.object({
  channel: z.literal('sms'),
  message_uuid: z.uuid(),
  from: z.string(),
  text: z.string().default(''),
})
const Status = z.object({
  message_uuid: z.uuid(),
  status: z.string(),
  client_ref: z.string().default(''),
  error: z.object({ type: z.string().default('') }).optional(),
})

/** `secrets`: the current one, and for a while the previous one. */
export function vonageHooks(secrets: () => readonly string[], { onText, onStatus }: Listeners) {
  const signed =
    <Body>(schema: z.ZodType<Body>, listen: (body: Body) => Promise<void>): Hook =>
    async (sent: Sent) => {
      if (!(await isSigned(secrets(), sent))) return 403
      const { data } = schema.safeParse(asJson(sent.body))
      if (data) await listen(data)
      return 200
    }
  return {
    '/sms/inbound': signed(Text, async ({ from, text, message_uuid }) => {
      const number = `+${from.replace(/^\+/, '')}`
      if (NUMBER.test(number)) await onText({ from: number, text, key: message_uuid })
    }),
    '/sms/status': signed(Status, async ({ message_uuid, status, client_ref, error }) => {
      if (!/^(delivered|read|undeliverable|rejected)$/.test(status)) return
      const code = codeOf(error?.type)
      await onStatus({
        tenant_id: client_ref.split(':')[0] ?? '',
        key: client_ref,
        provider_id: message_uuid,
        status: status === 'delivered' || status === 'read' ? 'delivered' : 'undelivered',
        code: code || null,
        number: OF_NUMBER[code],
      })
    }),
  }
}

async function isSigned(secrets: readonly string[], { header, body }: Sent): Promise<boolean> {
  const [, token = ''] = /^Bearer (\S+)$/.exec(header('authorization')) ?? []
  const digest = createHash('sha256').update(body).digest()
  for (const secret of secrets) {
    const key = new TextEncoder().encode(secret)
    const verified = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch(() => null)
    const { data } = Claims.safeParse(verified?.payload)
    if (data && isRecent(data.iat) && timingSafeEqual(Buffer.from(data.payload_hash, 'hex'), digest))
      return true
  }
  return false
}
