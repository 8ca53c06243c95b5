import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { findPrincipal } from '#app/auth/bearer.server.ts'
import { findPool } from '#app/auth/pools/pools.server.ts'
import { createSession, findSession } from '#app/auth/sessions/sessions.server.ts'
import type { Session } from '#app/domain/users/session.ts'
import { createWorld, requestWith, type World } from './auth-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

async function signIn(who: keyof World['people'], user_agent: string | null) {
  const { db, issuer, people } = world
  const pool = await findPool(db, 'foreign')
  const principal = pool && (await findPrincipal(db, pool, people[who].sub))
  if (!principal) throw new Error(`${who} is not known`)
  const access_token = await issuer.accessToken(people[who].sub)
  const tokens = { access_token, refresh_token: `refresh of ${who}`, id_token: null }
  const access_expires_at = new Date(Date.now() + 3_600_000)
  const session = { pool_id: 'foreign', tokens, access_expires_at, remember: false, user_agent }
  return { cookie: await createSession(principal, session, db), token: access_token }
}

const call = (token: string, path: string, method = 'GET') =>
  createApi({ database: () => world.db }).request(`/api/v1/users/me/sessions${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  })
const list = async (token: string): Promise<Session[]> => (await (await call(token, '')).json()).data
const isThere = async (cookie: string) => (await findSession(requestWith([cookie]), world.db)) !== null

describe('The sessions of a person', () => {
  it('are listed with browser and current session, without secrets or other people’s sessions', async () => {
    const desk = await signIn(
      'adam',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    )
    await signIn('adam', null)
    await signIn('uri', 'Safari/1')
    const sessions = await list(desk.token)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ is_current }) => is_current)).toEqual([
      expect.objectContaining({ browser: 'Firefox on Linux' }),
    ])
    const text = JSON.stringify(sessions)
    for (const secret of [desk.token, desk.cookie.slice(16, 59)]) expect(text).not.toContain(secret)
    await call(desk.token, '', 'DELETE')
  })

  it('can be ended one by one, with their tokens, here and at the provider', async () => {
    const [desk, phone] = [await signIn('nora', 'Firefox/140'), await signIn('nora', 'iPhone Safari/1')]
    // Nora has roles in two sub-tenants, so the request has to name one.
    const headers = { authorization: `Bearer ${desk.token}`, 'x-sub-tenant-id': world.north }
    const api = createApi({ database: () => world.db })
    const { data } = await (await api.request('/api/v1/users/me/sessions', { headers })).json()
    const other = (data as Session[]).find(({ is_current }) => !is_current)
    world.issuer.calls.length = 0
    const ended = await api.request(`/api/v1/users/me/sessions/${other?.id}`, { method: 'DELETE', headers })
    expect(ended.status).toBe(200)
    expect(await isThere(phone.cookie)).toBe(false)
    expect(await isThere(desk.cookie)).toBe(true)
    expect((await call(phone.token, '')).status).toBe(401)
    await expect.poll(() => world.issuer.calls.map(({ path }) => path)).toContain('/revoke')
    expect(
      (await api.request(`/api/v1/users/me/sessions/${other?.id}`, { method: 'DELETE', headers })).status,
    ).toBe(404)
  })

  it('can all be ended except the current one', async () => {
    const [kept, ...others] = [
      await signIn('adam', 'a'),
      await signIn('adam', 'b'),
      await signIn('adam', 'c'),
    ]
    expect((await call(kept.token, '', 'DELETE')).status).toBe(200)
    expect(await isThere(kept.cookie)).toBe(true)
    for (const other of others) expect(await isThere(other.cookie)).toBe(false)
    expect(await list(kept.token)).toHaveLength(1)
  })

  it('cannot be ended by another person, whatever id they try', async () => {
    const [adam, uri] = [await signIn('adam', 'a'), await signIn('uri', 'u')]
    const [mine] = await list(uri.token)
    for (const id of [mine?.id ?? '', 'f'.repeat(64), '1', '..%2f..'])
      expect((await call(adam.token, `/${id}`, 'DELETE')).status).toBe(404)
    expect(await isThere(uri.cookie)).toBe(true)
  })
})
