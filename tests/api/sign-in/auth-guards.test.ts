import type { LoaderFunctionArgs } from '@remix-run/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCurrentUser } from '#app/api/contract/people/users.ts'
import { findPrincipal } from '#app/auth/bearer.server.ts'
import { findPool } from '#app/auth/pools/pools.server.ts'
import { enterSubTenant, impersonate } from '#app/auth/sessions/move-session.server.ts'
import { createSession, findSession } from '#app/auth/sessions/sessions.server.ts'
import { type Databases, openDatabases } from '#app/db/databases.server.ts'
import {
  requireDashboard,
  requireLift,
  requireStranger,
  requireSuperAdmin,
  requireVisitor,
} from '#app/routes/guards.server.ts'
import { createWorld, requestWith, type World } from './auth-world.ts'

let world: World
let databases: Databases
beforeAll(async () => {
  world = await createWorld()
  const { appUrl, workerUrl, identityUrl } = world.database
  databases = await openDatabases({
    DATA_DIR: '/nonexistent',
    DATABASE_URL: appUrl,
    DATABASE_WORKER_URL: workerUrl,
    DATABASE_IDENTITY_URL: identityUrl,
    DATABASE_OWNER_URL: undefined,
    DATABASE_POOL_SIZE: 5,
  })
})
afterAll(async () => {
  await databases.close()
  await world.close()
})

type Guard = (args: Pick<LoaderFunctionArgs, 'request' | 'context'>) => Promise<unknown>
type Who = keyof World['people'] | null

async function cookieOf(who: Who): Promise<string> {
  if (!who) return ''
  const { db, issuer, people } = world
  const pool = await findPool(db, 'foreign')
  const principal = pool && (await findPrincipal(db, pool, people[who].sub))
  if (!principal) throw new Error(`${who} is not known`)
  const access_token = await issuer.accessToken(people[who].sub)
  return createSession(
    principal,
    {
      pool_id: 'foreign',
      tokens: { access_token, refresh_token: null, id_token: null },
      access_expires_at: new Date(Date.now() + 3_600_000),
      remember: false,
      user_agent: null,
    },
    db,
  )
}

const argsOf = (cookie: string, path: string, method = 'GET') => ({
  request: new Request(requestWith(cookie ? [cookie] : [], path), { method }),
  context: {
    found: new Map(),
    nonce: '',
    request_id: '',
    ip: '',
  } as unknown as LoaderFunctionArgs['context'],
})

/** Where the guard redirects to, or 'in'. */
async function passes(guard: Guard, cookie: string, path: string, method = 'GET'): Promise<string> {
  try {
    await guard(argsOf(cookie, path, method))
    return 'in'
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown
    return thrown.headers.get('location') ?? String(thrown.status)
  }
}

const login = (path: string) => `/login?redirect=${encodeURIComponent(path)}`
const terms = (path: string) => `/settings/profile?verify=true&redirect=${encodeURIComponent(path)}`
const setTerms = (who: keyof World['people'], accepted_terms_on: Date | null) =>
  world.stage.updateTable('users').set({ accepted_terms_on }).where('id', '=', world.people[who].id).execute()

describe('A visitor who is not signed in', () => {
  it('is redirected to /login by every guard, with the requested address', async () => {
    for (const guard of [requireVisitor, requireDashboard, requireSuperAdmin, requireLift])
      for (const path of ['/', '/users?page=2&q=a%26b', '/lift/12', '/settings/profile', '/tenants/edit/x'])
        expect(await passes(guard, '', path)).toBe(login(path))
  })

  it('keeps the requested address after a POST, without Remix’s ?index', async () => {
    expect(await passes(requireDashboard, '', '/users?index&page=2', 'POST')).toBe(login('/users?page=2'))
    expect(await passes(requireDashboard, '', '/lljs/manage?create=true', 'POST')).toBe(
      login('/lljs/manage?create=true'),
    )
  })

  it('opens /login, which clears a dead session cookie, and gets expired=true on other pages', async () => {
    expect(await requireStranger(argsOf('', '/login'))).toMatchObject({ cookies: [], ended: null })
    const dead = `__Host-liftwell=${'A'.repeat(43)}`
    const { cookies } = await requireStranger(argsOf(dead, '/login'))
    expect(cookies[0]).toMatch(/^__Host-liftwell=; .*Max-Age=0$/)
    expect(await passes(requireDashboard, dead, '/users')).toBe(`${login('/users')}&expired=true`)
  })
})

