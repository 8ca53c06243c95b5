/** Two companies and their people, for the tests of tenants, and a way to call the API as each of them. */
import { createApi } from '#app/api/app.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { inScope, type Scope, systemActor, withinTenant } from '#app/domain/scope/scope.server.ts'
import { foundPlatform } from '#app/domain/users/first-super-admin.server.ts'

type Role = { role: 'admin' | 'author' | 'user'; sub?: string }
type Options = { as?: string | null; sub?: string | null; key?: string }
export type Answer = {
  status: number
  text: string
  bytes: Buffer
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what the API answered, looked at by the test
  json: any
}

export type TenantsWorld = Awaited<ReturnType<typeof createWorld>>

/** An id that no tenant has. */
export const UNKNOWN = '0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f'

export const namesOf = (list: { data: { name: string }[] }) => list.data.map((one) => one.name)

export async function createWorld(database: Database) {
  const operator = { ...systemActor('00000000-0000-0000-0000-000000000000'), is_super_admin: true }
  const built = await inScope(database, operator, build)
  const api = createApi({ database: () => database })
  const principals = built.people
  type Who = keyof typeof principals

  async function call(
    who: Who,
    method: string,
    path: string,
    body?: unknown,
    options: Options = {},
  ): Promise<Answer> {
    const principal = principals[who]
    const request = new Request(`http://api.test/api/v1${path}`, {
      method,
      headers: headersOf(who, principal, body, options),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await api.fetch(request, { caller: { token: who, principal } })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const json = isJson ? JSON.parse(bytes.toString('utf8')) : null
    return { status: response.status, text: bytes.toString('utf8'), bytes, headers: response.headers, json }
  }

  return { ...built, api, call }
}

function headersOf(who: string, principal: Principal, body: unknown, { as, sub, key }: Options): Headers {
  const headers = new Headers({ authorization: `Bearer ${who}`, 'x-tenant-id': principal.tenant_id })
  if (as) headers.set('x-impersonate-tenant-id', as)
  if (sub) headers.set('x-sub-tenant-id', sub)
  if (key) headers.set('idempotency-key', key)
  if (body !== undefined) headers.set('content-type', 'application/json')
  return headers
}

async function build(scope: Scope) {
  const { db } = scope
  // Only the owner role of the platform can add pools, so this uses the default one of every database.
  const pool = await db.selectFrom('pools').select('id').where('is_default', '=', true).executeTakeFirst()
  const pool_id = pool?.id ?? (await addPool(scope))

  const tenant = async (name: string, more: object = {}) =>
    (
      await db
        .insertInto('tenants')
        .values({ name, pool_id, ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const home = await tenant('Liftwell')
  const acme = await tenant('Acme', {
    customer_type: 'Multi Tenant',
    llj_categories: ['Sales'],
    timezone: 'Europe/Vienna',
  })
  const globex = await tenant('Globex')

  const subTenant = (tenant_id: string, name: string) =>
    withinTenant(scope, tenant_id, async (inner) => {
      const row = await inner.db
        .insertInto('sub_tenants')
        .values({ tenant_id, name })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    })
  const north = await subTenant(acme, 'Acme North')
  const south = await subTenant(acme, 'Acme South')

  const person = (tenant_id: string, name: string, roles: Role[], given: object = {}) =>
    withinTenant(scope, tenant_id, async (inner): Promise<Principal> => {
      const { is_super_admin = false, ...more } = given as { is_super_admin?: boolean }
      const email = `${name.toLowerCase()}@${tenant_id.slice(0, 8)}.example`
      const accepted_terms_on = new Date()
      const { id } = await inner.db
        .insertInto('users')
        .values({
          tenant_id,
          email,
          first_name: name,
          last_name: 'Test',
          activation_status: 'active',
          accepted_terms_on,
          ...more,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const general = roles.map(({ role, sub }) => ({ role, tenant_id, sub_tenant_id: sub ?? null }))
      if (general.length)
        await inner.db
          .insertInto('user_general_roles')
          .values(general.map((one) => ({ ...one, user_id: id })))
          .execute()
      if (is_super_admin) await foundPlatform(inner, id)
      return {
        user_id: id,
        tenant_id,
        email,
        first_name: name,
        last_name: 'Test',
        activation_status: 'active',
        is_super_admin,
        is_asked_for_second_factor: false,
        accepted_terms_on: 'accepted_terms_on' in more ? null : accepted_terms_on,
        tenant_status: 'active',
        pool_id,
        roles: general,
      }
    })

  const people = {
    sofia: await person(home, 'Sofia', [{ role: 'admin' }], { is_super_admin: true }),
    adam: await person(acme, 'Adam', [{ role: 'admin' }]),
    aya: await person(acme, 'Aya', [{ role: 'author' }]),
    uri: await person(acme, 'Uri', [{ role: 'user' }]),
    nora: await person(acme, 'Nora', [{ role: 'admin', sub: north }]),
    both: await person(acme, 'Both', [
      { role: 'admin', sub: north },
      { role: 'user', sub: south },
    ]),
    newcomer: await person(acme, 'Newcomer', [{ role: 'user' }], { accepted_terms_on: null }),
    greta: await person(globex, 'Greta', [{ role: 'admin' }]),
  }
  return { home, acme, globex, north, south, people, pool_id }
}

async function addPool({ db }: Scope): Promise<string> {
  const { id } = await db
    .insertInto('pools')
    .values({
      id: 'main',
      name: 'Main',
      kind: 'embedded',
      issuer: 'http://localhost/idp/main',
      client_id: 'liftwell',
      is_default: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
