/** Which places of the side navigation a person sees. */
import type { Role } from './actor.ts'
import { mayCreateJourney } from './permissions.ts'

/** In the order in which they stand; `create_journey` stands inside the LLJs group. */
export const PLACES = [
  'dashboard',
  'sponsoring',
  'users',
  'journeys',
  'create_journey',
  'analytics',
  'settings',
  'testing',
] as const
export type Place = (typeof PLACES)[number]

/** What each role sees; where creating and testing depend on the company, they are shown if it allows them; sponsoring is for sponsors. */
export const NAVIGATION: Readonly<Record<Role, readonly Place[]>> = {
  super_admin: PLACES,
  admin: PLACES,
  author: ['dashboard', 'sponsoring', 'journeys', 'create_journey', 'analytics'],
  user: ['dashboard', 'sponsoring'],
}

/** What decides it, of the current user. */
type Visitor = {
  roles: readonly Role[]
  is_super_admin: boolean
  is_impersonating: boolean
  should_enter_subtenant: boolean
  is_testing_tenant: boolean
  authors_may_create_drafts: boolean
  is_sponsor: boolean
}

export function navigationOf(visitor: Visitor): Place[] {
  const isOutside = visitor.is_super_admin && !visitor.is_impersonating
  // Until a tenant or sub-tenant is entered, no role is in force.
  if (isOutside || visitor.should_enter_subtenant) return ['dashboard']
  return PLACES.filter(
    (place) => visitor.roles.some((role) => NAVIGATION[role].includes(place)) && isOpen(place, visitor),
  )
}

function isOpen(place: Place, visitor: Visitor): boolean {
  if (place === 'create_journey') return mayCreateJourney(visitor, visitor)
  if (place === 'sponsoring') return visitor.is_sponsor
  return place !== 'testing' || visitor.is_testing_tenant
}
