/** The companies that sign-in screens name. */
import { type Database, inScope, operatorActor } from '#app/domain/scope/scope.server.ts'
import { tenantOfDomain } from './email-domains.server.ts'

type Pool = { id: string; is_default: boolean; settings: { sign_up: { tenant_id: string } | null } }

/** The company that people join by signing up in each pool: an active one whose people sign in there. */
export async function findJoined(database: Database, pools: readonly Pool[]): Promise<Map<string, string>> {
  const ids = pools.flatMap(({ settings: { sign_up } }) => sign_up?.tenant_id ?? [])
  if (ids.length === 0) return new Map()
  const companies = await inScope(database, operatorActor(), ({ db }) =>
    db
      .selectFrom('tenants')
      .select(['id', 'name', 'pool_id'])
      .where('id', 'in', ids)
      .where('status', '=', 'active')
      .where('deleted_on', 'is', null)
      .execute(),
  )
  const named = pools.flatMap(({ id, settings: { sign_up } }) => {
    const joined = companies.find((one) => one.id === sign_up?.tenant_id && one.pool_id === id)
    return joined ? [[id, joined.name] as const] : []
  })
  return new Map(named)
}

/** The company of the sign-in; null where its name would reveal the employer of an address's owner. */
export async function findCompany(database: Database, pool: Pool, email: string): Promise<string | null> {
  if (pool.is_default) return null
  const [company, another] = await inScope(database, operatorActor(), ({ db }) =>
    db.selectFrom('tenants').select(['id', 'name']).where('pool_id', '=', pool.id).limit(2).execute(),
  )
  if (!company || another) return null
  return email === '' || (await tenantOfDomain(database, email)) === company.id ? company.name : null
}
