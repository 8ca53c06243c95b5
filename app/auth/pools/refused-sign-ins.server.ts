/** Records why a provider's people were refused; the newest are kept for the administrator of the provider. */
import { sql } from 'kysely'
import { getDatabases } from '#app/db/databases.server.ts'
import { offsetOf, type Pagination, paginate } from '#app/domain/page.ts'
import type { RefusedSignIn } from '#app/domain/pools/refused-sign-in.ts'
import {
  type Database,
  inScope,
  operatorActor,
  type Scope,
  systemActor,
  withinTenant,
} from '#app/domain/scope/scope.server.ts'
import { countWithPage } from '#app/domain/search.server.ts'
import { requirePoolOf } from './pool-editing.server.ts'

/** Anyone can cause refusals, so only this many are kept. */
const KEPT = 100
const LONGEST = 400

/** `tenant_id`: the person's tenant, where known. */
export type SignInRefusal = { pool_id: string; tenant_id?: string | undefined; reason: string }

/** Recorded for the person's tenant; for an unknown person, for each tenant of the pool unless it is the default pool. */
export async function noteRefusal(
  { pool_id, tenant_id: known, reason }: SignInRefusal,
  request_id: string,
  database: Database = getDatabases().app,
): Promise<void> {
  const tenants = await inScope(database, operatorActor(), ({ db }) =>
    db
      .selectFrom('tenants')
      .innerJoin('pools', 'pools.id', 'tenants.pool_id')
      .select('tenants.id')
      .where('pools.id', '=', pool_id)
      .$if(known === undefined, (of) => of.where('pools.is_default', '=', false))
      .$if(known !== undefined, (of) => of.where('tenants.id', '=', known ?? ''))
      .execute(),
  )
  for (const { id: tenant_id } of tenants)
    await inScope(database, systemActor(tenant_id), async ({ db }) => {
      const row = { tenant_id, reason: reason.slice(0, LONGEST), request_id }
      await db.insertInto('refused_sign_ins').values(row).execute()
      await sql`delete from refused_sign_ins where id <= (
        select id from refused_sign_ins order by id desc offset ${KEPT} limit 1)`.execute(db)
    })
}

export async function listRefusals(
  scope: Scope,
  tenant_id: string,
  query: { page: number; per_page: number },
): Promise<{ data: RefusedSignIn[]; pagination: Pagination }> {
  await requirePoolOf(scope, tenant_id)
  return withinTenant(scope, tenant_id, async (inner) => {
    const { db } = inner
    const rows = db.selectFrom('refused_sign_ins').select('id')
    const data = await rows
      .select(['reason', 'request_id', 'created_on'])
      .orderBy('id', 'desc')
      .limit(query.per_page)
      .offset(offsetOf(query))
      .execute()
    return { data, pagination: paginate(await countWithPage(inner, rows, query, data.length), query) }
  })
}
