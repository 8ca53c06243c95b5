/** Which places of the side navigation a person sees. */
import type { Role } from './actor.ts'
import { mayCreateJourney } from './permissions.ts'

/** In the order in which they stand; `create_journey` stands inside the LLJs group. */
const PLACES = [
  'dashboard',
  'users',
  'journeys',
  'create_journey',
  'analytics',
  'settings',
  'testing',
] as const
export type Place = (typeof PLACES)[number]

/** What decides it, of the current user. */
type Visitor = {
  roles: readonly Role[]
  is_super_admin: boolean
  is_impersonating: boolean
  should_enter_subtenant: boolean
  is_testing_tenant: boolean
  authors_may_create_drafts: boolean
}

export function navigationOf(visitor: Visitor): Place[] {
  // Until a sub-tenant is chosen, no role is in force.
  if (visitor.should_enter_subtenant) return ['dashboard']
  const seen = new Set(visitor.roles.flatMap((role) => placesOf(role, visitor)))
  return PLACES.filter((place) => seen.has(place))
}

function placesOf(role: Role, visitor: Visitor): readonly Place[] {
  const outside = visitor.is_super_admin && !visitor.is_impersonating
  if (role === 'user' || outside) return ['dashboard']
  if (role === 'author') {
    const group = mayCreateJourney(visitor, visitor)
      ? (['journeys', 'create_journey'] as const)
      : (['journeys'] as const)
    return ['dashboard', ...group, 'analytics']
  }
  const testing = role === 'super_admin' && visitor.is_testing_tenant
  return testing ? PLACES : PLACES.filter((place) => place !== 'testing')
}
