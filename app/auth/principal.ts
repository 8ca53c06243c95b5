/** A person who has proved who they are, as the database's lookup functions return them. */
import type { GeneralRole } from '#app/domain/access/actor.ts'

export type Principal = {
  user_id: number
  tenant_id: string
  email: string
  first_name: string
  last_name: string
  activation_status: 'invited' | 'active' | 'disabled'
  is_super_admin: boolean
  is_asked_for_second_factor: boolean
  accepted_terms_on: Date | null
  tenant_status: 'active' | 'inactive'
  pool_id: string
  roles: GeneralRole[]
}

export const isLetIn = (principal: Pick<Principal, 'activation_status' | 'tenant_status'>): boolean =>
  principal.activation_status !== 'disabled' && principal.tenant_status === 'active'

/** There is no such person, or they no longer have access: the API answers 401. */
export class UnauthorizedError extends Error {
  readonly status = 401
  readonly detail: string

  /** `reason` is for the log; the caller learns nothing from it. */
  constructor(reason: string, detail = 'Authentication is required.') {
    super(reason)
    this.detail = detail
    this.name = 'UnauthorizedError'
  }
}

/** The provider did not answer, or not as the protocol requires: an outage, not a refusal of the person. */
export class ProviderAwayError extends Error {
  constructor(cause: unknown) {
    super('The identity provider did not answer.', { cause })
    this.name = 'ProviderAwayError'
  }
}

/** The pool cannot be used as configured: for an administrator to correct, not a refusal of the person. */
export class PoolConfigurationError extends Error {
  constructor(pool_id: string, why: string) {
    super(`The pool ${pool_id} is not configured: ${why}`)
    this.name = 'PoolConfigurationError'
  }
}
