/**
 * The formats, names and texts of the Cognito service on the wire, where `cognito-local` has others or none: one user
 * pool in memory, behind the service's own protocol.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type Body, createOperations, type WireTokens } from './cognito-wire-operations.ts'
import { createPeople, Refusal, type WireUser } from './cognito-wire-people.ts'

export const WIRE_POOL = { id: 'eu-west-1_Wire00000', client_id: 'a-client-of-the-service' }

export type CognitoWire = Awaited<ReturnType<typeof startCognitoWire>>

export async function startCognitoWire() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'wire', alg: 'RS256', use: 'sig' }
  const people = createPeople()
  const owners = new Map<unknown, string>()
  /** Refusals that the next calls of an operation get, from any caller. */
  const planned = new Map<string, Refusal>()
  let issuer = ''

  const sign = (claims: object) => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ iss: issuer, iat: now, exp: now + 3600, auth_time: now, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'wire' })
      .sign(privateKey)
  }
  const tokens: WireTokens = {
    async issue(user: WireUser) {
      const { sub, attributes } = user
      const { client_id } = WIRE_POOL
      const jti = crypto.randomUUID()
      const email_verified = attributes.email_verified === 'true'
      const id = {
        sub,
        aud: client_id,
        token_use: 'id',
        'cognito:username': sub,
        ...attributes,
        email_verified,
      }
      const IdToken = await sign(id)
      const AccessToken = await sign({ sub, client_id, token_use: 'access', username: sub, jti })
      const RefreshToken = `refresh-${jti}`
      for (const token of [AccessToken, RefreshToken]) owners.set(token, people.nameOf(user))
      const result = { AccessToken, IdToken, RefreshToken, ExpiresIn: 3600, TokenType: 'Bearer' }
      return { AuthenticationResult: result }
    },
    ownerOf: (token) => owners.get(token),
    revoke: (token) => void owners.delete(token),
  }
  const operations = createOperations(people, tokens)

  async function answer(req: IncomingMessage): Promise<object> {
    if (req.url === `/${WIRE_POOL.id}/.well-known/jwks.json`) return { keys: [jwk] }
    let text = ''
    for await (const chunk of req) text += chunk
    const body = JSON.parse(text || '{}') as Body
    const name = String(req.headers['x-amz-target']).split('.')[1] ?? ''
    const refusal = planned.get(name)
    if (refusal) throw refusal
    if (body.ClientId !== undefined && body.ClientId !== WIRE_POOL.client_id)
      throw new Refusal('ResourceNotFoundException', `User pool client ${body.ClientId} does not exist.`)
    const operation = operations[name]
    if (!operation) throw new Refusal('UnknownOperationException', name)
    return operation(body)
  }

  const server = createServer((req, res) => {
    const type = { 'content-type': 'application/x-amz-json-1.1' }
    answer(req).then(
      (body) => res.writeHead(200, type).end(JSON.stringify(body)),
      ({ name, message }: Error) => res.writeHead(400, type).end(JSON.stringify({ __type: name, message })),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  issuer = `${url}/${WIRE_POOL.id}`

  return {
    url,
    issuer,
    users: people.users,
    /** A person with a verified address; `more` overrides its fields. */
    person: (username: string, more: Partial<WireUser> = {}, attributes: Record<string, string> = {}) =>
      people.add(username, {
        ...more,
        attributes: { email: username, email_verified: 'true', given_name: 'Pia', ...attributes },
      }),
    refuse: (operation: string, type: string, message: string) =>
      planned.set(operation, new Refusal(type, message)),
    relent: () => planned.clear(),
    stop: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}
