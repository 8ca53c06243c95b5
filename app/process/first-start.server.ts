/** What a new database is given: the first super admin, the demo. */

import { DEFAULT_POOL, findPool, type Pool } from '../auth/pools/pools.server.ts'
import type { Config } from '../config.server.ts'
import { connect } from '../db/connect.server.ts'
import type { Databases } from '../db/databases.server.ts'
import type { Seeding } from '../demo/seed.server.ts'
import { createFirstSuperAdmin, hasTenants } from '../domain/users/first-super-admin.server.ts'
import type { Identity } from '../identity/provider.server.ts'

async function requireDefaultPool(databases: Databases): Promise<Pool> {
  const pool = await findPool(databases.app, DEFAULT_POOL)
  if (!pool) throw new Error('The default pool is missing.')
  return pool
}

/** Without the demo, an empty platform begins with one person, whose temporary password is shown once. */
export async function inviteFirstSuperAdmin(
  { SUPER_ADMIN_EMAIL: email }: Config,
  databases: Databases,
  identity: Identity,
): Promise<string | null> {
  if (!email || (await hasTenants(databases.app))) return null
  const pool = await requireDefaultPool(databases)
  const { sub, temporary_password } = await identity.admin.invite({ pool: pool.id, email })
  await createFirstSuperAdmin(databases.app, { email, pool_id: pool.id, issuer: pool.issuer, subject: sub })
  return `The first super admin is ${email}. Temporary password, shown once: ${temporary_password}`
}

/** Uses a connection of its own: planning each of some six thousand small statements took most of a first start. */
export async function withSeeding(
  config: Config,
  databases: Databases,
  identity: Identity,
  work: (seeding: Seeding) => Promise<void>,
): Promise<void> {
  const pool = await requireDefaultPool(databases)
  const database = connect(databases.appUrl, { max: 1, name: 'liftwell seed', keepsPlans: true })
  try {
    await work({
      database,
      config,
      issuer: pool.issuer,
      pool_id: pool.id,
      makeAccount: async ({ email, password, name }) => {
        const { sub } = await identity.admin.setPassword({
          pool: pool.id,
          email,
          password,
          attributes: {
            name,
            given_name: name.split(' ')[0] ?? '',
            family_name: name.split(' ').at(-1) ?? '',
          },
        })
        return sub
      },
    })
  } finally {
    await database.destroy()
  }
}
