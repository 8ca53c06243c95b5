import { createSecretKey } from 'node:crypto'
import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import type { Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { toActor } from '#app/auth/actor.server.ts'
import { tokenHash, verifyBearer } from '#app/auth/bearer.server.ts'
import { type Principal, UnauthorizedError } from '#app/auth/principal.ts'
import { connect } from '#app/db/connect.server.ts'
import type { DB } from '#app/db/schema.ts'
import { AUDIENCE, startIssuer } from './auth-issuer.ts'
import { createWorld, type World } from './auth-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  const identities = world.stage.updateTable('user_identities').where('user_id', '=', world.people.ivan.id)
  await identities.set({ subject: String(NUMBERED) }).execute()
})
afterEach(() => vi.useRealTimers())
afterAll(() => world.close())

const whoIs = (token: string): Promise<Principal> => verifyBearer(world.db, token)

describe('A bearer token', () => {
  it('identifies its person, with tenant, pool and roles', async () => {
    const { adam } = world.people
    await whoIs(await world.issuer.accessToken(String(NUMBERED)))
    expect(await whoIs(await world.issuer.accessToken(adam.sub))).toMatchObject({
      user_id: adam.id,
      tenant_id: world.acme,
      email: 'adam@example.com',
      pool_id: 'foreign',
      roles: [{ role: 'admin', tenant_id: world.acme, sub_tenant_id: null }],
    })
  })

  it('is verified without further requests to the provider once its keys are known', async () => {
    const { issuer, people } = world
    await whoIs(await issuer.accessToken(people.adam.sub))
    const before = issuer.calls.length
    for (let i = 0; i < 20; i++) await whoIs(await issuer.accessToken(people.uri.sub))
    expect(issuer.calls.length).toBe(before)
  })

  it('is rejected once it has expired, even if it was accepted before', async () => {
    const { issuer, people } = world
    const token = await issuer.accessToken(people.adam.sub, { exp: issuer.now() + 60 })
    await whoIs(token)
    vi.setSystemTime(Date.now() + 110_000)
    await whoIs(token)
    vi.setSystemTime(Date.now() + 20_000)
    await expect(whoIs(token)).rejects.toThrow(UnauthorizedError)
  })

  it('is accepted with clocks 30 seconds apart, but rejected with 90', async () => {
    const { issuer, people } = world
    const at = (claims: Record<string, unknown>) => issuer.accessToken(people.adam.sub, claims)
    await whoIs(await at({ exp: issuer.now() - 30 }))
    await whoIs(await at({ nbf: issuer.now() + 30 }))
    await expect(whoIs(await at({ exp: issuer.now() - 90 }))).rejects.toThrow(UnauthorizedError)
    await expect(whoIs(await at({ nbf: issuer.now() + 90 }))).rejects.toThrow(UnauthorizedError)
    await expect(whoIs(await at({ iat: issuer.now() + 90 }))).rejects.toThrow(UnauthorizedError)
  })
})

const NUMBERED = 1234567

