import type { ServerResponse } from 'node:http'

/** An answer that a fake sends unchanged. */
export type JsonAnswer = { status: number; body: object; headers?: Record<string, string> }

export function send(res: ServerResponse, { status, body, headers }: JsonAnswer): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(JSON.stringify(body))
}
