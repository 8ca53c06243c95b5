/** The Messages resource of Twilio's REST API (2010-04-01), on loopback: takes texts and lists them. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as read } from 'node:stream/consumers'
import { type JsonAnswer, send } from './json-answer.ts'

export const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`
export const TOKEN = 'the-auth-token-of-the-account'

/**
 * `take` answers 201; `hang` never answers; `drop` closes the connection. After `take and …` Twilio has the text,
 * though we do not learn it. Anything else is an answer that is sent unchanged.
 */
export type Behavior = 'take' | 'hang' | 'drop' | 'take and hang' | 'take and drop' | JsonAnswer

export type Asked = {
  method: string
  path: string
  authorization: string | undefined
  /** The form of a POST; of a GET, its query. */
  fields: Record<string, string>
}

/** A message as Twilio's JSON shows it. */
export type TakenText = {
  sid: string
  account_sid: string
  api_version: '2010-04-01'
  to: string
  from: string | null
  messaging_service_sid: string | null
  body: string
  status: string
  direction: 'outbound-api'
  num_segments: string
  num_media: '0'
  error_code: number | null
  error_message: string | null
  price: string | null
  price_unit: 'USD'
  date_created: string
  date_updated: string
  date_sent: string | null
  uri: string
  subresource_uris: { media: string }
}

/** An error as Twilio answers it: `refusal(400, 21211)`. */
export const refusal = (status: number, code: number, message = 'Refused', retryAfter?: number) => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
})

const ACCOUNT_PATH = `/2010-04-01/Accounts/${ACCOUNT}`
const MESSAGES = `${ACCOUNT_PATH}/Messages`
const ACCOUNT_SHOWN = {
  sid: ACCOUNT,
  owner_account_sid: ACCOUNT,
  friendly_name: 'Liftwell',
  status: 'active',
  type: 'Full',
  uri: `${ACCOUNT_PATH}.json`,
}

type Options = {
  port?: number
  /** The time on its clock. */
  now?: () => Date
  /** Called before the sender gets the answer. */
  onTaken?: (text: TakenText) => void
}

/** `behave` decides each request, of which `nth` is 1 for the first; by default everything is taken. */
export async function startTwilio(
  behave: (asked: Asked, nth: number) => Behavior | undefined = () => 'take',
  { port = 0, now = () => new Date(), onTaken = () => {} }: Options = {},
) {
  const taken: TakenText[] = []
  const asked: Asked[] = []
  const hanging = new Set<ServerResponse>()

  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://twilio')
    const form = req.method === 'POST' ? new URLSearchParams(await read(req)) : searchParams
    const one: Asked = {
      method: req.method ?? '',
      path: pathname,
      authorization: req.headers.authorization,
      fields: Object.fromEntries(form),
    }
    asked.push(one)
    const behavior = behave(one, asked.length) ?? 'take'
    if (typeof behavior === 'object') return send(res, behavior)
    const answer = behavior === 'hang' || behavior === 'drop' ? null : answerTo(one, taken, { now, onTaken })
    if (behavior.endsWith('drop')) return void req.socket.destroy()
    if (answer && behavior === 'take') return send(res, answer)
    hanging.add(res)
    res.once('close', () => hanging.delete(res))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All texts it took, whether or not it said so. */
    taken,
    asked,
    /** The number of requests that now wait for an answer that never comes. */
    hanging: () => hanging.size,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function answerTo(
  asked: Asked,
  taken: TakenText[],
  options: Required<Omit<Options, 'port'>>,
): { status: number; body: object } {
  const { method, path, authorization } = asked
  if (authorization !== `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`)
    return refusal(401, 20003, 'Authenticate')
  if (path === `${MESSAGES}.json`) {
    if (method === 'POST') return take(asked.fields, taken, options)
    if (method === 'GET') return list(asked.fields, taken)
  }
  if (path === `${ACCOUNT_PATH}.json` && method === 'GET') return { status: 200, body: ACCOUNT_SHOWN }
  const one = taken.find(({ uri }) => uri === path)
  return one && method === 'GET' ? { status: 200, body: one } : refusal(404, 20404, 'Not found')
}

function take(
  { To, From, MessagingServiceSid, Body }: Asked['fields'],
  taken: TakenText[],
  { now: clock, onTaken }: Required<Omit<Options, 'port'>>,
) {
  if (!To) return refusal(400, 21604, "A 'To' phone number is required.")
  if (!From && !MessagingServiceSid) return refusal(400, 21603, "A 'From' phone number is required.")
  if (!Body) return refusal(400, 21602, 'Message body is required.')
  if (!/^\+[1-9]\d{6,14}$/.test(To)) return refusal(400, 21211, `Invalid 'To' Phone Number: ${To}`)
  const sid = `SM${randomBytes(16).toString('hex')}`
  const now = clock().toUTCString().replace('GMT', '+0000')
  const text: TakenText = {
    sid,
    account_sid: ACCOUNT,
    api_version: '2010-04-01',
    to: To,
    from: From ?? null,
    messaging_service_sid: MessagingServiceSid ?? null,
    body: Body,
    status: MessagingServiceSid ? 'accepted' : 'queued',
    direction: 'outbound-api',
    num_segments: MessagingServiceSid ? '0' : '1',
    num_media: '0',
    error_code: null,
    error_message: null,
    price: null,
    price_unit: 'USD',
    date_created: now,
    date_updated: now,
    date_sent: null,
    uri: `${MESSAGES}/${sid}.json`,
    subresource_uris: { media: `${MESSAGES}/${sid}/Media.json` },
  }
  taken.push(text)
  onTaken(text)
  return { status: 201, body: text }
}

/** The newest first, one page at a time; `To`, `From`, `DateSent`, `DateSent<` and `DateSent>` filter. */
function list(query: Asked['fields'], taken: readonly TakenText[]) {
  const size = Math.min(1000, Math.max(1, Number(query.PageSize ?? 50) || 50))
  const page = Math.max(0, Number(query.Page ?? 0) || 0)
  const found = taken.filter((text) => isWanted(text, query)).toReversed()
  const messages = found.slice(page * size, (page + 1) * size)
  const at = (nth: number) =>
    `${MESSAGES}.json?${new URLSearchParams({ ...query, PageSize: String(size), Page: String(nth), PageToken: `PA${tokenOf(found[nth * size]?.sid)}` })}`
  const body = {
    first_page_uri: at(0),
    end: page * size + Math.max(0, messages.length - 1),
    previous_page_uri: page > 0 ? at(page - 1) : null,
    messages,
    uri: at(page),
    page_size: size,
    start: page * size,
    next_page_uri: found.length > (page + 1) * size ? at(page + 1) : null,
    page,
  }
  return { status: 200, body }
}

const tokenOf = (sid = '') => createHash('md5').update(sid).digest('hex')

/** A text that is still queued has no `date_sent`; Twilio compares the date of its creation then. */
function isWanted({ to, from, date_sent, date_created }: TakenText, query: Asked['fields']): boolean {
  const sent = new Date(date_sent ?? date_created)
  const day = sent.toISOString().slice(0, 10)
  const isBefore = (at: string) => (at.length > 10 ? sent <= new Date(at) : day <= at)
  const isAfter = (at: string) => (at.length > 10 ? sent >= new Date(at) : day >= at)
  return (
    (query.To === undefined || query.To === to) &&
    (query.From === undefined || query.From === from) &&
    (query.DateSent === undefined || query.DateSent === day) &&
    (query['DateSent<'] === undefined || isBefore(query['DateSent<'])) &&
    (query['DateSent>'] === undefined || isAfter(query['DateSent>']))
  )
}