describe('The dashboard', () => {
  it('is open to admins, authors and users of a tenant', async () => {
    for (const who of ['adam', 'uri', 'gina', 'solo'] as const)
      expect(await passes(requireDashboard, await cookieOf(who), '/')).toBe('in')
  })

  it('redirects a super admin to /tenants, except from the profile, until they enter a tenant', async () => {
    const sofia = await cookieOf('sofia')
    for (const path of ['/', '/users', '/lljs/manage', '/settings/company', '/settings/profile/x'])
      expect(await passes(requireDashboard, sofia, path)).toBe('/tenants')
    for (const path of ['/settings/profile', '/settings/profile/', '/Settings/Profile?verify=true'])
      expect(await passes(requireDashboard, sofia, path)).toBe('in')
    const session = await findSession(requestWith([sofia]), world.db)
    if (!session) throw new Error('There is no session')
    const inside = await impersonate(session, world.acme, {}, world.db)
    expect(await passes(requireDashboard, inside, '/users')).toBe('in')
  })

  it('redirects a person who has to choose a sub-tenant to /subtenants until they have entered one', async () => {
    const nora = await cookieOf('nora')
    for (const path of ['/', '/users', '/subtenantsx', '/settings/company'])
      expect(await passes(requireDashboard, nora, path)).toBe(
        path === '/' ? '/subtenants' : `/subtenants?redirect=${encodeURIComponent(path)}`,
      )
    for (const path of ['/subtenants', '/subtenants/', '/SubTenants/add', '/settings/profile'])
      expect(await passes(requireDashboard, nora, path)).toBe('in')
    const session = await findSession(requestWith([nora]), world.db)
    if (!session) throw new Error('There is no session')
    expect(await passes(requireDashboard, await enterSubTenant(session, world.north, world.db), '/')).toBe(
      'in',
    )
  })

  it('asks for acceptance of the terms first, and keeps the requested address', async () => {
    await setTerms('uri', null)
    const uri = await cookieOf('uri')
    expect(await passes(requireDashboard, uri, '/users?page=2')).toBe(terms('/users?page=2'))
    expect(await passes(requireDashboard, uri, '/settings/profile?verify=true')).toBe('in')
    await setTerms('uri', new Date())
    expect(await passes(requireDashboard, uri, '/users?page=2')).toBe('in')
  })

  it('returns the API with the visitor’s identity, and looks the visitor up once for five loaders', async () => {
    const args = argsOf(await cookieOf('adam'), '/users')
    const visitors = await Promise.all(Array.from({ length: 5 }, () => requireDashboard(args)))
    expect(new Set(visitors.map(({ session }) => session)).size).toBe(1)
    const me = await visitors[0]?.api(getCurrentUser)
    expect(me?.email).toBe('adam@example.com')
  })
})

describe('The screens for all tenants', () => {
  it('are open only to super admins outside a tenant who have accepted the terms', async () => {
    const sofia = await cookieOf('sofia')
    expect(await passes(requireSuperAdmin, sofia, '/tenants')).toBe('in')
    for (const who of ['adam', 'uri', 'nora'] as const)
      expect(await passes(requireSuperAdmin, await cookieOf(who), '/tenants')).toBe('/users')
    await setTerms('sofia', null)
    expect(await passes(requireSuperAdmin, sofia, '/tenants/add')).toBe(terms('/tenants/add'))
    await setTerms('sofia', new Date())
    const session = await findSession(requestWith([sofia]), world.db)
    if (!session) throw new Error('There is no session')
    const inside = await impersonate(session, world.acme, {}, world.db)
    expect(await passes(requireSuperAdmin, inside, '/tenants')).toBe('/users')
  })
})

describe('A lift', () => {
  it('opens after sign-in and acceptance of the terms, even before a sub-tenant is selected', async () => {
    await setTerms('ivan', null)
    const ivan = await cookieOf('ivan')
    expect(await passes(requireLift, ivan, '/lift/12')).toBe(terms('/lift/12'))
    await setTerms('ivan', new Date())
    expect(await passes(requireLift, ivan, '/lift/12')).toBe('in')
    expect(await passes(requireLift, await cookieOf('nora'), '/lift/12')).toBe('in')
  })
})

describe('A signed-in person', () => {
  it('is redirected from /login to the requested page of this site, or else to /', async () => {
    for (const who of ['adam', 'sofia', 'nora'] as const) {
      expect(await passes(requireStranger, await cookieOf(who), '/login')).toBe('/')
      expect(await passes(requireStranger, await cookieOf(who), '/login?redirect=/users')).toBe('/users')
      expect(await passes(requireStranger, await cookieOf(who), '/login?redirect=//evil.example')).toBe('/')
    }
  })

  it('is signed out at the next request once disabled, with a cleared cookie and the reason', async () => {
    const gina = await cookieOf('gina')
    const set = (activation_status: string) =>
      world.stage
        .updateTable('users')
        .set({ activation_status })
        .where('id', '=', world.people.gina.id)
        .execute()
    await set('disabled')
    const thrown = await requireDashboard(argsOf(gina, '/users')).catch((error: unknown) => error)
    if (!(thrown instanceof Response)) throw thrown
    expect(thrown.headers.get('location')).toBe(login('/users'))
    const [session, reason] = thrown.headers.getSetCookie()
    expect(session).toMatch(/^__Host-liftwell=; .*Max-Age=0$/)
    expect(reason).toMatch(/^__Host-login-notice=account_disabled;/)
    await set('active')
    expect(await passes(requireDashboard, gina, '/users')).toContain('/login')
  })

  it('who impersonates a tenant is redirected to /tenants when it becomes inactive', async () => {
    const session = await findSession(requestWith([await cookieOf('sofia')]), world.db)
    if (!session) throw new Error('There is no session')
    const inside = await impersonate(session, world.globex, {}, world.db)
    const set = (status: string) =>
      world.stage.updateTable('tenants').set({ status }).where('id', '=', world.globex).execute()
    await set('inactive')
    expect(await passes(requireDashboard, inside, '/users')).toBe('/tenants')
    expect(await passes(requireSuperAdmin, inside, '/tenants')).toBe('in')
    await set('active')
  })
})
