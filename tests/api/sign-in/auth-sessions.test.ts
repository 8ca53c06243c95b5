import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toActor } from '#app/auth/actor.server.ts'
import { findPrincipal, verifyBearer } from '#app/auth/bearer.server.ts'
import { findPool } from '#app/auth/pools/pools.server.ts'
import { UnauthorizedError } from '#app/auth/principal.ts'
import { seal, setSecret, unseal } from '#app/auth/seal.server.ts'
import {
  enterSubTenant,
  impersonate,
  leaveSubTenant,
  stopImpersonating,
} from '#app/auth/sessions/move-session.server.ts'
import { endOtherSessions } from '#app/auth/sessions/session-list.server.ts'
import type { Session } from '#app/auth/sessions/session-store.server.ts'
import { createSession, endSession, findSession } from '#app/auth/sessions/sessions.server.ts'
import { signOut } from '#app/auth/sign-out.server.ts'
import { findVisit } from '#app/auth/visit.server.ts'
import { Refusal } from '#app/domain/errors.ts'
import { inScope } from '#app/domain/scope/scope.server.ts'
import { endVisits } from '#app/jobs/people/end-visits.server.ts'
import { openAnotherProcess } from './another-process.ts'
import { countSessions, createWorld, requestWith, SECRET, type World } from './auth-world.ts'

let world: World
let other: Awaited<ReturnType<typeof openAnotherProcess>>
beforeAll(async () => {
  world = await createWorld()
  other = await openAnotherProcess({ url: world.database.appUrl, secret: SECRET })
})
afterAll(async () => {
  await other?.close()
  await world?.close()
})

type Who = keyof World['people']

async function signIn(
  who: Who,
  more: { remember?: boolean; access_expires_at?: Date } = {},
): Promise<string> {
  const { db, issuer, people } = world
  const pool = await findPool(db, 'foreign')
  const principal = pool && (await findPrincipal(db, pool, people[who].sub))
  if (!principal) throw new Error(`${who} is not known`)
  const tokens = {
    access_token: await issuer.accessToken(people[who].sub),
    refresh_token: `refresh of ${who}`,
    id_token: await issuer.idToken(people[who].sub),
  }
  const session = {
    pool_id: 'foreign',
    tokens,
    access_expires_at: new Date(Date.now() + 3_600_000),
    remember: false,
    user_agent: 'test',
    ...more,
  }
  return createSession(principal, session, db)
}

const find = (cookie: string) => findSession(requestWith([cookie]), world.db)
const visit = (cookie: string) => findVisit(requestWith([cookie]), world.db)
async function sessionOf(cookie: string): Promise<Session> {
  const session = await find(cookie)
  if (!session) throw new Error('There is no session')
  return session
}
const change = (table: 'users' | 'tenants' | 'sub_tenants', id: number | string, values: object) =>
  world.stage
    .updateTable(table)
    .set(values)
    .where('id', '=', id as never)
    .execute()

