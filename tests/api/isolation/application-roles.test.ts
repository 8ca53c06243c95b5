/** What the application's roles cannot do with any SQL, whichever scope they choose. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { inScope, operatorActor, systemActor, withinTenant } from '#app/domain/scope/scope.server.ts'
import { foundPlatform } from '#app/domain/users/first-super-admin.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let admin: ReturnType<typeof connect>
beforeAll(async () => {
  database = await createTestDatabase()
  admin = connect(database.adminUrl, { max: 1 })
  await admin
    .insertInto('pools')
    .values({
      id: 'main',
      name: 'Main',
      kind: 'embedded',
      issuer: 'http://localhost/idp/main',
      client_id: 'liftwell',
      is_default: true,
    })
    .execute()
})
afterAll(async () => {
  await admin?.destroy()
  await database?.drop()
})

describe('A database role of the application', () => {
  const roles = ['app', 'worker'] as const
  it.each(
    roles.flatMap((role) =>
      ['update users set is_super_admin = true', 'update tenants set is_operator = true'].map((text) => ({
        role,
        text,
      })),
    ),
  )('cannot make a super admin or an operator: $role, $text', async ({ role, text }) => {
    await expect(sql.raw(text).execute(database[role])).rejects.toMatchObject({ code: '42501' })
  })

  it('cannot insert a super admin or an operator', async () => {
    for (const text of [
      `insert into users (tenant_id, email, is_super_admin) values (gen_random_uuid(), 'a@b.example', true)`,
      `insert into tenants (name, pool_id, is_operator) values ('Another', 'default', true)`,
    ])
      await expect(sql.raw(text).execute(database.app)).rejects.toMatchObject({ code: '42501' })
  })

  it('can found the platform only once', async () => {
    const found = (name: string) =>
      inScope(database.app, operatorActor(), async (scope) => {
        const { id } = await scope.db
          .insertInto('tenants')
          .values({ name, pool_id: 'main' })
          .returning('id')
          .executeTakeFirstOrThrow()
        return withinTenant(scope, id, async (home) => {
          const person = await home.db
            .insertInto('users')
            .values({ tenant_id: id, email: `first@${name}.example` })
            .returning('id')
            .executeTakeFirstOrThrow()
          await foundPlatform(home, person.id)
          return { tenant_id: id, user_id: person.id }
        })
      })
    const { tenant_id, user_id } = await found('one')
    await expect(found('two')).rejects.toThrow('tenants_one_operator')
    await expect(
      inScope(database.app, systemActor(tenant_id), (home) => foundPlatform(home, user_id)),
    ).rejects.toThrow('founded already')
  })

  it('cannot create large objects or temporary tables', async () => {
    for (const text of [
      'select lo_create(0)',
      `select lo_from_bytea(0, '\\x00')`,
      'create temp table heap (one int)',
    ])
      await expect(sql.raw(text).execute(database.app)).rejects.toMatchObject({ code: '42501' })
  })

  it.each([
    ['app', 'liftwell_app', '10s'],
    ['worker', 'liftwell_worker', '60s'],
    ['identity', 'liftwell_identity', '10s'],
  ])('has limits for statements, locks and idle transactions: %s', async (_who, role, most) => {
    const { rows } = await sql<{ rolconfig: string[] }>`
      select rolconfig from pg_roles where rolname = ${role}`.execute(admin)
    expect(rows[0]?.rolconfig).toEqual([
      `statement_timeout=${most}`,
      'lock_timeout=5s',
      'idle_in_transaction_session_timeout=30s',
    ])
  })
})
