/** Tenants, their people and an OpenID provider, for the tests of authentication. */
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { setSecret } from '#app/auth/seal.server.ts'
import { connect } from '#app/db/connect.server.ts'
import type { DB } from '#app/db/schema.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type Issuer, startIssuer } from './auth-issuer.ts'

export const SECRET = 'a-secret-for-tests-of-at-least-32-characters'

type Role = { role: 'admin' | 'author' | 'user'; sub?: string | undefined }
export type Person = { id: number; tenant: string; email: string; sub: string }

export type World = Awaited<ReturnType<typeof createWorld>>

export async function createWorld() {
  setSecret(SECRET)
  const database = await createTestDatabase()
  const issuer = await startIssuer()
  /** A connection without row-level security, to prepare and check data. */
  const stage = connect(database.adminUrl, { max: 2 })
  const places = await addPlaces(stage, issuer)
  const { acme, home, north, south, globex } = places
  const add = (tenant: string, name: string, roles: Role[], more: object = {}) =>
    addPerson(stage, issuer, tenant, name, roles, more)
  const people = {
    sofia: await add(home, 'sofia', [], { is_super_admin: true }),
    adam: await add(acme, 'adam', [{ role: 'admin' }]),
    uri: await add(acme, 'uri', [{ role: 'user' }]),
    nora: await add(acme, 'nora', [
      { role: 'admin', sub: north },
      { role: 'user', sub: south },
    ]),
    solo: await add(acme, 'solo', [{ role: 'author', sub: north }]),
    ivan: await add(acme, 'ivan', [{ role: 'user' }], {
      activation_status: 'invited',
      accepted_terms_on: null,
    }),
    gina: await add(globex, 'gina', [{ role: 'admin' }]),
  }
  return {
    ...places,
    people,
    issuer,
    stage,
    database,
    db: database.app,
    async close() {
      await stage.destroy()
      await issuer.stop()
      await (database as TestDatabase).drop()
    },
  }
}

async function addPlaces(stage: Kysely<DB>, issuer: Issuer) {
  const pool = { kind: 'oidc', login_mode: 'redirect', client_id: 'liftwell' }
  await stage
    .insertInto('pools')
    .values([
      {
        ...pool,
        id: 'foreign',
        name: 'Foreign',
        issuer: issuer.url,
        settings: JSON.stringify(issuer.settings),
        is_default: true,
      },
      {
        ...pool,
        id: 'other',
        name: 'Other',
        issuer: `${issuer.url}/other`,
        settings: JSON.stringify(issuer.settings),
      },
    ])
    .execute()
  const tenant = async (name: string, more: object = {}) => {
    const row = { name, pool_id: 'foreign', ...more }
    return (await stage.insertInto('tenants').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const subTenant = async (tenant_id: string, name: string) => {
    const row = { tenant_id, name }
    return (await stage.insertInto('sub_tenants').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const home = await tenant('Liftwell', { is_operator: true })
  const acme = await tenant('Acme', { customer_type: 'Multi Tenant' })
  const globex = await tenant('Globex')
  return {
    home,
    acme,
    globex,
    north: await subTenant(acme, 'North'),
    south: await subTenant(acme, 'South'),
    east: await subTenant(globex, 'East'),
  }
}

async function addPerson(
  stage: Kysely<DB>,
  issuer: Issuer,
  tenant: string,
  name: string,
  roles: Role[],
  more: object,
): Promise<Person> {
  const email = `${name}@example.com`
  const sub = randomUUID()
  const { id } = await stage
    .insertInto('users')
    .values({
      tenant_id: tenant,
      email,
      first_name: name,
      activation_status: 'active',
      accepted_terms_on: new Date(),
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { role, sub: sub_tenant_id } of roles)
    await stage
      .insertInto('user_general_roles')
      .values({ tenant_id: tenant, user_id: id, role, sub_tenant_id: sub_tenant_id ?? null })
      .execute()
  await stage
    .insertInto('user_identities')
    .values({ tenant_id: tenant, user_id: id, issuer: issuer.url, subject: sub })
    .execute()
  return { id, tenant, email, sub }
}

/** A browser's request with the cookies of these Set-Cookie headers. */
export function requestWith(cookies: string[], path = '/'): Request {
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  return new Request(`http://localhost:3000${path}`, { headers: { cookie } })
}

export async function countSessions(stage: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from sessions`.execute(stage)
  return rows[0]?.count ?? 0
}
