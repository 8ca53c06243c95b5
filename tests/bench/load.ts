/** Sends requests on kept connections, several at a time. */
import { Agent, type RequestOptions, request } from 'node:http'

export type Ask = { origin: string; path: string; headers: Record<string, string> }
export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

const AT_ONCE = 4
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export function send({ origin, path, headers }: Ask): Promise<Answer> {
  const options: RequestOptions = { agent, headers }
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}${path}`, options, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.once('error', reject)
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(pieces),
        }),
      )
    })
    asked
      .on('error', (error: NodeJS.ErrnoException) => {
        // The site may just have closed a connection that was idle for long.
        const isOld = asked.reusedSocket && error.code === 'ECONNRESET'
        if (isOld) send({ origin, path, headers }).then(resolve, reject)
        else reject(error)
      })
      .end()
  })
}

/** The site answered anything but 200: overload, or a time limit. */
export class Refused extends Error {}

/** Returns how many were answered, and how long that took. Throws `Refused` at the first answer other than 200. */
export async function load(ask: Ask, ms: number, atOnce = AT_ONCE): Promise<{ count: number; ms: number }> {
  const began = performance.now()
  let count = 0
  const asker = async () => {
    while (performance.now() - began < ms) {
      const { status, body } = await send(ask)
      if (status !== 200) throw new Refused(`${ask.path}: ${status} ${body.toString().slice(0, 300)}`)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, asker))
  return { count, ms: performance.now() - began }
}

export const hangUp = (): void => agent.destroy()
