/** Twilio's webhooks: people's texts, and the status of ours. Only signed requests are accepted. */
import { type Hook, type Listeners, NUMBER, type Sent } from '#app/integrations/hooks.server.ts'
import { isSigned } from './twilio.server.ts'

/** Error codes of late statuses: a number that stopped our texts at the carrier, and a landline. */
const OF_NUMBER: Record<string, 'opted_out' | 'invalid_number'> = {
  '21610': 'opted_out',
  '30006': 'invalid_number',
}

/** `tokens`: the current one, and for a while the previous one. */
export function twilioHooks(tokens: () => readonly string[], { onText, onStatus }: Listeners) {
  const signed =
    (listen: (fields: URLSearchParams, query: URLSearchParams) => Promise<void>): Hook =>
    async ({ address, query, body, header }: Sent) => {
      const fields = new URLSearchParams(body)
      const signature = header('x-twilio-signature')
      if (!tokens().some((token) => isSigned(token, address, fields, signature))) return 403
      await listen(fields, query)
      return 200
    }
  return {
    '/sms/inbound': signed(async (fields) => {
      const [from, key] = [fields.get('From') ?? '', fields.get('MessageSid')]
      if (NUMBER.test(from) && key) await onText({ from, text: fields.get('Body') ?? '', key })
    }),
    '/sms/status': signed(async (fields, query) => {
      const status = fields.get('MessageStatus') ?? ''
      if (!/^(delivered|undelivered|failed)$/.test(status)) return
      const code = fields.get('ErrorCode')
      await onStatus({
        tenant_id: query.get('tenant') ?? '',
        key: query.get('key') ?? '',
        provider_id: fields.get('MessageSid') ?? '',
        status: status === 'delivered' ? 'delivered' : 'undelivered',
        code,
        number: OF_NUMBER[code ?? ''],
      })
    }),
  }
}
