/** Webhooks about e-mail addresses, signed as Standard Webhooks define it (Resend, by Svix, and others). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { asJson, type Hook, isRecent, type Listeners, type Sent } from '#app/integrations/hooks.server.ts'
import { isAddress } from './mail.server.ts'

const Event = z.object({
  type: z.string(),
  data: z.object({
    to: z.array(z.string()).max(50).default([]),
    bounce: z.object({ type: z.string().default('') }).optional(),
  }),
})

/** `secrets` as `whsec_…`: the current one, and for a while the previous one. */
export const mailHooks = (
  secrets: () => readonly string[],
  { onAddress }: Listeners,
): { '/email/events': Hook } => ({
  async '/email/events'(sent) {
    const id = header(sent, 'id')
    if (!isSigned(secrets(), sent, id)) return 403
    const { data: event } = Event.safeParse(asJson(sent.body))
    const kind = event && kindOf(event)
    if (kind)
      for (const address of event.data.to)
        if (isAddress(address)) await onAddress({ address, kind, key: `mail:${id}` })
    return 200
  },
})

/** A temporary bounce, such as a full mailbox, says nothing about the address. */
function kindOf({ type, data }: z.infer<typeof Event>): 'bounced' | 'complained' | null {
  if (type === 'email.complained') return 'complained'
  const isPassing = /^(transient|undetermined|soft)$/i.test(data.bounce?.type ?? '')
  return type === 'email.bounced' && !isPassing ? 'bounced' : null
}

/** Svix uses header names of its own. */
const header = ({ header }: Sent, name: 'id' | 'timestamp' | 'signature'): string =>
  header(`webhook-${name}`) || header(`svix-${name}`)

function isSigned(secrets: readonly string[], sent: Sent, id: string): boolean {
  const timestamp = header(sent, 'timestamp')
  if (!id || id.length > 200 || !isRecent(Number(timestamp || Number.NaN))) return false
  const given = header(sent, 'signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []))
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const right = createHmac('sha256', key).update(`${id}.${timestamp}.${sent.body}`).digest()
    return given.some((one) => one.length === right.length && timingSafeEqual(one, right))
  })
}
