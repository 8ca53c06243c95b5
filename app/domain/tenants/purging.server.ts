import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { storeKey } from '#app/domain/files/store.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'

const AT_ONCE = 500

/** Run as the operator, inside the purged tenant. One audit line remains, in the operator's own tenant. */
export async function purgeTenant(scope: Scope, operatorId: string): Promise<void> {
  const { db, actor } = scope
  const { tenant_id } = actor
  const { name, deleted_on } = await db
    .selectFrom('tenants')
    .select(['name', 'deleted_on'])
    .where('id', '=', tenant_id)
    .executeTakeFirstOrThrow()
  await forgetAccounts(scope)
  await forgetCopies(scope, sql`true`)
  await removeStored(scope, null)
  await withinTenant(scope, operatorId, async (home) => {
    // Ends the session of a platform user who is still inside.
    await home.db.deleteFrom('sessions').where('impersonated_tenant_id', '=', tenant_id).execute()
    await record(home, 'tenant.purged', { type: 'tenant', id: tenant_id, name }, { deleted_on })
  })
  await sql`select purge_tenant()`.execute(db)
}

/** Its people, and the log of what was done there, stay with the company. */
export async function purgeSubTenant(scope: Scope, id: string): Promise<void> {
  const { deleted_on } = await scope.db
    .selectFrom('sub_tenants')
    .select('deleted_on')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await forgetCopies(
    scope,
    sql`key in (select d.tenant_id || ':' || d.id from dispatches d
      join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
      join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id where j.sub_tenant_id = ${id})`,
  )
  await removeStored(scope, id)
  await record(scope, 'sub_tenant.purged', { type: 'sub_tenant', id }, { deleted_on })
  await sql`select purge_sub_tenant(${id})`.execute(scope.db)
}

/** Deletes accounts at the embedded provider; other providers keep their own. */
async function forgetAccounts({ db, actor }: Scope): Promise<void> {
  const accounts = await db
    .selectFrom('user_identities as known')
    .innerJoin('pools', 'pools.issuer', 'known.issuer')
    .select(['pools.id as pool', 'known.subject as sub'])
    .where('pools.kind', '=', 'embedded')
    .execute()
  for (const some of inParts(accounts))
    await addJob(db, 'erase-accounts', { tenant_id: actor.tenant_id, accounts: some })
}

/** Message files expire within days, so only the latest still exist. */
async function forgetCopies({ db, actor }: Scope, which: ReturnType<typeof sql<boolean>>): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from outbox_messages
    where ${which} and created_on > now() - interval '8 days'`.execute(db)
  for (const some of inParts(rows))
    await addJob(db, 'forget-messages', {
      tenant_id: actor.tenant_id,
      message_ids: some.map(({ id }) => Number(id)),
    })
}

async function removeStored({ db, actor }: Scope, sub_tenant_id: string | null): Promise<void> {
  const files = await db
    .selectFrom('files')
    .select('id')
    .where('is_elsewhere', '=', true)
    .$if(sub_tenant_id !== null, (query) => query.where('sub_tenant_id', '=', sub_tenant_id))
    .execute()
  for (const { id } of files)
    await addJob(
      db,
      'remove-stored-file',
      { key: storeKey(actor.tenant_id, id) },
      { key: `remove-file:${id}` },
    )
}

const inParts = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, part) =>
    rows.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  )
