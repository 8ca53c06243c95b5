/** Connections that send one request after the other, like the browsers and proxies of busy people. */
import { Agent, request } from 'node:http'

export type Asked = {
  answered: number
  /** Answers by status. */
  statuses: Record<number, number>
  /** Connections refused before a request was sent. */
  refused: number
  /** Requests without a complete answer, with the error of each. */
  cut: string[]
}

/** Each connection keeps asking until the port is closed; `asked` is updated meanwhile. */
export function keepAsking(
  origin: string,
  atOnce: number,
  ask: (turn: number) => { path: string; headers?: Record<string, string> },
): { asked: Asked; ended: Promise<void> } {
  const asked: Asked = { answered: 0, statuses: {}, refused: 0, cut: [] }
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  let turn = 0
  const asker = async () => {
    while (asked.refused < atOnce) {
      const outcome = await send(origin, agent, ask(turn++))
      if (typeof outcome === 'number') {
        asked.answered += 1
        asked.statuses[outcome] = (asked.statuses[outcome] ?? 0) + 1
      } else if (outcome === 'ECONNREFUSED') {
        asked.refused += 1
        return
      } else asked.cut.push(outcome)
    }
  }
  const askAll = async () => {
    await Promise.all(Array.from({ length: atOnce }, asker))
    agent.destroy()
  }
  return { asked, ended: askAll() }
}

function send(
  origin: string,
  agent: Agent,
  { path, headers = {} }: { path: string; headers?: Record<string, string> },
): Promise<number | string> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    request(new URL(path, origin), { agent, headers }, (answer) => {
      answer.once('error', fail)
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
      .once('error', fail)
      .end()
  })
}
