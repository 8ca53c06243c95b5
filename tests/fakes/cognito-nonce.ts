/**
 * A proxy for `cognito-local`'s hosted pages that adds what the server lacks: the nonce of a sign-in is in its ID
 * token, signed with the server's own key.
 */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'

export async function startNonceKeeper(upstream: string) {
  const path = createRequire(import.meta.url).resolve('cognito-local/lib/keys/cognitoLocal.private.json')
  const key = createPrivateKey(JSON.parse(readFileSync(path, 'utf8')).pem)
  /** First by the state of a sign-in, then by its code. */
  const nonces = new Map<string, string>()

  async function withNonce(token: string, nonce: string): Promise<string> {
    const { alg = 'RS256', ...header } = decodeProtectedHeader(token)
    return new SignJWT({ ...decodeJwt(token), nonce }).setProtectedHeader({ ...header, alg }).sign(key)
  }

  const keep = (name: string | null, nonce: string | null | undefined) =>
    name && nonce ? nonces.set(name, nonce) : nonces

  async function sign(text: string, code: string | null): Promise<string> {
    const nonce = nonces.get(code ?? '')
    const tokens = JSON.parse(text)
    return JSON.stringify(nonce ? { ...tokens, id_token: await withNonce(tokens.id_token, nonce) } : tokens)
  }

  async function pass(req: IncomingMessage) {
    let body = ''
    for await (const chunk of req) body += chunk
    const url = new URL(req.url ?? '/', upstream)
    keep(url.searchParams.get('state'), url.searchParams.get('nonce'))
    const headers = { 'content-type': req.headers['content-type'] ?? '' }
    const sent = req.method === 'POST' ? { method: 'POST', body, headers } : {}
    const { ok, status, headers: answered, ...answer } = await ask(url, sent)
    const location = answered.get('location')
    if (location) {
      const back = new URL(location).searchParams
      keep(back.get('code'), nonces.get(back.get('state') ?? ''))
    }
    const code = new URLSearchParams(body).get('code')
    const text = ok && url.pathname === '/oauth2/token' ? await sign(answer.text, code) : answer.text
    const type = { 'content-type': answered.get('content-type') ?? '' }
    return { status, headers: location ? { ...type, location } : type, text }
  }

  async function ask(url: URL, init: RequestInit) {
    const answer = await fetch(url, { ...init, redirect: 'manual' })
    const { ok, status, headers } = answer
    return { ok, status, headers, text: await answer.text() }
  }

  const server = createServer((req, res) => {
    pass(req).then(
      ({ status, headers, text }) => res.writeHead(status, headers).end(text),
      (error) => res.writeHead(502).end(String(error)),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}
