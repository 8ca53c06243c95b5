/** A foreign OpenID provider with the endpoints that a client uses: keys, tokens, refresh, revocation. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export type Issuer = Awaited<ReturnType<typeof startIssuer>>
type Header = { alg?: string; kid?: string; [name: string]: unknown }
type Claims = Record<string, unknown>
type Answer = { status: number; body: object; delay?: number; headers?: Record<string, string> }

export const AUDIENCE = 'http://localhost:3000/api/v1'

async function makeKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  return { kid, publicKey, privateKey, jwk }
}

export async function startIssuer(kid = 'key-1') {
  let current = await makeKey(kid)
  const { publicKey, jwk } = current
  /** Whether the keys cannot be fetched. */
  const keys = { are_away: false }
  const calls: { path: string; body: URLSearchParams }[] = []
  /** How the token endpoint answers the next calls. */
  const token: { answer: (body: URLSearchParams) => Answer | Promise<Answer> } = {
    answer: () => ({ status: 400, body: { error: 'invalid_grant' } }),
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = new URL(request.url ?? '/', 'http://issuer').pathname
    let text = ''
    for await (const chunk of request) text += chunk
    const body = new URLSearchParams(text)
    calls.push({ path, body })
    const send = (status: number, json: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
    if (path === '/jwks') return keys.are_away ? send(503, {}) : send(200, { keys: [current.jwk] })
    if (path === '/revoke') return send(200, {})
    if (path !== '/token') return send(404, {})
    const made = await token.answer(body)
    if (made.delay) await new Promise((done) => setTimeout(done, made.delay))
    send(made.status, made.body, made.headers)
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const now = () => Math.floor(Date.now() / 1000)

  const sign = (claims: Claims, header: Header = {}, key: CryptoKey = current.privateKey) =>
    new SignJWT({ iss: url, iat: now(), exp: now() + 3600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: current.kid, ...header })
      .sign(key, { crit: { 'urn:x': true } })

  return {
    url,
    jwk,
    publicKey,
    calls,
    token,
    keys,
    /** Signs with another key from now on, and publishes only that one. */
    async rotate() {
      current = await makeKey(`${current.kid}-next`)
    },
    sign,
    now,
    settings: {
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      revocation_endpoint: `${url}/revoke`,
      end_session_endpoint: `${url}/logout`,
      jwks_uri: `${url}/jwks`,
    },
    accessToken: (sub: string, claims: Claims = {}, header: Header = {}) =>
      sign(
        { sub, jti: randomUUID(), aud: AUDIENCE, client_id: 'liftwell', token_use: 'access', ...claims },
        header,
      ),
    idToken: (sub: string, claims: Claims = {}) => sign({ sub, aud: 'liftwell', ...claims }),
    stop: () => new Promise((done) => server.close(done)),
  }
}
