/** Why people of a provider elsewhere were not let in: the newest are kept for those who configure it. */
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
import { requirePoolOf } from './pool-editing.server.ts'

/** Anybody may make refusals: no more than these are kept. */
const KEPT = 100
const LONGEST = 400

/** `tenant_id`: whose person it was, where that is known. */
export type SignInRefusal = { pool_id: string; tenant_id?: string | undefined; reason: string }

/** For the company of the person; of somebody unknown, for each that signs in with a pool that is not everybody's. */
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
  return withinTenant(scope, tenant_id, async ({ db }) => {
    const { count } = await db
      .selectFrom('refused_sign_ins')
      .select((of) => of.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const data = await db
      .selectFrom('refused_sign_ins')
      .select(['id', 'reason', 'request_id', 'created_on'])
      .orderBy('id', 'desc')
      .limit(query.per_page)
      .offset(offsetOf(query))
      .execute()
    return { data, pagination: paginate(Number(count), query) }
  })
}
