/** The API as one visitor may use it: in process a call is a function, with API_BASE_URL set it is HTTP. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { getConfig } from '#app/config.server.ts'
import { reportFailure } from '#app/integrations/monitoring.server.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { toCaller } from './authenticate.server.ts'
import { type AnswerOf, type Call, isRead } from './contract/call.ts'
import { askElsewhere } from './elsewhere/translate.server.ts'
import { textOf } from './fingerprint.server.ts'
import { carryOutHere } from './instance.server.ts'
import { problemOf } from './problem.server.ts'
import { type Credentials, type Made, type Options, type QueryValue, send } from './send.server.ts'

type IdsArg<C> = C extends { ids: z.ZodObject<infer Shape> }
  ? [ids: { [Name in keyof Shape]: string | number | undefined }]
  : []
type InputArg<C> = C extends { query: infer S extends z.ZodType }
  ? [query?: { [Name in keyof z.input<S>]?: QueryValue }]
  : C extends { body: infer S extends z.ZodType }
    ? [body: z.input<S>]
    : C extends { form: infer S extends z.ZodType }
      ? [form: z.input<S>]
      : []
type Args<C> = [...IdsArg<C>, ...InputArg<C>, options?: Options]

export type ApiClient = ReturnType<typeof createApiClient>
type Answered = { status: number; value: unknown; is_replayed?: boolean } | Response

/** A failure that took longer than this is not retried: it would double the wait. */
const AT_ONCE_MS = 1_000

export function createApiClient(credentials: Credentials) {
  return async <C extends Call>(call: C, ...args: Args<C>): Promise<AnswerOf<C>> =>
    (await makeOnce(read(call, args))) as AnswerOf<C>

  /** What several loaders of a page ask is answered once, unless something is written in between. */
  async function makeOnce(made: Made): Promise<unknown> {
    const { call, ids, query, options } = made
    const answers = answersOf(credentials)
    if (!isRead(call)) return make(made).finally(() => answers.clear())
    if (call.method !== 'GET' || !(call.answers instanceof z.ZodType)) return make(made)
    const key = JSON.stringify([call.path, ids, query, options.range])
    // A refusal is a Response, which only one can read.
    const asked = answers.get(key)?.catch(() => make(made)) ?? make(made)
    answers.set(key, asked)
    return asked
  }

  async function make(asked: Made): Promise<unknown> {
    const made = await withKey(credentials, asked)
    if (getConfig().WEB_TIER) return askElsewhere(made, credentials)
    const answer = await answerOrAgain(made, credentials)
    if (isReplayed(answer)) credentials.found?.set('is_replayed', true)
    return readAnswer(made.call, answer, credentials)
  }
}

type Answers = Map<string, Promise<unknown>>

function answersOf({ found }: Credentials): Answers {
  const known = found?.get('answers') as Answers | undefined
  const answers = known ?? new Map()
  found?.set('answers', answers)
  return answers
}

function read(call: Call, args: readonly unknown[]): Made {
  const rest = [...args]
  const ids = call.ids ? (rest.shift() as Made['ids']) : {}
  const input = call.query || call.body || call.form ? rest.shift() : undefined
  const options = (rest.shift() ?? {}) as Options
  const query = call.query ? ((input ?? {}) as Made['query']) : {}
  return { call, ids, query, body: call.query ? undefined : input, options }
}

/** Another server may not limit how often somebody is written to, so every POST of a form is sent to it once. */
const isMadeOnce = ({ method, repeats }: Call): boolean =>
  repeats === 'once' || (getConfig().WEB_TIER && method === 'POST' && repeats === undefined)

/**
 * The key of a form and a hash of its content: a repeated submit is recognized, the same page with other content is a
 * new request.
 */
async function withKey({ found }: Credentials, made: Made): Promise<Made> {
  const key = found?.get('form_key')
  if (!key || !isMadeOnce(made.call) || made.options.idempotencyKey) return made
  const what = createHash('sha256')
    .update(await fingerprintOf(made))
    .digest('base64url')
  return { ...made, options: { ...made.options, idempotencyKey: `${key} ${what}` } }
}

const fingerprintOf = async ({ call, ids, body }: Made): Promise<string> =>
  `${call.path}\n${JSON.stringify(ids)}\n${await textOf(body)}`

/** A screen can say that this had already been done. */
const isReplayed = (answer: Answered) =>
  answer instanceof Response ? answer.headers.has('idempotency-replayed') : answer.is_replayed

/** A read that failed or was refused (403) at once is tried once more; a write never. */
async function answerOrAgain(made: Made, credentials: Credentials): Promise<Answered> {
  const began = performance.now()
  const isOver = () => made.call.method !== 'GET' || performance.now() - began > AT_ONCE_MS
  try {
    const answer = await answerTo(made, credentials)
    if ((answer.status < 500 && answer.status !== 403) || isOver()) return answer
  } catch (error) {
    if (!isOutage(error) || isOver()) throw error
  }
  return answerTo(made, credentials)
}

function answerTo(made: Made, credentials: Credentials): Promise<Answered> {
  return getConfig().API_BASE_URL ? send(made, credentials) : carryOutInProcess(made, credentials)
}

async function carryOutInProcess(made: Made, who: Credentials): Promise<Answered> {
  const { call, ids, query, body, options } = made
  try {
    const { token, principal, has_second_factor, ip } = who
    const { isFramed } = options
    const caller = { ...toCaller(principal, token, who), has_second_factor, ip, isFramed }
    const asked = {
      ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])),
      query: asText(query),
      readBody: async () => body ?? {},
      range: options.range,
      key: options.idempotencyKey,
      fingerprint: () => fingerprintOf(made),
    }
    const done = await carryOutHere(call, asked, caller, who.reads)
    return done.value instanceof Response ? done.value : done
  } catch (error) {
    const { request_id, principal } = who
    return problemOf(error, { method: call.method, path: call.path, request_id, user: principal.user_id })
  }
}

/** The same form as the query of a URL. */
function asText(query: Made['query']): Record<string, string | string[]> {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [[name, String(value)]]
      const values = value.map(String)
      return values.length === 0 ? [] : [[name, values.length === 1 ? (values[0] as string) : values]]
    }),
  )
}

/** Refusals (4xx) are thrown as the API's own Response, failures as an Error with its detail. */
async function readAnswer(call: Call, answer: Answered, who: Credentials): Promise<unknown> {
  if (!(answer instanceof Response)) return (call.answers as z.ZodType).parse(answer.value)
  if (answer.ok) return call.answers instanceof z.ZodType ? call.answers.parse(await answer.json()) : answer
  const after = answer.headers.get('retry-after')
  if (answer.status === 429 && after) who.found?.set('retry_after', after)
  if (answer.status < 500) {
    tellRefusal(call, answer.status, who)
    throw answer
  }
  const { detail } = (await answer.json().catch(() => ({}))) as { detail?: unknown }
  throw new Error(detailText(detail) ?? `API Error: HTTP ${answer.status}`, {
    cause: { status: answer.status },
  })
}

/** Without the detail, which can name people. */
function tellRefusal({ method, path }: Call, status: number, { principal }: Credentials): void {
  if (status <= 404) return
  reportFailure(new Error(`API Error: HTTP ${status}`), { method, path, status }, principal.user_id)
}

function detailText(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  return detail === undefined ? undefined : JSON.stringify(detail)
}
