/** What API keys may be made for, and who manages them. */
import type { Actor, GeneralRole } from './actor.ts'
import { may } from './permissions.ts'

export const mayManageApiKeys = (actor: Actor): boolean => !actor.api_key && may(actor, 'company:edit')

/** Only for people of the company: a super admin's rights inside it end with the impersonation. */
export const mayMakeApiKeys = (actor: Actor): boolean =>
  mayManageApiKeys(actor) && !actor.is_super_admin && actor.user_id !== null

type Maker = { tenant_id: string; is_super_admin: boolean; roles: readonly GeneralRole[] }
type KeyScope = { tenant_id: string; sub_tenant_id: string | null }

/**
 * A key works only as long as its maker could make it: as administrator of the company, or of the key's sub-tenant.
 */
export const couldMakeApiKey = (maker: Maker, scope: KeyScope): boolean =>
  !maker.is_super_admin &&
  maker.tenant_id === scope.tenant_id &&
  maker.roles.some(
    ({ role, tenant_id, sub_tenant_id }) =>
      role === 'admin' &&
      tenant_id === scope.tenant_id &&
      (sub_tenant_id === null || sub_tenant_id === scope.sub_tenant_id),
  )
