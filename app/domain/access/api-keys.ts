/** What a key of the HTTP API may stand for, and who looks after keys. */
import type { Actor, GeneralRole } from './actor.ts'
import { may } from './permissions.ts'

export const mayManageApiKeys = (actor: Actor): boolean => !actor.api_key && may(actor, 'company:edit')

/** People of the company only: what a super admin may do inside it ends with the visit. */
export const mayMakeApiKeys = (actor: Actor): boolean =>
  mayManageApiKeys(actor) && !actor.is_super_admin && actor.user_id !== null

type Maker = { tenant_id: string; is_super_admin: boolean; roles: readonly GeneralRole[] }
type KeyScope = { tenant_id: string; sub_tenant_id: string | null }

/** A key lasts as long as its maker could make it: an administrator of the company, or of the key's sub-tenant. */
export const couldMakeApiKey = (maker: Maker, scope: KeyScope): boolean =>
  !maker.is_super_admin &&
  maker.tenant_id === scope.tenant_id &&
  maker.roles.some(
    ({ role, tenant_id, sub_tenant_id }) =>
      role === 'admin' &&
      tenant_id === scope.tenant_id &&
      (sub_tenant_id === null || sub_tenant_id === scope.sub_tenant_id),
  )
