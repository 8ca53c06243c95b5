/**
 * A foreign OpenID provider: `oidc-provider` in a separate process and on its own port, with its own pages, people and
 * rules. `foreign-provider.ts` starts it, and tells it who its people are.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

/** The messages it gets; it answers each with the same number. */
export type Told =
  | { tell: 'account'; sub: string; email: string; email_verified: boolean }
  | { tell: 'forget grants' }
export type Account = { email: string; email_verified: boolean }

const [origin = '', client_id = '', client_secret = '', method = 'client_secret_basic'] =
  process.argv.slice(2)
const token_endpoint_auth_method = method as 'client_secret_basic' | 'client_secret_post'
const accounts = new Map<string, Account>()
const grants: string[] = []

const { privateKey } = await generateKeyPair('RS256', { extractable: true })
let handle: (req: IncomingMessage, res: ServerResponse) => void = () => {}
const server = createServer((req, res) => handle(req, res))
await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
const issuer = `http://localhost:${(server.address() as AddressInfo).port}`

const provider = new Provider(issuer, {
  clients: [
    {
      client_id,
      client_secret,
      token_endpoint_auth_method,
      redirect_uris: [`${origin}/auth/callback`],
      post_logout_redirect_uris: [`${origin}/login`],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  clientAuthMethods: [token_endpoint_auth_method],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'foreign', alg: 'RS256', use: 'sig' }] },
  cookies: { keys: ['a key of the foreign provider'] },
  pkce: { required: () => true },
  scopes: ['openid', 'email', 'profile', 'offline_access'],
  claims: { email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  /** A parameter of Cognito's hosted pages. */
  extraParams: ['identity_provider'],
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = `<form id="out" method="post" action="${issuer}/session/end/confirm">${/<input[^>]*>/.exec(form)?.[0]}</form>`
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => `${origin}/api/v1`,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'openid email profile',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
      }),
    },
  },
  issueRefreshToken: () => Promise.resolve(true),
  findAccount: (_ctx, sub) => {
    const account = accounts.get(sub)
    return account && { accountId: sub, claims: () => Promise.resolve({ sub, ...account }) }
  },
  interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
  ttl: { Session: 3600, Grant: 3600, Interaction: 600 },
})
const oidc = provider.callback()

/** Its only page: posting the number of an account signs in as that account. */
async function signIn(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { params, prompt } = await provider.interactionDetails(req, res)
  if (req.method !== 'POST') {
    res
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<form method="post">${prompt.name} ${params.identity_provider ?? ''}</form>`)
    return
  }
  let text = ''
  for await (const chunk of req) text += chunk
  const accountId = new URLSearchParams(text).get('sub') ?? ''
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
  grant.addOIDCScope('openid email profile offline_access')
  grant.addResourceScope(`${origin}/api/v1`, 'openid email profile')
  const grantId = await grant.save()
  grants.push(grantId)
  const result = { login: { accountId }, consent: { grantId } }
  await provider.interactionFinished(req, res, accounts.has(accountId) ? result : { error: 'access_denied' })
}
handle = (req, res) => {
  if (!req.url?.startsWith('/sign-in/')) return void oidc(req, res)
  signIn(req, res).catch((error) => res.writeHead(400).end(String(error)))
}

async function carryOut(told: Told): Promise<void> {
  if (told.tell === 'account') {
    const { sub, email, email_verified } = told
    accounts.set(sub, { email, email_verified })
  } else for (const id of grants.splice(0)) await (await provider.Grant.find(id))?.destroy()
}

process.on('message', async ({ number, told }: { number: number; told: Told }) => {
  await carryOut(told)
  process.send?.({ number })
})
// The process that started it has ended.
process.on('disconnect', () => process.exit())
process.send?.({ issuer })
