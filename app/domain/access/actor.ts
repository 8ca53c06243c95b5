/** Who acts, on whose data, and with which roles. Computed once per request, by app/auth. */

export const ROLES = ['super_admin', 'admin', 'author', 'user'] as const
export type Role = (typeof ROLES)[number]

/** A general role of a person; `sub_tenant_id` null means the whole tenant. */
export type GeneralRole = {
  role: Exclude<Role, 'super_admin'>
  tenant_id: string
  sub_tenant_id: string | null
}

export type Actor = {
  /** The person who is signed in; null only for the system itself (seed, jobs). */
  readonly user_id: number | null
  readonly email: string | null
  readonly home_tenant_id: string
  /** Whose rows Postgres shows: the home tenant, or the impersonated one. */
  readonly tenant_id: string
  readonly sub_tenant_id: string | null
  readonly roles: readonly Role[]
  readonly general_roles: readonly GeneralRole[]
  readonly is_super_admin: boolean
  readonly is_impersonating: boolean
  /** The API key through which the person, its maker, acts. */
  readonly api_key?: { readonly id: number; readonly name: string }
  /** Acts only as a participant of journeys, without any role: row-level security then shows a participant's rows. */
  readonly as_participant?: boolean
}

/** The place whose people the actor sees, in words. */
export const placeOf = ({ sub_tenant_id }: Actor): string =>
  sub_tenant_id === null ? 'your company' : 'your sub-tenant'

export const isOperator = (actor: Actor): boolean => actor.is_super_admin && !actor.is_impersonating
