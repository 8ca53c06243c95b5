/** The hosted pages of a Cognito user pool: sign-in page, OAuth endpoints and keys, in the service's own formats. */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const HOSTED_POOL = { id: 'eu-west-1_Hosted000', client_id: '1h0st3dcl13nt' }

type Code = { sub: string; client_id: string; redirect_uri: string; challenge: string; nonce: string | null }
type Told = { status?: number; location?: string; html?: string; body?: unknown }
export type CognitoHosted = Awaited<ReturnType<typeof startCognitoHosted>>

export async function startCognitoHosted() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'hosted', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Code>()
  const refreshing = new Map<string, { sub: string; client_id: string }>()
  const clients = new Set([HOSTED_POOL.client_id])
  const asked: string[] = []
  const state = { issuer: '', lifetime: 3600, redirect: '' }

  const sign = (claims: object) => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ iss: state.issuer, iat: now, exp: now + state.lifetime, auth_time: now, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'hosted' })
      .sign(privateKey)
  }

  /** Like the service, this issues no new refresh token for a used one. */
  async function tokensFor({ sub, client_id }: { sub: string; client_id: string }, nonce?: string | null) {
    const [jti, origin_jti] = [randomUUID(), randomUUID()]
    const person = {
      sub,
      'cognito:username': sub,
      email: `${sub.slice(4)}@acme.example`,
      email_verified: true,
    }
    return {
      id_token: await sign({ ...person, aud: client_id, token_use: 'id', jti, ...(nonce && { nonce }) }),
      access_token: await sign({
        ...{ sub, client_id, token_use: 'access', scope: 'openid profile email' },
        ...{ username: sub, version: 2, jti, origin_jti },
      }),
      expires_in: state.lifetime,
      token_type: 'Bearer',
    }
  }

  function authorize({ searchParams, search }: URL): Told {
    const asked = Object.fromEntries(searchParams)
    const isKnown = clients.has(asked.client_id ?? '') && asked.redirect_uri === state.redirect
    if (!isKnown || asked.response_type !== 'code') return { location: '/error?error=redirect_mismatch' }
    if (asked.code_challenge_method !== 'S256') return { location: `${state.redirect}?error=invalid_request` }
    return { location: `/login${search}` }
  }

  function signIn({ searchParams }: URL, form: URLSearchParams): Told {
    const code = randomUUID()
    const of = (name: string) => searchParams.get(name) ?? ''
    codes.set(code, {
      sub: form.get('sub') ?? '',
      client_id: of('client_id'),
      redirect_uri: of('redirect_uri'),
      challenge: of('code_challenge'),
      nonce: searchParams.get('nonce'),
    })
    return { location: `${state.redirect}?${new URLSearchParams({ code, state: of('state') })}` }
  }

  async function token(_: URL, form: URLSearchParams): Promise<Told> {
    const client_id = form.get('client_id') ?? ''
    if (!clients.has(client_id)) return refused('invalid_client')
    return form.get('grant_type') === 'refresh_token' ? refresh(form, client_id) : redeem(form, client_id)
  }

  async function refresh(form: URLSearchParams, client_id: string): Promise<Told> {
    const known = refreshing.get(form.get('refresh_token') ?? '')
    return known?.client_id === client_id ? { body: await tokensFor(known) } : refused('invalid_grant')
  }

  /** A code can be used once. */
  async function redeem(form: URLSearchParams, client_id: string): Promise<Told> {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const isSame = code?.client_id === client_id && code.redirect_uri === form.get('redirect_uri')
    if (!isSame || code.challenge !== challenge) return refused('invalid_grant')
    const refresh_token = randomUUID()
    refreshing.set(refresh_token, { sub: code.sub, client_id })
    return { body: { ...(await tokensFor(code, code.nonce)), refresh_token } }
  }

  const pages: Record<string, (url: URL, form: URLSearchParams) => Told | Promise<Told>> = {
    [`GET /${HOSTED_POOL.id}/.well-known/jwks.json`]: () => ({ body: { keys: [jwk] } }),
    'GET /oauth2/authorize': authorize,
    'GET /login': () => ({ html: '<form method="post"><input name="sub"></form>' }),
    'POST /login': signIn,
    'POST /oauth2/token': token,
    'POST /oauth2/revoke': (_, form) => {
      refreshing.delete(form.get('token') ?? '')
      return {}
    },
    'GET /logout': ({ searchParams }) => ({ location: searchParams.get('logout_uri') ?? '/error' }),
  }

  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', state.issuer)
    const name = `${req.method} ${url.pathname}`
    const form = new URLSearchParams(await textOf(req))
    asked.push(`${name} ${form.get('grant_type') ?? ''}`.trim())
    tell(res, (await pages[name]?.(url, form)) ?? { status: 404, body: {} })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  state.issuer = `${url}/${HOSTED_POOL.id}`
  return {
    url,
    issuer: state.issuer,
    /** The requests it received, in order. */
    asked,
    /** Registers the only callback address of its clients. */
    register(redirect: string) {
      state.redirect = redirect
    },
    /** Adds another client of the same pool. */
    addClient: (client_id: string) => void clients.add(client_id),
    /** The lifetime, in seconds, of tokens from now on. */
    setLifetime(seconds: number) {
      state.lifetime = seconds
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const refused = (error: string): Told => ({ status: 400, body: { error } })

function tell(res: ServerResponse, { location, html, body, status = location ? 302 : 200 }: Told): void {
  if (location) res.setHeader('location', location)
  res.setHeader('content-type', html ? 'text/html' : 'application/json')
  res.writeHead(status).end(html ?? (body === undefined ? '' : JSON.stringify(body)))
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
