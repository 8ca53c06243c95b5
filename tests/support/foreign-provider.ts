/** A foreign OpenID provider: `oidc-provider` on a port of its own, with pages, people and rules of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export type ForeignProvider = Awaited<ReturnType<typeof startForeignProvider>>
type Account = { email: string; email_verified: boolean }

export const CLIENT = { client_id: 'liftwell-there', client_secret: 'a-secret-of-the-foreign-provider' }

export async function startForeignProvider(origin: string) {
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
        ...CLIENT,
        redirect_uris: [`${origin}/auth/callback`],
        post_logout_redirect_uris: [`${origin}/login`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'foreign', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the foreign provider'] },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    claims: { email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
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

  /** Its one page: whoever posts the number of an account is that account. */
  async function signIn(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { params, prompt } = await provider.interactionDetails(req, res)
    if (req.method !== 'POST') {
      res.writeHead(200, { 'content-type': 'text/html' }).end(`<form method="post">${prompt.name}</form>`)
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
    await provider.interactionFinished(
      req,
      res,
      accounts.has(accountId) ? result : { error: 'access_denied' },
    )
  }
  handle = (req, res) => {
    if (!req.url?.startsWith('/sign-in/')) return void oidc(req, res)
    signIn(req, res).catch((error) => res.writeHead(400).end(String(error)))
  }

  return {
    issuer,
    provider,
    accounts,
    /** Takes back whatever was granted: nothing is renewed any more. */
    async forgetGrants() {
      for (const id of grants.splice(0)) await (await provider.Grant.find(id))?.destroy()
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}