/** Each creates a token that must be rejected. */
const FORGERIES: Record<string, (world: World) => Promise<string> | string> = {
  'an empty token': () => '',
  'a string that is not a token': () => 'abc.def.ghi',
  'a header of broken JSON': () => `${Buffer.from('{').toString('base64url')}.e30.e30`,
  'alg none': ({ issuer, people }) => new UnsecuredJWT(claimsOf(issuer.url, people.adam.sub)).encode(),
  'alg None with the signature of a valid token': async ({ issuer, people }) => {
    const [, body, signature] = (await issuer.accessToken(people.adam.sub)).split('.')
    return `${encode({ alg: 'None', kid: 'key-1' })}.${body}.${signature}`
  },
  'HS256 with the public key as secret': async ({ issuer, people }) =>
    new SignJWT(claimsOf(issuer.url, people.adam.sub))
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .sign(createSecretKey(Buffer.from(await exportSPKI(issuer.publicKey)))),
  'HS256 with the modulus as secret': async ({ issuer, people }) =>
    new SignJWT(claimsOf(issuer.url, people.adam.sub))
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .sign(createSecretKey(Buffer.from(String(issuer.jwk.n), 'base64url'))),
  'signed with another key under our kid': (world) => signedByStranger(world),
  'signed with another key under an unknown kid': (world) => signedByStranger(world, { kid: 'key-2' }),
  'signed with another key, with a jwk in the header': async (world) =>
    signedByStranger(world, { jwk: { ...world.issuer.jwk } }),
  'signed with another key, with a jku in the header': (world) =>
    signedByStranger(world, { jku: `${world.issuer.url}/evil` }),
  'signed with the right key, but with a jku in the header': ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, {}, { jku: `${issuer.url}/evil` }),
  'signed with another key, with an x5u in the header': (world) =>
    signedByStranger(world, { x5u: `${world.issuer.url}/evil` }),
  'signed with another key, with an x5c in the header': (world) => signedByStranger(world, { x5c: ['MIIB'] }),
  'signed with another key, with a path as kid': (world) =>
    signedByStranger(world, { kid: '../../../../dev/null' }),
  'signed with another key, with SQL as kid': (world) =>
    signedByStranger(world, { kid: "' union select 'x" }),
  'an unknown critical extension': ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, {}, { crit: ['urn:x'], 'urn:x': true }),
  'another subject under a copied signature': async ({ issuer, people }) => {
    const [head, , signature] = (await issuer.accessToken(people.uri.sub)).split('.')
    return `${head}.${encode(claimsOf(issuer.url, people.sofia.sub))}.${signature}`
  },
  'a truncated signature': async ({ issuer, people }) =>
    (await issuer.accessToken(people.adam.sub)).slice(0, -8),
  'no signature': async ({ issuer, people }) =>
    (await issuer.accessToken(people.adam.sub)).replace(/[^.]+$/, ''),
  'an unknown issuer': ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, { iss: 'https://evil.example' }),
  'our issuer with a trailing slash': ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, { iss: `${issuer.url}/` }),
  'another audience': ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, { aud: 'https://elsewhere.example/api' }),
  'no audience': ({ issuer, people }) => issuer.sign({ sub: people.adam.sub, client_id: 'liftwell' }),
  'another client': ({ issuer, people }) => issuer.accessToken(people.adam.sub, { client_id: 'someone' }),
  'an ID token': ({ issuer, people }) => issuer.idToken(people.adam.sub),
  'an ID token with the audience of an access token': ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, { token_use: 'id' }),
  'no expiry': ({ issuer, people }) => issuer.accessToken(people.adam.sub, { exp: undefined }),
  'no subject': ({ issuer }) => issuer.accessToken('', { sub: undefined }),
  'a number as subject, though a person has the same digits as a string': ({ issuer }) =>
    issuer.accessToken('', { sub: NUMBERED }),
  'a subject that no person has': ({ issuer }) => issuer.accessToken('nobody'),
  'an e-mail address as subject': ({ issuer, people }) => issuer.accessToken(people.adam.email),
  "another pool's issuer": ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, { iss: `${issuer.url}/other` }),
  'a token that is too long': ({ issuer, people }) =>
    issuer.accessToken(people.adam.sub, { padding: 'x'.repeat(9000) }),
}

