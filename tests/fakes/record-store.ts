/** A learning record store on its own port: it speaks xAPI 1.0.3, enforces its rules, and can fail on purpose. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { problemsOf } from './xapi-rules.ts'

// biome-ignore lint/suspicious/noExplicitAny: what was sent, looked at by the test
type Sent = any

/** Its next answer: correct, a status, a closed connection, or a web page. */
export type Mood = 'well' | number | 'hangs up' | 'is a web page'

export async function startRecordStore() {
  const held = new Map<string, Sent>()
  const batches: number[] = []
  const problems: string[] = []
  const moods: Mood[] = []
  const settings = { key: 'the-key', secret: 'the-secret', largest: 1000 }
  /** Runs before the next answer. */
  const meanwhile: (() => Promise<unknown>)[] = []

  const server = createServer(async (request, response) => {
    const body = await readAll(request)
    await meanwhile.shift()?.()
    const mood = moods.shift() ?? 'well'
    if (mood === 'hangs up') return request.socket.destroy()
    if (mood === 'is a web page') return answer(response, 200, '<!doctype html>', 'text/html')
    if (typeof mood === 'number') return answer(response, mood)
    const refused = refusalOf(request)
    if (refused) return answer(response, refused)
    take(response, JSON.parse(body))
  })

  function refusalOf({ method, url, headers }: IncomingMessage): number | null {
    if (method !== 'POST' || url !== '/xapi/statements') return 404
    const wanted = `Basic ${Buffer.from(`${settings.key}:${settings.secret}`).toString('base64')}`
    if (headers.authorization !== wanted) return 401
    const isKnown = /^1\.0(\.\d+)?$/.test(String(headers['x-experience-api-version']))
    return isKnown && headers['content-type'] === 'application/json' ? null : 400
  }

  /** Takes all of a batch or nothing; a different statement under a stored id is a conflict. */
  function take(response: ServerResponse, sent: Sent) {
    const statements: Sent[] = Array.isArray(sent) ? sent : [sent]
    batches.push(statements.length)
    if (statements.length > settings.largest) return answer(response, 413)
    const wrong = statements.flatMap(problemsOf)
    const ids = statements.map(({ id }) => id)
    if (new Set(ids).size < ids.length) wrong.push('two statements of a batch have one id')
    problems.push(...wrong)
    if (wrong.length > 0) return answer(response, 400)
    const clashes = statements.some(({ id, ...rest }) => held.has(id) && !isSame(held.get(id), rest))
    if (clashes) return answer(response, 409)
    for (const { id, ...rest } of statements) if (!held.has(id)) held.set(id, rest)
    answer(response, 200, JSON.stringify(ids), 'application/json')
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    settings: { url: `http://127.0.0.1:${port}/xapi/`, key: settings.key, secret: settings.secret },
    held,
    batches,
    problems,
    moods,
    meanwhile,
    limit: (largest: number) => {
      settings.largest = largest
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const readAll = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function answer(response: ServerResponse, status: number, body = '', type = 'text/plain') {
  response.writeHead(status, { 'content-type': type, 'x-experience-api-version': '1.0.3' })
  response.end(body)
}

/** Texts for people do not count when statements are compared (Data, 2.2, statement comparison). */
const isSame = (one: Sent, other: Sent) => isDeepStrictEqual(bare(one), bare(other))

const bare = (statement: Sent) =>
  JSON.parse(
    JSON.stringify(statement, (name, value) =>
      name === 'definition' || name === 'display' ? undefined : value,
    ),
  )
