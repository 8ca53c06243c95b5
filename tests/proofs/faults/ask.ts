/** Sends one request as a client does, and returns its outcome, however it ended. */
import { Agent, type IncomingMessage, request as send } from 'node:http'
import { performance } from 'node:perf_hooks'

export type Asked = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}
export type Came =
  | { status: number; headers: IncomingMessage['headers']; text: string; ms: number }
  /** `refused`: nobody listened. `cut`: the connection broke under the request. `hung`: no answer in time. */
  | { status: 0; why: 'refused' | 'cut' | 'hung'; code: string; ms: number }

/** The longest a request may take; the client waits a little more, to see by how much it is exceeded. */
export const LONGEST_MS = 10_000
const PATIENCE_MS = 15_000

/** A connection per request, so that none is used while it is being closed. */
const ALONE = new Agent({ keepAlive: false })

export function ask(origin: string, { method = 'GET', path, headers, body }: Asked, agent = ALONE) {
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  return new Promise<Came>((resolve) => {
    let hasHung = false
    const failed = (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message
      const why = hasHung ? 'hung' : code === 'ECONNREFUSED' ? 'refused' : 'cut'
      clearTimeout(timer)
      resolve({ status: 0, why, code, ms: ms() })
    }
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = send(new URL(path, origin), { method, headers: { ...headers, ...length }, agent })
    const timer = setTimeout(() => {
      hasHung = true
      request.destroy()
    }, PATIENCE_MS)
    request.once('error', failed)
    request.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.once('error', failed)
      response.once('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, ms: ms() })
      })
    })
    request.end(body)
  })
}
