/** How long a connection may take and how much it may send; what is not HTTP gets one answer and is closed. */
import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'

export const CONNECTION_LIMITS: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
}
const SILENCE_MS = 120_000
const MOST_CONNECTIONS = 5000

const STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_INVALID_METHOD: '405 Method Not Allowed',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
const HEADERS = [
  'Connection: close',
  'Content-Length: 0',
  'Cache-Control: no-store',
  "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security: max-age=31536000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'Referrer-Policy: same-origin',
  'Cross-Origin-Opener-Policy: same-origin',
  'Permissions-Policy: camera=(), geolocation=(), microphone=()',
]

export function guardConnections(server: Server): void {
  server.setTimeout(SILENCE_MS)
  server.maxConnections = MOST_CONNECTIONS
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refuse(socket, STATUS[error.code ?? ''] ?? '400 Bad Request')
  })
  server.on('connect', (_request, socket: Socket) => refuse(socket, '405 Method Not Allowed'))
}

function refuse(socket: Socket, status: string): void {
  const allow = status.startsWith('405') ? ['Allow: GET, HEAD, POST'] : []
  socket.end([`HTTP/1.1 ${status}`, ...HEADERS, ...allow, '', ''].join('\r\n'))
}
