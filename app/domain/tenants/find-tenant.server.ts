/** Finds a tenant in the caller's scope: a tenant outside it does not exist. */

import { isOperator } from '#app/domain/access/actor.ts'
import { notFound } from '#app/domain/errors.ts'
import { askOnce, remember } from '#app/domain/scope/ask-once.server.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'

export const tenantIdOf = (scope: Scope, id: string): string =>
  id === 'me' ? scope.actor.tenant_id : id.toLowerCase()

/** `to add to it`: a shared lock, under which nobody can change the tenant, while others can also add. */
export async function findTenant(scope: Scope, id: string, lock?: 'to change it' | 'to add to it') {
  const query = scope.db
    .selectFrom('tenants')
    .selectAll()
    .where('id', '=', tenantIdOf(scope, id))
    .where('deleted_on', 'is', null)
    // The operator's own tenant is not a customer: only its own people find it.
    .where((where) => where.or([where('is_operator', '=', false), where('id', '=', scope.actor.tenant_id)]))
  const tenant = lock
    ? await (lock === 'to change it' ? query.forUpdate() : query.forKeyShare()).executeTakeFirst()
    : await askOnce(scope, ['tenant', id], () => query.executeTakeFirst())
  if (!tenant) throw notFound()
  return tenant
}

export async function insideTenant<Result>(
  scope: Scope,
  id: string,
  work: (inner: Scope) => Promise<Result>,
): Promise<Result> {
  const tenantId = tenantIdOf(scope, id)
  if (tenantId === scope.actor.tenant_id) return work(scope)
  if (!isOperator(scope.actor)) throw notFound()
  const tenant = await findTenant(scope, tenantId)
  return withinTenant(scope, tenantId, (inner) => {
    remember(inner, ['tenant', tenantId], tenant)
    return work(inner)
  })
}
