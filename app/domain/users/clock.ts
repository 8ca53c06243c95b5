/** By which clock a person reads the time: their own, that of the sub-tenant they are in, or the company's. */
import type { CurrentUser } from './current-user.ts'

type Placed = Pick<CurrentUser, 'tenant' | 'current_tenant' | 'current_sub_tenant' | 'is_impersonating'>

/** In the company where they are now. */
export const zoneHere = (user: Placed & Pick<CurrentUser, 'timezone'>): string =>
  user.timezone ?? user.current_sub_tenant?.timezone ?? user.current_tenant.timezone

/** In their own company, whichever they are inside. */
export const zoneAtHome = (user: Placed & Pick<CurrentUser, 'timezone'>): string =>
  user.timezone ?? clockAtHome(user).timezone

/** The clock there of whoever has none of their own, and whose it is. */
export function clockAtHome({ tenant, current_sub_tenant, is_impersonating }: Placed) {
  const { name, timezone } = (!is_impersonating && current_sub_tenant) || { name: '', timezone: null }
  return timezone ? { of: name, timezone } : { of: 'the company', timezone: tenant.timezone }
}
