/** Requests to addresses that a person typed: only https, only the public internet, never the local network (SSRF). */
import { type LookupAddress, lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { getConfig } from '#app/config.server.ts'

/** The message is a sentence for the person who typed the address. */
export class OutsideError extends Error {}

const NOT_PUBLIC = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(net, prefix, 'ipv4')
/** In IPv6 only global unicast is public, without the ranges that embed IPv4. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(net, prefix, 'ipv6')

const isLocal = () => new URL(getConfig().PUBLIC_ORIGIN).protocol === 'http:'

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return family === 6 && GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/** Throws an `OutsideError` for an address that is refused no matter what its name resolves to. */
export function requireOutside(address: string): URL {
  if (!URL.canParse(address)) throw new OutsideError(`${address} is not an address.`)
  const url = new URL(address)
  if (isLocal()) return url
  if (url.protocol !== 'https:') throw new OutsideError(`${url.origin} must begin with https://.`)
  if (url.username || url.password) throw new OutsideError('An address must not carry a user name.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isPublicAddress(host)) throw new OutsideError(`${host} is not on the public internet.`)
  return url
}

/** Connects to exactly the addresses that were checked. */
const lookupOutside: typeof lookup = ((
  host: string,
  options: { all?: boolean },
  done: (error: Error | null, found?: string | LookupAddress[], family?: number) => void,
) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error)
    const wrong = found.find(({ address }) => !isLocal() && !isPublicAddress(address))
    if (wrong) return done(new OutsideError(`${host} is not on the public internet.`))
    const [first] = found
    return options.all ? done(null, found) : done(null, first?.address ?? '', first?.family ?? 4)
  })
}) as typeof lookup

export type OutsideAnswer = { status: number; text: string; location: string | null }
type Asking = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  patienceMs?: number
}

const PATIENCE_MS = 5000
const MAX_BYTES = 512 * 1024

/** Follows no redirects, reads half a megabyte at most, and gives up after `patienceMs` (default: five seconds). */
export function askOutside(
  address: string,
  { method = 'GET', headers = {}, body, patienceMs = PATIENCE_MS }: Asking = {},
) {
  const url = requireOutside(address)
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const signal = AbortSignal.timeout(patienceMs)
  return new Promise<OutsideAnswer>((done, failed) => {
    const asking = request(
      url,
      { method, headers: { accept: 'application/json', ...headers }, signal, lookup: lookupOutside },
      (answer) => {
        read(answer).then(
          (text) => done({ status: answer.statusCode ?? 0, text, location: answer.headers.location ?? null }),
          failed,
        )
      },
    )
    asking.on('error', failed)
    asking.end(body)
  }).catch((error: unknown) => {
    throw error instanceof OutsideError ? error : new OutsideError(whyNot(url, error, signal.aborted))
  })
}

async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += chunk.length
    if (size > MAX_BYTES) throw new OutsideError('The answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const REASONS: Record<string, string> = {
  ENOTFOUND: 'no machine has that name',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

function whyNot(url: URL, error: unknown, isLate: boolean): string {
  const { code } = error as { code?: string }
  const why = isLate ? 'it took too long' : ((code && REASONS[code]) ?? 'the connection failed')
  return `${url.host} does not answer: ${why}.`
}
