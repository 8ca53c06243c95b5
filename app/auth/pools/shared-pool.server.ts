/** The rules of the pool that tenants share: the platform's own, changed by super admins in one place. */
import { isOperator } from '#app/domain/access/actor.ts'
import { recordChange } from '#app/domain/audit/audit.server.ts'
import { forbidden, invalid, stale } from '#app/domain/errors.ts'
import { whatIsTooWeak } from '#app/domain/pools/pool.ts'
import type { SharedPool, SharedPoolInput } from '#app/domain/pools/screen-rules.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { versionOf } from './pool-settings.server.ts'
import { toRawPool } from './pools.server.ts'

export async function getSharedPool(scope: Scope): Promise<SharedPool> {
  if (!isOperator(scope.actor)) throw forbidden()
  const { db } = scope
  const row = await shared(db).executeTakeFirstOrThrow()
  const { sign_up, initial_screen, required_attributes, password_policy, reveals_users } =
    toRawPool(row).settings
  const companies = await db
    .selectFrom('tenants')
    .select(['id', 'name'])
    .where('pool_id', '=', row.id)
    .where('status', '=', 'active')
    .where('deleted_on', 'is', null)
    .where('is_operator', '=', false)
    .orderBy('name')
    .execute()
  const isThere = companies.some(({ id }) => id === sign_up?.tenant_id)
  const sign_up_tenant_id = isThere ? (sign_up?.tenant_id ?? null) : null
  const rules = { initial_screen, required_attributes, password_policy, reveals_users, sign_up_tenant_id }
  return { ...rules, companies, version: versionOf(rules) }
}

export async function updateSharedPool(scope: Scope, input: SharedPoolInput): Promise<SharedPool> {
  if (!isOperator(scope.actor)) throw forbidden()
  const { db } = scope
  const row = await shared(db).forNoKeyUpdate().executeTakeFirstOrThrow()
  const before = await getSharedPool(scope)
  const { companies } = before
  const { version, ...after } = input
  if (version !== undefined && version !== before.version) throw stale(before)
  const { sign_up_tenant_id, ...rules } = after
  const wrong = whatIsTooWeak({ kind: 'embedded', ...rules })
  if (sign_up_tenant_id !== null && !companies.some(({ id }) => id === sign_up_tenant_id))
    wrong.sign_up_tenant_id = ['Choose an active company that uses the shared sign-in.']
  if (Object.keys(wrong).length > 0) throw invalid(wrong)

  const sign_up = sign_up_tenant_id === null ? null : { tenant_id: sign_up_tenant_id }
  await db
    .updateTable('pools')
    .set({ settings: JSON.stringify({ ...(row.settings as object), ...rules, sign_up }) })
    .where('id', '=', row.id)
    .execute()
  await recordChange(scope, 'pool.updated', { type: 'pool', id: row.id }, { before, after })
  return getSharedPool(scope)
}

const shared = (db: Scope['db']) => db.selectFrom('pools').selectAll().where('is_default', '=', true)