describe('A forged token is refused', () => {
  for (const [name, forge] of Object.entries(FORGERIES))
    it(name, async () => {
      const token = await forge(world)
      await expect(whoIs(token)).rejects.toThrow(UnauthorizedError)
      const answer = await createApi({ database: () => world.db }).request('/api/v1/users/me', {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(401)
      expect(world.issuer.calls.some(({ path }) => path === '/evil')).toBe(false)
    })
})

describe('A valid token is rejected', () => {
  it('after its session was signed out', async () => {
    const token = await world.issuer.accessToken(world.people.uri.sub)
    await whoIs(token)
    const expires_at = new Date(Date.now() + 3_600_000)
    await world.stage
      .insertInto('ended_tokens')
      .values({ token_hash: tokenHash(token), expires_at })
      .execute()
    await expect(whoIs(token)).rejects.toThrow('signed out')
  })

  it('if its person is disabled, or their tenant inactive or deleted', async () => {
    const { stage, people, issuer } = world
    const token = await issuer.accessToken(people.gina.sub)
    await whoIs(token)

    const person = (activation_status: string) =>
      stage.updateTable('users').set({ activation_status }).where('id', '=', people.gina.id).execute()
    await person('disabled')
    await expect(whoIs(token)).rejects.toThrow(UnauthorizedError)
    await person('active')

    const company = (change: object) =>
      stage.updateTable('tenants').set(change).where('id', '=', world.globex).execute()
    await company({ status: 'inactive' })
    await expect(whoIs(token)).rejects.toThrow(UnauthorizedError)
    await company({ status: 'active', deleted_on: new Date() })
    await expect(whoIs(token)).rejects.toThrow(UnauthorizedError)
    await company({ deleted_on: null })
    await whoIs(token)
  })

  it('if its tenant now uses another pool', async () => {
    const token = await world.issuer.accessToken(world.people.gina.sub)
    const use = (pool_id: string) =>
      world.stage.updateTable('tenants').set({ pool_id }).where('id', '=', world.globex).execute()
    await use('other')
    await expect(whoIs(token)).rejects.toThrow(UnauthorizedError)
    await use('foreign')
  })
})

describe('A second pool with its own keys', () => {
  let second: Awaited<ReturnType<typeof startIssuer>>
  /** A separate connection, since pools are cached per connection. */
  let anew: Kysely<DB>
  beforeAll(async () => {
    // Providers use the same key id: only the issuer tells their keys apart.
    second = await startIssuer('key-1')
    anew = connect(world.database.appUrl, { max: 2 })
    const { stage, issuer, acme, people } = world
    const pool = { kind: 'oidc', login_mode: 'redirect', name: 'Second' }
    await stage
      .insertInto('pools')
      .values([
        {
          ...pool,
          id: 'second',
          issuer: second.url,
          client_id: 'liftwell',
          settings: JSON.stringify(second.settings),
        },
        {
          ...pool,
          id: 'neighbor',
          issuer: issuer.url,
          client_id: 'neighbor',
          settings: JSON.stringify(issuer.settings),
        },
      ])
      .execute()
    const known = { tenant_id: acme, user_id: people.adam.id, issuer: second.url, subject: people.adam.sub }
    await stage.insertInto('user_identities').values(known).execute()
  })
  afterAll(() => Promise.all([second.stop(), anew.destroy()]))

  const ask = (token: string) => verifyBearer(anew, token)

  const use = (pool_id: string) =>
    world.stage.updateTable('tenants').set({ pool_id }).where('id', '=', world.acme).execute()

  it('issues valid tokens for a tenant that uses it, and the first pool no longer does', async () => {
    await use('second')
    const token = await second.accessToken(world.people.adam.sub)
    expect(await ask(token)).toMatchObject({ user_id: world.people.adam.id, pool_id: 'second' })
    await expect(ask(await world.issuer.accessToken(world.people.adam.sub))).rejects.toThrow(
      UnauthorizedError,
    )
    await use('foreign')
  })

  it.each<[string, (world: World) => Promise<string>]>([
    ['of the second pool, for a person known to both', ({ people }) => second.accessToken(people.adam.sub)],
    [
      'of the second pool, for a person known to the first only',
      ({ people }) => second.accessToken(people.uri.sub),
    ],
    [
      'signed by the second pool in the name of the first',
      ({ issuer, people }) => second.accessToken(people.adam.sub, { iss: issuer.url }),
    ],
    [
      'signed by the first pool in the name of the second',
      ({ issuer, people }) => issuer.accessToken(people.adam.sub, { iss: second.url }),
    ],
    [
      'for another client of the same provider',
      ({ issuer, people }) => issuer.accessToken(people.adam.sub, { client_id: 'neighbor', azp: 'neighbor' }),
    ],
    [
      'that names both clients',
      ({ issuer, people }) => issuer.accessToken(people.adam.sub, { client_id: 'neighbor', azp: 'liftwell' }),
    ],
  ])('does not open a tenant of the first pool with a token %s', async (_, forge) => {
    await ask(await world.issuer.accessToken(world.people.adam.sub))
    await expect(ask(await forge(world))).rejects.toThrow(UnauthorizedError)
  })
})

describe('Tenant headers', () => {
  const principalOf = async (name: keyof World['people']) =>
    whoIs(await world.issuer.accessToken(world.people[name].sub))

  it('select the tenant, sub-tenant and roles of the actor', async () => {
    const { acme, home, north, south } = world
    expect(toActor(await principalOf('adam'), { tenant_id: acme.toUpperCase() })).toMatchObject({
      tenant_id: acme,
      sub_tenant_id: null,
      roles: ['admin'],
      is_impersonating: false,
    })
    expect(toActor(await principalOf('adam'), { sub_tenant_id: north }).roles).toEqual(['admin'])
    expect(toActor(await principalOf('nora'), {}).roles).toEqual([])
    expect(toActor(await principalOf('nora'), { sub_tenant_id: north }).roles).toEqual(['admin'])
    expect(toActor(await principalOf('nora'), { sub_tenant_id: south }).roles).toEqual(['user'])
    expect(toActor(await principalOf('sofia'), {}).roles).toEqual(['super_admin'])
    expect(
      toActor(await principalOf('sofia'), { tenant_id: home, impersonate_tenant_id: acme }),
    ).toMatchObject({
      home_tenant_id: home,
      tenant_id: acme,
      roles: ['super_admin', 'admin'],
      is_impersonating: true,
    })
  })

  it('are not needed by a person with a role in only one sub-tenant', async () => {
    expect(toActor(await principalOf('solo'), {})).toMatchObject({
      sub_tenant_id: world.north,
      roles: ['author'],
    })
  })

  it('are refused with 403 if malformed or beyond the rights of the caller', async () => {
    const { acme, globex, home, south, east } = world
    const wrong: [keyof World['people'], Record<string, string>][] = [
      ['adam', { 'x-tenant-id': globex }],
      ['adam', { 'x-tenant-id': 'me' }],
      ['adam', { 'x-tenant-id': `${acme},${globex}` }],
      ['adam', { 'x-impersonate-tenant-id': globex }],
      ['adam', { 'x-impersonate-tenant-id': acme }],
      ['adam', { 'x-sub-tenant-id': 'north' }],
      ['adam', { 'x-sub-tenant-id': east }],
      ['solo', { 'x-sub-tenant-id': south }],
      ['nora', { 'x-sub-tenant-id': east }],
      ['sofia', { 'x-tenant-id': acme }],
      ['sofia', { 'x-tenant-id': acme, 'x-impersonate-tenant-id': acme }],
      ['sofia', { 'x-impersonate-tenant-id': home }],
      ['sofia', { 'x-impersonate-tenant-id': AUDIENCE }],
      ['sofia', { 'x-impersonate-tenant-id': '00000000-0000-4000-8000-000000000000' }],
      ['sofia', { 'x-impersonate-tenant-id': acme, 'x-sub-tenant-id': east }],
    ]
    for (const [who, headers] of wrong) {
      const token = await world.issuer.accessToken(world.people[who].sub)
      const answer = await createApi({ database: () => world.db }).request('/api/v1/users/me', {
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
      expect([who, headers, answer.status]).toEqual([who, headers, 403])
    }
  })
})

const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')

function claimsOf(iss: string, sub: string) {
  const now = Math.floor(Date.now() / 1000)
  return { iss, sub, aud: AUDIENCE, client_id: 'liftwell', token_use: 'access', iat: now, exp: now + 3600 }
}

async function signedByStranger({ issuer, people }: World, header: object = {}): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256')
  return new SignJWT(claimsOf(issuer.url, people.adam.sub))
    .setProtectedHeader({ alg: 'RS256', kid: 'key-1', ...header })
    .sign(privateKey)
}
