/**
 * Vonage on loopback: the Messages API (v1) takes texts signed with the application's key, the Reports API lists them.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as read } from 'node:stream/consumers'
import { jwtVerify } from 'jose'
import { type JsonAnswer, send } from './json-answer.ts'

export const APPLICATION = '78d335fa-323d-4114-9c3d-d6f0d48968cf'
export const SECRET = 'the-signature-secret-of-the-account'
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const PRIVATE_KEY = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export const KEY = 'abcd1234'
export const KEY_SECRET = 'the-secret-of-the-api-key'

/** `hang` never answers; after `take and …` Vonage has the text, though we do not learn it. */
export type VonageBehavior = 'take' | 'hang' | 'drop' | 'take and drop' | JsonAnswer

/** A text as received, with the fields of Vonage's report. */
export type VonageText = Record<string, string> & { message_uuid: string; status: string; received: string }

type Options = {
  /** The time on its clock. */
  now?: () => Date
  /** Called before the sender gets the answer. */
  onTaken?: (text: VonageText) => void
  /** Decides each request for a report. */
  report?: () => VonageBehavior
}

/** A refusal in Vonage's format: RFC 7807. */
export const problem = (status: number, code: number, title = 'Rejected', retryAfter?: number) => ({
  status,
  body: {
    type: `https://developer.vonage.com/api-errors/messages#${code}`,
    title,
    detail: title,
    instance: randomUUID(),
  },
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
})

export async function startVonage(behave: () => VonageBehavior = () => 'take', options: Options = {}) {
  const taken: VonageText[] = []
  const server = createServer(async (req, res) => {
    const isReport = req.method === 'GET'
    const behavior = isReport ? (options.report?.() ?? 'take') : behave()
    if (behavior === 'hang') return
    if (behavior === 'drop') return void req.socket.destroy()
    const answer =
      typeof behavior === 'object'
        ? behavior
        : isReport
          ? reportOf(req, taken)
          : await answerTo(req, taken, options)
    if (behavior === 'take and drop') return void req.socket.destroy()
    send(res, answer)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answerTo(
  req: IncomingMessage,
  taken: VonageText[],
  { now = () => new Date(), onTaken }: Options,
) {
  const token = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
  // The proofs move the clock of the sender.
  const known = await jwtVerify(token, keys.publicKey, { algorithms: ['RS256'], currentDate: now() }).catch(
    () => null,
  )
  const { application_id, jti, iat } = known?.payload ?? {}
  if (application_id !== APPLICATION || !jti || !iat) return problem(401, 1000, 'Unauthorized')
  if (req.method !== 'POST' || req.url !== '/v1/messages') return { status: 404, body: {} }
  const body = JSON.parse(await read(req))
  const isText = body.message_type === 'text' && body.channel === 'sms' && body.text
  if (!isText || !body.from) return problem(422, 1010, 'Missing params')
  if (!/^[1-9]\d{6,14}$/.test(body.to)) return problem(422, 1170, 'Invalid or Missing Msisdn Param')
  if (String(body.client_ref ?? '').length > 100) return problem(422, 1020, 'Invalid params')
  const message_uuid = randomUUID()
  const text = { ...body, message_uuid, status: 'submitted', received: now().toISOString() }
  taken.push(text)
  onTaken?.(text)
  return { status: 202, body: { message_uuid } }
}

const PAGE = 1000

/** The Reports API (v2): texts received between two moments, in pages of a thousand. */
function reportOf(req: IncomingMessage, taken: readonly VonageText[]) {
  const url = new URL(req.url ?? '/', 'https://api.nexmo.com')
  const asked = Object.fromEntries(url.searchParams)
  if (req.headers.authorization !== `Basic ${Buffer.from(`${KEY}:${KEY_SECRET}`).toString('base64')}`)
    return problem(401, 1000, 'Unauthorized')
  if (url.pathname !== '/v2/reports/records') return { status: 404, body: {} }
  if (asked.account_id !== KEY || asked.product !== 'MESSAGES' || asked.direction !== 'outbound')
    return problem(422, 1010, 'Unprocessable entity')
  const [from, until] = [new Date(asked.date_start ?? ''), new Date(asked.date_end ?? '')]
  // At most one day at a time.
  if (!(until.getTime() - from.getTime() <= 86_400_000)) return problem(422, 1010, 'Unprocessable entity')
  const found = taken.filter(({ to, received }) => {
    const at = new Date(received)
    return at >= from && at < until && (asked.to === undefined || asked.to === to)
  })
  const begin = Number(asked.cursor ?? 0)
  const isTruncated = found.length > begin + PAGE
  if (isTruncated) url.searchParams.set('cursor', String(begin + PAGE))
  const records = found.slice(begin, begin + PAGE).map((text) => ({
    account_id: KEY,
    message_id: text.message_uuid,
    client_ref: text.client_ref ?? '',
    direction: 'outbound',
    from: text.from,
    to: text.to,
    provider: 'sms',
    date_received: text.received,
    status: text.status,
    error_code: text.error_code ?? '',
  }))
  return {
    status: 200,
    body: {
      _links: {
        self: { href: `https://api.nexmo.com${req.url}` },
        ...(isTruncated && { next: { href: url.href } }),
      },
      request_id: randomUUID(),
      request_status: isTruncated ? 'TRUNCATED' : 'SUCCESS',
      product: 'MESSAGES',
      items_count: records.length,
      records,
    },
  }
}