describe('A session', () => {
  it('is a random value in an HttpOnly, Secure, SameSite=Lax cookie', async () => {
    const cookie = await signIn('adam')
    expect(cookie).toMatch(/^__Host-liftwell=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const values = new Set<string>()
    for (let i = 0; i < 20; i++) values.add(await signIn('adam'))
    expect(values.size).toBe(20)
  })

  it('lasts 30 days if remembered, otherwise 12 hours', async () => {
    const remembered = await signIn('adam', { remember: true })
    expect(remembered).toMatch(/Max-Age=2592000$|Max-Age=2591999$/)
    const days = ((await sessionOf(remembered)).expires_at.getTime() - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 2)
    const hours = ((await sessionOf(await signIn('adam'))).expires_at.getTime() - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(12, 2)
  })

  it('is found with its person and their roles', async () => {
    const session = await sessionOf(await signIn('nora'))
    expect(session).toMatchObject({
      pool_id: 'foreign',
      remember: false,
      refresh_token: 'refresh of nora',
      impersonated_tenant_id: null,
      sub_tenant_id: null,
      principal: { email: 'nora@example.com', tenant_id: world.acme, activation_status: 'active' },
    })
    expect(session.principal.roles).toHaveLength(2)
  })

  it('is stored without its cookie value, and without readable tokens', async () => {
    const cookie = await signIn('adam')
    const value = cookie.slice('__Host-liftwell='.length).split(';')[0] ?? ''
    const rows = await world.stage.selectFrom('sessions').selectAll().execute()
    const text = JSON.stringify(rows)
    expect(text.includes(value)).toBe(false)
    expect(text.includes('refresh of adam')).toBe(false)
    expect(text.includes('eyJhbGciOi')).toBe(false)
  })

  it('is not found by a tampered, truncated, doubled or renamed cookie', async () => {
    const cookie = (await signIn('adam')).split(';')[0] ?? ''
    const [name = '', value = ''] = cookie.split('=')
    const flip = (at: number) => `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`
    const wrong = [
      ...Array.from({ length: 43 }, (_, at) => flip(at)),
      ...[0, 1, 20, 42].map((length) => value.slice(0, length)),
      `${value}A`,
      `${value}=`,
      '../../etc/passwd',
      "' or 1=1 --",
      '%00',
      '%E0%A4%A',
      'null',
    ]
    for (const one of wrong) expect([one, await find(`${name}=${one}`)]).toEqual([one, null])
    expect(await findSession(requestWith([cookie, `${name}=${flip(3)}`]), world.db)).toBeNull()
    expect(await find(`__Host-LIFTWELL=${value}`)).toBeNull()
    expect(await find(cookie)).not.toBeNull()
  })

  it('ends when it expires', async () => {
    const cookie = await signIn('adam')
    const { id_hash } = await sessionOf(cookie)
    const expires_at = new Date(Date.now() - 1000)
    await world.stage.updateTable('sessions').set({ expires_at }).where('id_hash', '=', id_hash).execute()
    expect(await visit(cookie)).toMatchObject({ kind: 'stranger', ended: null })
  })

  it('is invalid under another app secret, or with the sealed tokens of another session', async () => {
    const [mine, other] = [await signIn('adam'), await signIn('uri')]
    setSecret('another-secret-of-at-least-32-characters')
    expect(await find(mine)).toBeNull()
    setSecret(SECRET)
    const { tokens_sealed } = await world.stage
      .selectFrom('sessions')
      .select('tokens_sealed')
      .where('id_hash', '=', (await sessionOf(other)).id_hash)
      .executeTakeFirstOrThrow()
    await world.stage
      .updateTable('sessions')
      .set({ tokens_sealed })
      .where('id_hash', '=', (await sessionOf(mine)).id_hash)
      .execute()
    expect(await find(mine)).toBeNull()
  })

  it('ends together with its access token', async () => {
    const cookie = await signIn('adam')
    const session = await sessionOf(cookie)
    await verifyBearer(world.db, session.access_token)
    expect(await endSession(session, world.db)).toMatch(/^__Host-liftwell=; .*Max-Age=0$/)
    expect(await find(cookie)).toBeNull()
    await expect(verifyBearer(world.db, session.access_token)).rejects.toThrow(UnauthorizedError)
  })

  it('stays when its person ends their other sessions, and so do the sessions of other people', async () => {
    const [kept, other, stranger] = [await signIn('uri'), await signIn('uri'), await signIn('adam')]
    const { principal, access_token } = await sessionOf(kept)
    await inScope(world.db, toActor(principal, {}), (scope) => endOtherSessions(scope, access_token))
    expect(await find(kept)).not.toBeNull()
    expect(await find(other)).toBeNull()
    expect(await find(stranger)).not.toBeNull()
  })

  it('ends when its person is disabled, as do tokens that no session holds', async () => {
    const { db, stage, people } = world
    const cookie = await signIn('uri')
    const earlier = { iat: world.issuer.now() - 60 }
    const elsewhere = await world.issuer.accessToken(people.uri.sub, earlier)
    expect((await verifyBearer(db, elsewhere)).email).toBe('uri@example.com')
    await change('users', people.uri.id, { activation_status: 'disabled' })
    await change('users', people.uri.id, { activation_status: 'active' })
    expect(await find(cookie)).toBeNull()
    await expect(verifyBearer(db, elsewhere)).rejects.toThrow('signed out')
    expect((await verifyBearer(db, await world.issuer.accessToken(people.uri.sub))).email).toBe(
      'uri@example.com',
    )
    await stage
      .updateTable('user_identities')
      .set({ valid_after: new Date(0) })
      .execute()
  })

  it('ends when the tenant changes to another pool', async () => {
    const cookie = await signIn('gina')
    await change('tenants', world.globex, { pool_id: 'other' })
    expect(await visit(cookie)).toMatchObject({ kind: 'stranger', ended: null })
    await change('tenants', world.globex, { pool_id: 'foreign' })
    expect(await find(cookie)).toBeNull()
  })

  it('records when it was last seen at most once a minute', async () => {
    const cookie = await signIn('adam')
    const { id_hash } = await sessionOf(cookie)
    const seen = async () => (await sessionOf(cookie)).last_seen_on.getTime()
    const { id } = world.people.adam
    const person = async () =>
      (await world.stage.selectFrom('users').select('last_seen_on').where('id', '=', id).execute())[0]
    expect((await person())?.last_seen_on?.getTime()).toBeGreaterThan(Date.now() - 10_000)
    const first = await seen()
    await visit(cookie)
    expect(await seen()).toBe(first)
    const last_seen_on = new Date(Date.now() - 61_000)
    await world.stage.updateTable('sessions').set({ last_seen_on }).where('id_hash', '=', id_hash).execute()
    await visit(cookie)
    await expect.poll(seen).toBeGreaterThanOrEqual(first)
  })
})

describe('Sealing', () => {
  it('opens a sealed value only if it is unchanged and for the same context', () => {
    const sealed = seal('a secret', 'pool:a')
    expect(unseal(sealed, 'pool:a')).toBe('a secret')
    expect(seal('a secret', 'pool:a')).not.toBe(sealed)
    expect(() => unseal(sealed, 'pool:b')).toThrow()
    for (let at = 3; at < sealed.length - 1; at++) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
      expect(() => unseal(changed, 'pool:a')).toThrow()
    }
    for (const wrong of ['', 'v1.', 'v2.abc', sealed.slice(0, 20), sealed.slice(3)])
      expect(() => unseal(wrong, 'pool:a')).toThrow()
  })
})

describe('A signed-in person', () => {
  it('is signed out at the next request once they are disabled or their tenant is inactive', async () => {
    for (const [table, id, off, on] of [
      ['users', world.people.gina.id, { activation_status: 'disabled' }, { activation_status: 'active' }],
      ['tenants', world.globex, { status: 'inactive' }, { status: 'active' }],
    ] as const) {
      const cookie = await signIn('gina')
      const { access_token } = await sessionOf(cookie)
      expect(await visit(cookie)).toMatchObject({ kind: 'visitor' })
      await change(table, id, off)
      expect(await visit(cookie)).toEqual({
        kind: 'stranger',
        ended: table === 'tenants' ? 'tenant_inactive' : 'account_disabled',
        cookies: [expect.stringMatching(/^__Host-liftwell=; .*Max-Age=0$/)],
      })
      await change(table, id, on)
      expect(await visit(cookie)).toMatchObject({ kind: 'stranger', ended: null })
      await expect(verifyBearer(world.db, access_token)).rejects.toThrow(UnauthorizedError)
    }
  })

  it('acts with their roles in the selected sub-tenant', async () => {
    const cookie = await signIn('nora')
    expect(await visit(cookie)).toMatchObject({ should_enter_subtenant: true, actor: { roles: [] } })
    const north = await enterSubTenant(await sessionOf(cookie), world.north, world.db)
    expect(await find(cookie)).toBeNull()
    expect(await visit(north)).toMatchObject({
      should_enter_subtenant: false,
      actor: { sub_tenant_id: world.north, roles: ['admin'] },
    })
    const left = await leaveSubTenant(await sessionOf(north), world.db)
    expect(await visit(left)).toMatchObject({ should_enter_subtenant: true, actor: { sub_tenant_id: null } })
  })

  it('cannot enter a sub-tenant that is not theirs, is inactive or does not exist', async () => {
    const refused = async (who: Who, id: string) =>
      expect(enterSubTenant(await sessionOf(await signIn(who)), id, world.db)).rejects.toThrow(Refusal)
    await refused('nora', world.east)
    await refused('adam', world.east)
    await refused('adam', '00000000-0000-4000-8000-000000000000')
    await refused('solo', world.south)
    await change('sub_tenants', world.south, { status: 'inactive' })
    await refused('adam', world.south)
    await refused('nora', world.south)
    await change('sub_tenants', world.south, { status: 'active' })
  })

  it('with one sub-tenant starts in it, cannot leave it, and is signed out when it becomes inactive', async () => {
    const cookie = await signIn('solo')
    expect(await visit(cookie)).toMatchObject({ actor: { sub_tenant_id: world.north, roles: ['author'] } })
    await expect(leaveSubTenant(await sessionOf(cookie), world.db)).rejects.toThrow(Refusal)
    await change('sub_tenants', world.north, { status: 'inactive' })
    expect(await visit(cookie)).toMatchObject({ kind: 'stranger', ended: 'sub_tenant_inactive' })
    await change('sub_tenants', world.north, { status: 'active' })
  })

  it('is moved out of the selected sub-tenant when it becomes inactive', async () => {
    const enter = async (who: Who, id: string) =>
      enterSubTenant(await sessionOf(await signIn(who)), id, world.db)
    const [adam, nora] = [await enter('adam', world.south), await enter('nora', world.south)]
    await change('sub_tenants', world.south, { status: 'inactive' })
    expect(await visit(adam)).toEqual({ kind: 'moved', to: '/' })
    expect(await visit(nora)).toEqual({ kind: 'moved', to: '/subtenants' })
    expect(await visit(adam)).toMatchObject({ kind: 'visitor', actor: { sub_tenant_id: null } })
    await change('sub_tenants', world.south, { status: 'active' })
  })

  it('is moved out of the selected sub-tenant when their role in it is taken away', async () => {
    for (const [who, left] of [
      ['nora', { sub_tenant_id: world.north, roles: ['admin'] }],
      ['adam', { sub_tenant_id: null, roles: [] }],
    ] as const) {
      const cookie = await enterSubTenant(await sessionOf(await signIn(who)), world.south, world.db)
      expect(await visit(cookie)).toMatchObject({ actor: { sub_tenant_id: world.south } })
      const taken = await world.stage
        .deleteFrom('user_general_roles')
        .where('user_id', '=', world.people[who].id)
        .where((eb) => eb.or([eb('sub_tenant_id', 'is', null), eb('sub_tenant_id', '=', world.south)]))
        .returning(['tenant_id', 'user_id', 'sub_tenant_id', 'role'])
        .execute()
      expect(await visit(cookie)).toMatchObject({ kind: 'moved' })
      expect(await visit(cookie)).toMatchObject({ kind: 'visitor', actor: left })
      await world.stage.insertInto('user_general_roles').values(taken).execute()
    }
  })
})

describe('A super admin', () => {
  const sofia = (): number => world.people.sofia.id
  const age = (session: Session, more: object): Promise<unknown> =>
    world.stage.updateTable('sessions').set(more).where('id_hash', '=', session.id_hash).execute()

  it('gets a new session id on entering a tenant, acts in it as admin, and another id on leaving', async () => {
    const { acme, home, north, db } = world
    const cookie = await signIn('sofia')
    const inside = await impersonate(await sessionOf(cookie), acme, { reason: 'Helping' }, db)
    expect(await find(cookie)).toBeNull()
    expect(await visit(inside)).toMatchObject({
      actor: {
        home_tenant_id: home,
        tenant_id: acme,
        is_impersonating: true,
        roles: ['super_admin', 'admin'],
      },
    })
    const deeper = await enterSubTenant(await sessionOf(inside), north, db)
    expect(await visit(deeper)).toMatchObject({ actor: { tenant_id: acme, sub_tenant_id: north } })
    const back = await stopImpersonating(await sessionOf(deeper), db)
    expect(await find(deeper)).toBeNull()
    expect(await visit(back)).toMatchObject({
      actor: { tenant_id: home, sub_tenant_id: null, is_impersonating: false, roles: ['super_admin'] },
    })
  })

  it('stays signed in with the old cookie, in any process, if the answer with the new one was lost', async () => {
    const { acme, home, db } = world
    const cookie = await signIn('sofia')
    const inside = await impersonate(await sessionOf(cookie), acme, {}, db)
    expect(await visit(cookie)).toMatchObject({ actor: { tenant_id: acme }, keeps: [inside] })
    const back = await stopImpersonating(await sessionOf(inside), db)
    for (const lost of [cookie, inside])
      expect(await visit(lost)).toMatchObject({ actor: { tenant_id: home }, keeps: [back] })
    for (const lost of [cookie, inside])
      expect(await other.ask('findVisit', lost)).toMatchObject({ actor: { tenant_id: home }, keeps: [back] })
    await endSession(await sessionOf(back), db)
    for (const over of [cookie, inside, back]) expect(await visit(over)).toMatchObject({ kind: 'stranger' })
  })

  it('stays signed in with the old cookie for ten seconds at most', async () => {
    const { acme, db, stage } = world
    const cookie = await signIn('sofia')
    await impersonate(await sessionOf(cookie), acme, {}, db)
    const ways = await stage
      .selectFrom('ended_sessions')
      .select('expires_at')
      .where('leads_on_sealed', 'is not', null)
      .execute()
    for (const { expires_at } of ways) expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(10_000)
    await stage.updateTable('ended_sessions').set({ expires_at: new Date() }).execute()
    expect(await visit(cookie)).toMatchObject({ kind: 'stranger' })
  })

  it('enters a tenant once, even if the button is pressed three times', async () => {
    const { acme, db } = world
    const session = await sessionOf(await signIn('sofia'))
    const entering = await Promise.allSettled([1, 2, 3].map(() => impersonate(session, acme, {}, db)))
    expect(entering.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of entering)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 302 })
  })

  it('can enter a sub-tenant directly, but only one of the chosen tenant', async () => {
    const { acme, north, east, db } = world
    const cookie = await signIn('sofia')
    const enter = async (sub_tenant_id: string) =>
      impersonate(await sessionOf(cookie), acme, { sub_tenant_id }, db)
    await expect(enter(east)).rejects.toThrow(Refusal)
    expect(await visit(await enter(north))).toMatchObject({
      actor: { tenant_id: acme, sub_tenant_id: north },
    })
  })

  it('leaves start, reason and end of an impersonation in the tenant’s audit log', async () => {
    const { acme, stage, people, db } = world
    await stage.deleteFrom('audit_events').execute()
    const inside = await impersonate(await sessionOf(await signIn('sofia')), acme, { reason: 'Help' }, db)
    await stopImpersonating(await sessionOf(inside), db)
    const events = await stage.selectFrom('audit_events').selectAll().orderBy('id').execute()
    expect(events.map(({ action, tenant_id }) => [action, tenant_id])).toEqual([
      ['user.signed_in', world.home],
      ['impersonation.started', acme],
      ['impersonation.ended', acme],
    ])
    expect(events[1]).toMatchObject({
      actor_id: people.sofia.id,
      on_behalf_of: acme,
      changes: { reason: 'Help', ends_at: expect.any(String) },
    })
  })

  it.each([
    ['logs out', async (session: Session) => void (await endSession(session, world.db))],
    [
      'ends their other sessions from another one',
      ({ principal }: Session) =>
        inScope(world.db, toActor(principal, {}), (scope) => endOtherSessions(scope, 'another token')),
    ],
    ['is disabled', () => change('users', sofia(), { activation_status: 'disabled' })],
    [
      'lets the session expire',
      (session: Session) => age(session, { expires_at: new Date(Date.now() - 1000) }),
    ],
    [
      'stays longer than allowed',
      (session: Session) => age(session, { impersonation_ends_at: new Date(Date.now() - 1000) }),
    ],
  ] as [string, (session: Session) => Promise<unknown>][])(
    'who %s leaves one end of the impersonation in the tenant’s audit log',
    async (_, end) => {
      const { acme, stage, db } = world
      await stage.deleteFrom('sessions').execute()
      const session = await sessionOf(await impersonate(await sessionOf(await signIn('sofia')), acme, {}, db))
      await stage.deleteFrom('audit_events').execute()
      await end(session)
      await endVisits({ database: world.database.worker })
      await endVisits({ database: world.database.worker })
      await change('users', sofia(), { activation_status: 'active' })
      const events = await stage
        .selectFrom('audit_events')
        .selectAll()
        .where('tenant_id', '=', acme)
        .execute()
      expect(events).toMatchObject([
        {
          action: 'impersonation.ended',
          actor_id: sofia(),
          on_behalf_of: acme,
          actor_email: expect.any(String),
        },
      ])
    },
  )

  it('alone can enter a tenant, which has to be active and not the operator’s', async () => {
    const { acme, home, globex, db } = world
    for (const who of ['adam', 'nora', 'uri'] as const)
      await expect(impersonate(await sessionOf(await signIn(who)), globex, {}, db)).rejects.toThrow(Refusal)
    const sofia = await sessionOf(await signIn('sofia'))
    await expect(impersonate(sofia, home, {}, db)).rejects.toThrow(Refusal)
    await change('tenants', globex, { status: 'inactive' })
    await expect(impersonate(sofia, globex, {}, db)).rejects.toThrow(Refusal)
    await change('tenants', globex, { status: 'active' })
    const inside = await sessionOf(await impersonate(sofia, acme, {}, db))
    await expect(enterSubTenant(inside, world.east, db)).rejects.toThrow(Refusal)
  })

  it('is moved out of a tenant when it becomes inactive, the time is up or the role is lost', async () => {
    const { acme, db, stage, people } = world
    const enter = async () => impersonate(await sessionOf(await signIn('sofia')), acme, {}, db)
    const home = { kind: 'visitor', actor: { is_impersonating: false } }

    const closed = await enter()
    await change('tenants', acme, { status: 'inactive' })
    expect(await visit(closed)).toEqual({ kind: 'moved', to: '/tenants' })
    await change('tenants', acme, { status: 'active' })
    expect(await visit(closed)).toMatchObject(home)

    const late = await enter()
    await stage
      .updateTable('sessions')
      .set({ impersonation_ends_at: new Date(Date.now() - 1000) })
      .where('id_hash', '=', (await sessionOf(late)).id_hash)
      .execute()
    expect(await visit(late)).toEqual({ kind: 'moved', to: '/tenants' })
    expect(await visit(late)).toMatchObject(home)

    const demoted = await enter()
    await change('users', people.sofia.id, { is_super_admin: false })
    expect(await visit(demoted)).toEqual({ kind: 'moved', to: '/tenants' })
    await change('users', people.sofia.id, { is_super_admin: true })
  })
})

