/** The time zone in which a person reads times: their own, that of their current sub-tenant, or the company's. */
import type { CurrentUser } from './current-user.ts'

type Placed = Pick<CurrentUser, 'tenant' | 'current_tenant' | 'current_sub_tenant' | 'is_impersonating'>

/** In their current company. */
export const zoneHere = (user: Placed & Pick<CurrentUser, 'timezone'>): string =>
  user.timezone ?? user.current_sub_tenant?.timezone ?? user.current_tenant.timezone

/** In their own company, even while impersonating another. */
export const zoneAtHome = (user: Placed & Pick<CurrentUser, 'timezone'>): string =>
  user.timezone ?? clockAtHome(user).timezone

/** The time zone there for people without their own, and the name of the place that it comes from. */
export function clockAtHome({ tenant, current_sub_tenant, is_impersonating }: Placed) {
  const { name, timezone } = (!is_impersonating && current_sub_tenant) || { name: '', timezone: null }
  return timezone ? { of: name, timezone } : { of: 'the company', timezone: tenant.timezone }
}
