/** Impersonations that ran out without being ended. */
import { record } from '../audit/audit.server.ts'
import { type Scope, withinTenant } from '../scope/scope.server.ts'

const AT_HOME = {
  impersonated_tenant_id: null,
  impersonation_reason: null,
  impersonation_ends_at: null,
  sub_tenant_id: null,
}

/** Called in the operator's tenant. The database logs the end of each session. */
export async function endOverdueVisits(scope: Scope): Promise<void> {
  const { db } = scope
  const now = new Date()
  const overdue = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id_hash', 's.impersonated_tenant_id', 'u.id as user_id', 'u.email'])
    .where('s.impersonated_tenant_id', 'is not', null)
    .where((is) => is.or([is('s.impersonation_ends_at', '<', now), is('s.expires_at', '<', now)]))
    .forUpdate('s')
    .execute()
  for (const { id_hash, impersonated_tenant_id: left, user_id, email } of overdue) {
    if (left === null) continue
    await db.updateTable('sessions').set(AT_HOME).where('id_hash', '=', id_hash).execute()
    const visitor = { db, actor: { ...scope.actor, user_id, email, home_tenant_id: scope.actor.tenant_id } }
    await withinTenant(visitor, left, (inner) =>
      record(inner, 'impersonation.ended', { type: 'tenant', id: left }, { by_itself: true }),
    )
  }
}