describe('Fresh tokens', () => {
  const due = { access_expires_at: new Date(Date.now() - 1000) }
  const grant = async (sub: string, more: object = {}) => ({
    status: 200,
    body: {
      access_token: await world.issuer.accessToken(sub),
      refresh_token: 'the next one',
      id_token: await world.issuer.idToken(sub),
      token_type: 'Bearer',
      expires_in: 3600,
      ...more,
    },
  })
  const asked = () => world.issuer.calls.filter(({ path }) => path === '/token')

  it('are requested once for 20 parallel loaders, without scopes', async () => {
    const { issuer, people } = world
    const cookie = await signIn('adam', due)
    issuer.token.answer = async () => ({ ...(await grant(people.adam.sub)), delay: 150 })
    issuer.calls.length = 0
    const visits = await Promise.all(Array.from({ length: 20 }, () => visit(cookie)))
    expect(asked()).toHaveLength(1)
    expect(Object.fromEntries(asked()[0]?.body ?? [])).toEqual({
      client_id: 'liftwell',
      grant_type: 'refresh_token',
      refresh_token: 'refresh of adam',
    })
    const tokens = new Set(visits.map((one) => one.kind === 'visitor' && one.session.access_token))
    expect(tokens.size).toBe(1)
    expect(await sessionOf(cookie)).toMatchObject({ refresh_token: 'the next one' })
  })

  it('are requested once by two processes', async () => {
    const { issuer, people } = world
    const cookie = await signIn('adam', due)
    issuer.token.answer = async () => ({ ...(await grant(people.adam.sub)), delay: 150 })
    issuer.calls.length = 0
    const [mine, theirs] = await Promise.all([visit(cookie), other.ask('findVisit', cookie)])
    expect(asked()).toHaveLength(1)
    expect(mine).toMatchObject({ kind: 'visitor', session: { refresh_token: 'the next one' } })
    expect(theirs).toMatchObject({ kind: 'visitor', session: { refresh_token: 'the next one' } })
  })

  it('are requested after 50 minutes, and not after 49', async () => {
    const { issuer, people, stage } = world
    const cookie = await signIn('adam')
    const aged = async (minutes: number) =>
      stage
        .updateTable('sessions')
        .set({ refreshed_at: new Date(Date.now() - minutes * 60_000) })
        .where('id_hash', '=', (await sessionOf(cookie)).id_hash)
        .execute()
    issuer.token.answer = () => grant(people.adam.sub)
    issuer.calls.length = 0
    await aged(49)
    await visit(cookie)
    expect(asked()).toHaveLength(0)
    await aged(50)
    await visit(cookie)
    expect(asked()).toHaveLength(1)
  })

  it('end the session if the provider refuses them, or sends invalid ones or another person’s', async () => {
    const { issuer, people, stage } = world
    for (const answer of [
      () => ({ status: 400, body: { error: 'invalid_grant' } }),
      () => grant(people.uri.sub),
      () => grant(people.adam.sub, { id_token: 'nonsense' }),
    ]) {
      const cookie = await signIn('adam', due)
      const before = await countSessions(stage)
      issuer.token.answer = answer
      expect(await visit(cookie)).toMatchObject({ kind: 'stranger', ended: null })
      expect(await countSessions(stage)).toBe(before - 1)
    }
  })

  it('do not end the session if the provider is unavailable, and are not needed while the old ones work', async () => {
    const { issuer } = world
    const soon = { access_expires_at: new Date(Date.now() + 20_000) }
    const cookie = await signIn('adam', soon)
    issuer.token.answer = () => ({ status: 503, body: {} })
    expect(await visit(cookie)).toMatchObject({ kind: 'visitor' })
    const late = await signIn('adam', due)
    await expect(visit(late)).rejects.toThrow()
    expect(await find(late)).not.toBeNull()
  })

  it('are not requested again for each page while the provider is unavailable', async () => {
    const { issuer, stage } = world
    const cookie = await signIn('adam')
    await stage
      .updateTable('sessions')
      .set({ refreshed_at: new Date(Date.now() - 51 * 60_000) })
      .where('id_hash', '=', (await sessionOf(cookie)).id_hash)
      .execute()
    issuer.token.answer = () => ({ status: 503, body: {} })
    issuer.calls.length = 0
    for (let page = 0; page < 3; page++) expect(await visit(cookie)).toMatchObject({ kind: 'visitor' })
    expect(asked()).toHaveLength(1)
  })

  it('hold no database connection while a provider hangs', async () => {
    const { issuer, db } = world
    const cookies = []
    for (let more = 0; more < 6; more++) cookies.push(await signIn('adam', due))
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    issuer.token.answer = () => isAnswered.then(() => ({ status: 503, body: {} }))
    issuer.calls.length = 0
    const visits = Promise.allSettled(cookies.map((cookie) => visit(cookie)))
    await expect.poll(() => asked().length).toBe(cookies.length)
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    answer()
    await visits
  })

  it('reach a session that enters a tenant while they are requested', async () => {
    const { acme, db, issuer, people } = world
    const cookie = await signIn('sofia', { access_expires_at: new Date(Date.now() + 20_000) })
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    issuer.token.answer = () => isAnswered.then(() => grant(people.sofia.sub))
    issuer.calls.length = 0
    const visiting = visit(cookie)
    await expect.poll(() => asked().length).toBe(1)
    const moved = await impersonate(await sessionOf(cookie), acme, {}, db)
    answer()
    expect(await visiting).toMatchObject({ kind: 'visitor' })
    expect(await sessionOf(moved)).toMatchObject({ refresh_token: 'the next one' })
  })

  it.each([
    ['gets fresh tokens', () => grant(world.people.adam.sub, { refresh_token: 'a late one' })],
    ['is refused', () => ({ status: 400, body: { error: 'invalid_grant' } })],
    ['finds the provider unavailable', () => ({ status: 503, body: {} })],
  ])('are left to the next process when a process whose lease ran out %s', async (_, late) => {
    const { issuer, stage } = world
    const cookie = await signIn('adam', { access_expires_at: new Date(Date.now() + 20_000) })
    const { id_hash } = await sessionOf(cookie)
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    issuer.token.answer = () => isAnswered.then(late)
    issuer.calls.length = 0
    const visiting = visit(cookie)
    await expect.poll(() => asked().length).toBe(1)
    // Another process takes the refresh over, with a lease until the same millisecond.
    const next = { refreshing_by: randomUUID() }
    await stage.updateTable('sessions').set(next).where('id_hash', '=', id_hash).execute()
    answer()
    expect(await visiting).toMatchObject({ kind: 'visitor' })
    const row = await stage
      .selectFrom('sessions')
      .select(['refreshing_by', 'refreshing_until'])
      .where('id_hash', '=', id_hash)
      .executeTakeFirst()
    expect(row).toEqual({ ...next, refreshing_until: expect.any(Date) })
    expect(await sessionOf(cookie)).toMatchObject({ refresh_token: 'refresh of adam' })
  })

  it('are not blocked by a process that failed before it could request them', async () => {
    const { issuer, stage } = world
    const cookie = await signIn('adam', due)
    const { id_hash } = await sessionOf(cookie)
    const settings = (more: object) =>
      stage
        .updateTable('pools')
        .set({ settings: JSON.stringify({ ...issuer.settings, ...more }) })
        .where('id', '=', 'foreign')
        .execute()
    await settings({ token_endpoint: 5 })
    await expect(visit(cookie)).rejects.toThrow()
    await settings({})
    const row = await stage
      .selectFrom('sessions')
      .select('refreshing_until')
      .where('id_hash', '=', id_hash)
      .executeTakeFirst()
    expect(row).toEqual({ refreshing_until: null })
  })

  it('stay with a session that enters a tenant in a request that began before the renewal', async () => {
    const { acme, db, issuer, people } = world
    const cookie = await signIn('sofia', due)
    const early = await sessionOf(cookie)
    issuer.token.answer = () => grant(people.sofia.sub)
    await visit(cookie)
    const moved = await impersonate(early, acme, {}, db)
    expect(await sessionOf(moved)).toMatchObject({ refresh_token: 'the next one' })
  })

  describe('of a person who signs out', () => {
    const revoked = () =>
      world.issuer.calls.filter(({ path }) => path === '/revoke').map(({ body }) => body.get('token'))

    it('are revoked instead of the old ones that the request began with', async () => {
      const { issuer, people, db } = world
      const cookie = await signIn('adam', due)
      const early = await sessionOf(cookie)
      issuer.token.answer = () => grant(people.adam.sub)
      await visit(cookie)
      issuer.calls.length = 0
      await signOut(early, db)
      expect(revoked()).toEqual(['the next one'])
    })

    it('a second press that another process answers gets the same redirect', async () => {
      const { db, issuer } = world
      const cookie = await signIn('adam')
      const { location } = await signOut(await sessionOf(cookie), db)
      expect(location).toMatch(issuer.url)
      expect(await other.ask('signedOutBefore', cookie)).toMatchObject({ location })
    })

    it('are revoked too if they arrive after the sign-out', async () => {
      const { issuer, people, db } = world
      const cookie = await signIn('adam', due)
      let answer = () => {}
      const isAnswered = new Promise<void>((resolve) => (answer = resolve))
      issuer.token.answer = () => isAnswered.then(() => grant(people.adam.sub))
      issuer.calls.length = 0
      const visiting = visit(cookie)
      await expect.poll(() => asked().length).toBe(1)
      await signOut(await sessionOf(cookie), db)
      answer()
      expect(await visiting).toMatchObject({ kind: 'stranger' })
      await expect.poll(revoked).toEqual(['refresh of adam', 'the next one'])
    })
  })

  it('are not requested from the target of a redirect', async () => {
    const { issuer } = world
    const cookie = await signIn('adam', due)
    const headers = { location: `${issuer.url}/elsewhere` }
    issuer.token.answer = () => ({ status: 307, body: {}, headers })
    issuer.calls.length = 0
    await expect(visit(cookie)).rejects.toThrow()
    expect(issuer.calls.map(({ path }) => path)).toEqual(['/token'])
  })
})
