/** What Twilio tells us: texts of people, and what became of ours. Only what it has signed is heard. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSigned } from './twilio.server.ts'

export type Heard = { from: string; text: string; key: string }
export type Told = {
  tenant_id: string
  key: string
  provider_id: string
  status: string
  code: string | null
}

type Setting = {
  token: string
  origin: string
  /** Both may come more than once. */
  onText(heard: Heard): Promise<void>
  onStatus(told: Told): Promise<void>
}
type Mounted = IncomingMessage & { originalUrl?: string }
export type Hooks = (req: Mounted, res: ServerResponse, next: (error?: unknown) => void) => void

const MOST_BYTES = 64 * 1024
const NUMBER = /^\+[1-9]\d{6,14}$/

/** To be mounted at `/hooks/sms`. */
export function createTextHooks({ token, origin, onText, onStatus }: Setting): Hooks {
  const told: Record<string, (fields: URLSearchParams, query: URLSearchParams) => Promise<void>> = {
    async '/inbound'(fields) {
      const [from, key] = [fields.get('From') ?? '', fields.get('MessageSid')]
      if (NUMBER.test(from) && key) await onText({ from, text: fields.get('Body') ?? '', key })
    },
    '/status': (fields, query) =>
      onStatus({
        tenant_id: query.get('tenant') ?? '',
        key: query.get('key') ?? '',
        provider_id: fields.get('MessageSid') ?? '',
        status: fields.get('MessageStatus') ?? '',
        code: fields.get('ErrorCode'),
      }),
  }

  async function hear(req: Mounted): Promise<number> {
    const { pathname, searchParams } = new URL(req.url ?? '/', origin)
    const listen = Object.hasOwn(told, pathname) ? told[pathname] : undefined
    if (!listen) return 404
    if (req.method !== 'POST') return 405
    const fields = await read(req)
    if (!fields) return 413
    const signature = String(req.headers['x-twilio-signature'] ?? '')
    if (!isSigned(token, `${origin}${req.originalUrl}`, fields, signature)) return 403
    await listen(fields, searchParams)
    return 200
  }

  return (req, res, next) => {
    hear(req).then((status) => {
      res.writeHead(status, { 'content-type': 'text/xml', 'cache-control': 'no-store' })
      res.end(status === 200 ? '<Response/>' : '')
    }, next)
  }
}

async function read(req: IncomingMessage): Promise<URLSearchParams | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
