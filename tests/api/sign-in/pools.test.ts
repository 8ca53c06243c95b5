/** A tenant's sign-in, configured over the API, with a foreign provider. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { clientSecretOf, findPool, findPoolByEmail } from '#app/auth/pools/pools.server.ts'
import { CLIENT, type ForeignProvider, startForeignProvider } from '#tests/fakes/foreign-provider.ts'
import { createWorld, type World } from './auth-world.ts'

let world: World
let foreign: ForeignProvider
beforeAll(async () => {
  world = await createWorld()
  foreign = await startForeignProvider('http://localhost:3000')
  await world.stage
    .insertInto('pools')
    .values({
      id: 'default',
      name: 'Liftwell',
      kind: 'embedded',
      issuer: 'http://localhost:3000/idp/default',
      client_id: 'liftwell',
    })
    .execute()
})
afterAll(async () => {
  await foreign.stop()
  await world.close()
})

type Who = keyof World['people']
async function call(who: Who, method: string, path: string, body?: object, headers: object = {}) {
  const token = await world.issuer.accessToken(world.people[who].sub)
  const answer = await createApi({ database: () => world.db }).request(`/api/v1/tenants/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: await answer.json() }
}
const oidc = (more: object = {}) => ({
  kind: 'oidc',
  issuer: foreign.issuer,
  ...CLIENT,
  authorization_endpoint: `${foreign.issuer}/auth`,
  token_endpoint: `${foreign.issuer}/token`,
  jwks_uri: `${foreign.issuer}/jwks`,
  end_session_endpoint: `${foreign.issuer}/session/end`,
  revocation_endpoint: `${foreign.issuer}/token/revocation`,
  ...more,
})
const pool = () => `${world.globex}/pool`

describe('The pool of a tenant', () => {
  it('becomes the tenant’s own once changed, without an effect on other tenants', async () => {
    const { body: before } = await call('sofia', 'GET', pool())
    expect(before).toMatchObject({ id: 'foreign', has_client_secret: false })
    const changed = await call('sofia', 'PUT', pool(), oidc())
    expect(changed).toMatchObject({
      status: 200,
      body: { id: `tenant-${world.globex}`, kind: 'oidc', has_client_secret: true, issuer: foreign.issuer },
    })
    expect((await findPoolByEmail(world.db, 'gina@example.com'))?.issuer).toBe(foreign.issuer)
    expect((await findPoolByEmail(world.db, 'adam@example.com'))?.id).toBe('foreign')
  })

  it('is told to anyone by an address, as its provider names itself', async () => {
    const ask = async () => {
      const api = createApi({ database: () => world.db })
      return (await api.request('/api/v1/users/pool?email=gina@example.com')).json()
    }
    await call('sofia', 'PUT', pool(), oidc())
    const { client_id: userPoolWebClientId } = CLIENT
    expect(await ask()).toMatchObject({ userPoolId: foreign.issuer, userPoolWebClientId, kind: 'oidc' })
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Acme00000'
    const settings = { kind: 'cognito', login_mode: 'screens', issuer, client_id: 'acme' }
    expect((await call('sofia', 'PUT', pool(), settings)).status).toBe(200)
    const said = { userPoolId: 'eu-west-1_Acme00000', userPoolWebClientId: 'acme', kind: 'cognito' }
    expect(await ask()).toMatchObject(said)
  })

  it('seals its client secret, never returns it, and keeps it until it is removed', async () => {
    await call('sofia', 'PUT', pool(), oidc())
    const row = await findPool(world.db, `tenant-${world.globex}`)
    if (!row) throw new Error('There is no pool')
    expect(row.client_secret_sealed).not.toContain(CLIENT.client_secret)
    expect(clientSecretOf(row)).toBe(CLIENT.client_secret)
    const { client_secret: _, ...rest } = oidc()
    const answers = [await call('sofia', 'GET', pool()), await call('sofia', 'PUT', pool(), rest)]
    expect(JSON.stringify(answers)).not.toContain(CLIENT.client_secret)
    expect(JSON.stringify(answers)).not.toContain(row.client_secret_sealed)
    const kept = await findPool(world.db, row.id)
    expect(kept && clientSecretOf(kept)).toBe(CLIENT.client_secret)
    const removed = await call('sofia', 'PUT', pool(), oidc({ client_secret: null }))
    expect(removed.body.has_client_secret).toBe(false)
  })

  it('keeps rules for the sign-in screens only if those screens are ours', async () => {
    const rules = {
      initial_screen: 'forgotPassword',
      required_attributes: ['name', 'custom:team'],
      password_policy: {
        min_length: 12,
        require_lowercase: true,
        require_uppercase: false,
        require_numbers: true,
        require_special_characters: false,
      },
    }
    const cognito = {
      ...{ kind: 'cognito', login_mode: 'screens', client_id: 'client', allow_sign_up: true },
      issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc',
      ...{ ...rules, reveals_users: true },
    }
    const { body } = await call('sofia', 'PUT', pool(), cognito)
    // Whether unknown names are revealed is Cognito's own setting.
    expect(body).toMatchObject({ ...rules, allow_sign_up: true, reveals_users: false })
    expect((await call('sofia', 'GET', pool())).body).toEqual(body)
    const settings = (await findPool(world.db, `tenant-${world.globex}`))?.settings
    expect(settings).toMatchObject({ ...rules, sign_up: { tenant_id: world.globex } })

    const closed = await call('sofia', 'PUT', pool(), { ...cognito, allow_sign_up: false })
    expect(closed.body.allow_sign_up).toBe(false)
    const elsewhere = await call('sofia', 'PUT', pool(), oidc({ ...rules, allow_sign_up: true }))
    expect(elsewhere.body).toMatchObject({
      allow_sign_up: false,
      initial_screen: 'signIn',
      required_attributes: [],
      password_policy: { min_length: 8 },
    })
  })

  it('rejects an invalid minimum password length for our own provider, and unknown attributes', async () => {
    const short = { password_policy: { min_length: 6 } }
    const own = await call('sofia', 'PUT', pool(), { kind: 'embedded', is_shared: false, ...short })
    expect(own).toMatchObject({
      status: 422,
      body: { detail: { 'password_policy.min_length': ['Please enter at least 8'] } },
    })
    for (const min_length of [5, 100, 8.5, 'x'])
      expect(
        (await call('sofia', 'PUT', pool(), { kind: 'embedded', password_policy: { min_length } })).status,
      ).toBe(422)
    expect((await call('sofia', 'PUT', pool(), oidc({ required_attributes: ['shoe_size'] }))).status).toBe(
      422,
    )
  })

  it('remembers that the provider’s answers name their issuer, even while it is unavailable', async () => {
    await call('sofia', 'PUT', pool(), oidc())
    const promised = async () =>
      (await findPool(world.db, `tenant-${world.globex}`))?.settings
        .authorization_response_iss_parameter_supported
    expect(await promised()).toBe(true)
    const elsewhere = 'http://127.0.0.1:1'
    const addresses = {
      authorization_endpoint: `${elsewhere}/auth`,
      token_endpoint: `${elsewhere}/token`,
      jwks_uri: `${elsewhere}/jwks`,
    }
    await call('sofia', 'PUT', pool(), oidc({ issuer: elsewhere, ...addresses }))
    expect(await promised()).toBeUndefined()
    const { rows } = await sql<{ id: string }>`update pools set settings = settings ||
      '{"authorization_response_iss_parameter_supported": true}' where issuer = ${elsewhere} returning id`.execute(
      world.stage,
    )
    expect(rows).toHaveLength(1)
    await call('sofia', 'PUT', pool(), oidc({ issuer: elsewhere, ...addresses, audience: 'other' }))
    expect(await promised()).toBe(true)
  })

  it('is not replaced by somebody who read an older one, unless it is just what they wish', async () => {
    const { version } = (await call('sofia', 'GET', pool())).body
    const { client_secret: _, ...wish } = oidc({ audience: 'theirs', version })
    const saved = await call('sofia', 'PUT', pool(), wish)
    expect([saved.status, saved.body.version === version]).toEqual([200, false])
    expect(await call('sofia', 'PUT', pool(), wish)).toMatchObject({ status: 200 })
    const domains = await call('sofia', 'PUT', pool(), { ...wish, domains: ['late.test'] })
    expect(domains).toMatchObject({ status: 409, body: { current: { audience: 'theirs', domains: [] } } })
    const secret = await call('sofia', 'PUT', pool(), { ...wish, client_secret: 'another' })
    expect([secret.status, JSON.stringify(secret.body)]).toEqual([
      409,
      expect.not.stringContaining('another'),
    ])
    const both = await Promise.all(
      ['one', 'two'].map((audience) =>
        call('sofia', 'PUT', pool(), { ...wish, audience, version: saved.body.version }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('has its changes in the audit log, without the client secret', async () => {
    await call('sofia', 'PUT', pool(), oidc())
    const { rows } = await world.stage
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'tenant.pool_updated')
      .orderBy('id', 'desc')
      .execute()
      .then((rows) => ({ rows }))
    expect(rows[0]).toMatchObject({ tenant_id: world.globex, actor_email: 'sofia@example.com' })
    expect(rows[0]?.changes).toMatchObject({ client_secret: 'new' })
    expect(rows.map(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ issuer: { before: expect.any(String), after: foreign.issuer } }),
    )
    expect(JSON.stringify(rows)).not.toContain(CLIENT.client_secret)
  })

  it('ends sessions when its client changes, and can go back to the shared pool', async () => {
    const session = () =>
      world.stage
        .insertInto('sessions')
        .values({
          tenant_id: world.globex,
          user_id: world.people.gina.id,
          id_hash: Buffer.from(String(Math.random())),
          pool_id: `tenant-${world.globex}`,
          tokens_sealed: '',
          access_expires_at: new Date(),
          expires_at: new Date(Date.now() + 10_000),
        })
        .execute()
    const count = async () => (await world.stage.selectFrom('sessions').select('user_id').execute()).length
    await call('sofia', 'PUT', pool(), oidc())
    await session()
    await call('sofia', 'PUT', pool(), oidc({ scopes: ['openid', 'email'] }))
    expect(await count()).toBe(1)
    await call('sofia', 'PUT', pool(), oidc({ client_id: 'another' }))
    expect(await count()).toBe(0)
    const back = await call('sofia', 'PUT', pool(), { kind: 'embedded' })
    expect(back.body).toMatchObject({ id: 'default', kind: 'embedded', issuer: '', client_id: '' })
    expect((await findPoolByEmail(world.db, 'gina@example.com'))?.id).toBe('default')
    await world.stage
      .updateTable('tenants')
      .set({ pool_id: 'foreign' })
      .where('id', '=', world.globex)
      .execute()
  })

  it('is open only to super admins outside a tenant, and not for the operator’s tenant', async () => {
    for (const method of ['GET', 'PUT', 'POST'] as const) {
      const path = method === 'POST' ? `${pool()}/test` : pool()
      const body = method === 'GET' ? undefined : oidc()
      expect((await call('adam', method, path, body)).status).toBe(403)
      expect((await call('gina', method, path, body)).status).toBe(403)
      expect((await call('sofia', method, path.replace(world.globex, world.home), body)).status).toBe(403)
      expect((await call('sofia', method, path.replace(/^[\w-]+/, crypto.randomUUID()), body)).status).toBe(
        404,
      )
      const inside = { 'x-impersonate-tenant-id': world.globex }
      expect((await call('sofia', method, path, body, inside)).status).toBe(403)
    }
  })

  it('is refused with wrong or missing fields, and names the missing ones', async () => {
    const { authorization_endpoint: _, jwks_uri: __, ...incomplete } = oidc()
    const required = ['This field is required']
    expect((await call('sofia', 'PUT', pool(), incomplete)).body.detail).toEqual({
      authorization_endpoint: required,
      jwks_uri: required,
    })
    expect((await call('sofia', 'PUT', pool(), { kind: 'cognito' })).body.detail).toEqual({
      issuer: required,
      client_id: required,
    })
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc'
    const amazon = { kind: 'cognito', issuer, client_id: 'client' }
    // At Amazon, the pages to which people leave are on a domain of their own.
    for (const leads of [{}, { login_mode: 'screens', social_providers: ['Google'] }]) {
      const without = await call('sofia', 'PUT', pool(), { ...amazon, ...leads })
      expect(without.body.detail).toEqual({ domain: required })
      const domain = 'https://acme.auth.eu-west-1.amazoncognito.com'
      expect((await call('sofia', 'PUT', pool(), { ...amazon, ...leads, domain })).status).toBe(200)
    }
    for (const wrong of [
      { issuer: 'javascript:alert(1)' },
      { issuer: `${foreign.issuer}?x=1` },
      { issuer: 'http://localhost:3000/idp/default' },
      { token_endpoint: 'file:///etc/passwd' },
      { scopes: ['two words'] },
      { social_providers: ['Nobody'] },
      { is_default: true },
      { kind: 'saml' },
    ])
      expect((await call('sofia', 'PUT', pool(), oidc(wrong))).status).toBe(422)
  })
})

describe('A test of a pool', () => {
  const test = async (body: object) => (await call('sofia', 'POST', `${pool()}/test`, body)).body
  const wrongOf = (report: { checks: { ok: boolean; text: string }[] }) =>
    report.checks.filter(({ ok }) => !ok).map(({ text }) => text)

  it('reports success, and what the provider publishes about itself', async () => {
    const report = await test({ kind: 'oidc', issuer: foreign.issuer, ...CLIENT })
    expect(wrongOf(report)).toEqual([])
    expect(report.ok).toBe(true)
    expect(report.discovered).toEqual({
      issuer: foreign.issuer,
      authorization_endpoint: `${foreign.issuer}/auth`,
      token_endpoint: `${foreign.issuer}/token`,
      revocation_endpoint: `${foreign.issuer}/token/revocation`,
      end_session_endpoint: `${foreign.issuer}/session/end`,
      jwks_uri: `${foreign.issuer}/jwks`,
      token_auth_method: 'client_secret_basic',
    })
  })

  it('says in plain words what is wrong', async () => {
    for (const [change, words] of [
      [{ issuer: 'http://localhost:1' }, 'localhost:1 does not answer: the connection was refused.'],
      [{ issuer: 'nonsense' }, 'The issuer is not an address'],
      [{ issuer: `${foreign.issuer}/other` }, 'The issuer does not describe itself'],
      [{ issuer: `${foreign.issuer}/` }, `It calls itself ${foreign.issuer}`],
      [{ client_secret: 'wrong' }, 'the client secret is another one'],
      [{ client_id: 'nobody' }, 'It does not know the client ID'],
      [{ jwks_uri: `${foreign.issuer}/nothing` }, 'Its keys cannot be read'],
      [{ token_endpoint: `${foreign.issuer}/jwks` }, 'Its token endpoint answers'],
      [{ client_id: '' }, 'still missing'],
    ] as const) {
      const report = await test(oidc(change))
      expect(report.ok).toBe(false)
      expect(wrongOf(report).join('\n')).toContain(words)
    }
  })

  it('uses the stored client secret if none is typed', async () => {
    await call('sofia', 'PUT', pool(), oidc())
    const { client_secret: _, ...rest } = oidc()
    expect((await test(rest)).ok).toBe(true)
    await world.stage
      .updateTable('tenants')
      .set({ pool_id: 'foreign' })
      .where('id', '=', world.globex)
      .execute()
    expect((await test(rest)).ok).toBe(true)
  })

  it('does not change the pool', async () => {
    const before = await call('sofia', 'GET', pool())
    await test(oidc({ client_id: 'tried-only' }))
    expect(await call('sofia', 'GET', pool())).toEqual(before)
  })
})

describe('The e-mail domains of a company', () => {
  const put = (domains: string[]) => call('sofia', 'PUT', pool(), oidc({ domains }))
  const lead = async (email: string) => (await findPoolByEmail(world.db, email))?.id
  const own = () => `tenant-${world.globex}`

  it('lead all their addresses, known or not, to the company’s sign-in', async () => {
    expect((await put(['Globex.example ', '@exämple.de'])).body.domains).toEqual([
      'globex.example',
      'xn--exmple-cua.de',
    ])
    await world.stage
      .updateTable('users')
      .set({ email: 'gina@globex.example' })
      .where('id', '=', world.people.gina.id)
      .execute()
    for (const email of ['gina@globex.example', 'nobody@GLOBEX.example', 'nobody@xn--exmple-cua.de'])
      expect(await lead(email)).toBe(own())
    for (const email of ['nobody@elsewhere.example', 'x@sub.globex.example', 'globex.example@evil.example'])
      expect(await lead(email)).toBe('foreign')
    expect((await put([])).body.domains).toEqual([])
    expect(await lead('nobody@globex.example')).toBe('foreign')
  })

  it('belong to one company, whose people alone can have such addresses', async () => {
    await put(['globex.example'])
    const acme = (domains: string[]) => call('sofia', 'PUT', `${world.acme}/pool`, oidc({ domains }))
    expect(await acme(['globex.example'])).toMatchObject({
      status: 409,
      body: { detail: { domains: ['globex.example belongs to another company already.'] } },
    })
    // Adam and others of Acme have such addresses, and so has Sofia.
    const taken = await put(['globex.example', 'example.com'])
    expect(taken.status).toBe(422)
    expect(taken.body.detail.domains[0]).toMatch(/^\d people in other companies already use addresses at/)
    const insert = (tenant_id: string, email: string) =>
      world.stage.insertInto('users').values({ tenant_id, email }).execute()
    await expect(insert(world.acme, 'intruder@globex.example')).rejects.toThrow('another company')
    await expect(insert(world.globex, 'newcomer@globex.example')).resolves.toBeDefined()
  })

  it('are refused if they are a public mail provider’s or not valid domains', async () => {
    for (const domain of [
      'gmail.com',
      'GMX.de',
      'localhost',
      'a b.example',
      'x@y.example',
      '-a.example',
      '1.2.3.4',
    ])
      expect((await put([domain])).status).toBe(422)
    expect(JSON.stringify((await put(['gmail.com'])).body)).toContain('Anyone can have an address there')
  })
})
