/** Carriers' webhooks, below `/api/v1/hooks`. Each hook verifies its own signature. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Told = {
  tenant_id: string
  key: string
  provider_id: string
  status: 'delivered' | 'undelivered'
  code: string | null
  /** What the carrier says about the number, as opposed to this message. */
  number?: 'opted_out' | 'invalid_number' | undefined
}
export type Heard = { from: string; text: string; key: string }
export type AddressTold = { address: string; kind: 'bounced' | 'complained'; key: string }

/** Called with events that may arrive more than once. */
export type Listeners = {
  onText(heard: Heard): Promise<void>
  onStatus(told: Told): Promise<void>
  onAddress(told: AddressTold): Promise<void>
}

export type Sent = {
  /** The whole URL that was requested, as the sender knows it. */
  address: string
  query: URLSearchParams
  body: string
  header(name: string): string
}
/** Resolves to the status of the answer. */
export type Hook = (sent: Sent) => Promise<number>
type Mounted = IncomingMessage & { originalUrl?: string }
export type Hooks = (req: Mounted, res: ServerResponse, next: (error?: unknown) => void) => void

const MAX_BYTES = 64 * 1024
export const NUMBER = /^\+[1-9]\d{6,14}$/

export function createHooks(origin: string, hooks: Readonly<Record<string, Hook | undefined>>): Hooks {
  async function hear(req: Mounted): Promise<number> {
    const { pathname, searchParams } = new URL(req.url ?? '/', origin)
    const hook = Object.hasOwn(hooks, pathname) ? hooks[pathname] : undefined
    if (!hook) return 404
    if (req.method !== 'POST') return 405
    const body = await read(req)
    if (body === null) return 413
    const header = (name: string) => String(req.headers[name] ?? '')
    return hook({ address: `${origin}${req.originalUrl}`, query: searchParams, body, header })
  }
  return (req, res, next) => {
    hear(req).then((status) => {
      // Twilio reads an answer as instructions, and these are empty.
      res.writeHead(status, { 'content-type': 'text/xml', 'cache-control': 'no-store' })
      res.end(status === 200 ? '<Response/>' : '')
    }, next)
  }
}

async function read(req: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Signed requests may be at most this old, by the time in their signature. */
const TOLERANCE_SECONDS = 5 * 60
export const isRecent = (seconds: number): boolean =>
  Number.isFinite(seconds) && Math.abs(Date.now() / 1000 - seconds) <= TOLERANCE_SECONDS

/** Null when the body is not JSON. */
export function asJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
