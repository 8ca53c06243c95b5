/** How long a connection may take and how much it may send; what is not HTTP gets one answer and is closed. */
import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { PLAIN_HEADERS } from './headers.server.ts'

export const CONNECTION_LIMITS: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
}
const SILENCE_MS = 120_000
const MAX_CONNECTIONS = 5000

const STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_INVALID_METHOD: '405 Method Not Allowed',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
const TOO_LARGE = `Your browser sent more than this site can read.

This happens when too many cookies have come together. Delete the cookies of this site in your browser's settings, then open it again and log in.
`

export function guardConnections(server: Server): void {
  server.setTimeout(SILENCE_MS)
  server.maxConnections = MAX_CONNECTIONS
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refuse(socket, STATUS[error.code ?? ''] ?? '400 Bad Request')
  })
  // An expectation that is not known here is none.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket: Socket) => refuse(socket, '405 Method Not Allowed'))
}

function refuse(socket: Socket, status: string): void {
  const body = status.startsWith('431') ? TOO_LARGE : ''
  const headers = Object.entries({
    ...PLAIN_HEADERS,
    ...(status.startsWith('405') && { Allow: 'GET, HEAD, POST' }),
    ...(body && { 'Content-Type': 'text/plain; charset=utf-8' }),
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  })
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'))
}
