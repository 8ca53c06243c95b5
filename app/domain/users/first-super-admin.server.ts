/** The first super admin of an empty platform, in the operator's own tenant. */
import { sql } from 'kysely'
import {
  type Database,
  inScope,
  operatorActor,
  type Scope,
  withinTenant,
} from '#app/domain/scope/scope.server.ts'

const OPERATOR_NAME = 'Liftwell'

export function hasTenants(database: Database): Promise<boolean> {
  return inScope(database, operatorActor(), async ({ db }) => {
    const any = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst()
    return any !== undefined
  })
}

type FirstSuperAdmin = { email: string; pool_id: string; issuer: string; subject: string }

export function createFirstSuperAdmin(database: Database, person: FirstSuperAdmin): Promise<void> {
  const { email, pool_id, issuer, subject } = person
  return inScope(database, operatorActor(), async (scope) => {
    const { id: tenant_id } = await scope.db
      .insertInto('tenants')
      .values({ name: OPERATOR_NAME, pool_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await withinTenant(scope, tenant_id, async (home) => {
      const { db } = home
      const { id: user_id } = await db
        .insertInto('users')
        .values({ tenant_id, email })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('user_general_roles').values({ tenant_id, user_id, role: 'admin' }).execute()
      await db.insertInto('user_identities').values({ tenant_id, user_id, issuer, subject }).execute()
      await foundPlatform(home, user_id)
    })
  })
}

/** Makes the scope's tenant the operator, and one of its people the first super admin. Works only once. */
export async function foundPlatform({ db }: Scope, user_id: number): Promise<void> {
  await sql`select found_platform(${user_id})`.execute(db)
}
