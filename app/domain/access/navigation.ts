/** Which items of the side navigation a person sees. */
import type { Role } from './actor.ts'
import { mayCreateJourney } from './permissions.ts'

export const NAVIGATION_ITEMS = [
  'dashboard',
  'your_learners',
  'users',
  'journeys',
  'create_journey',
  'analytics',
  'settings',
  'testing',
] as const
export type NavigationItem = (typeof NAVIGATION_ITEMS)[number]

/** What each role sees. Creating and testing are shown only if the company allows them, "Your learners" only to sponsors. */
export const NAVIGATION: Readonly<Record<Role, readonly NavigationItem[]>> = {
  super_admin: NAVIGATION_ITEMS,
  admin: NAVIGATION_ITEMS,
  author: ['dashboard', 'your_learners', 'journeys', 'create_journey', 'analytics'],
  user: ['dashboard', 'your_learners'],
}

type Visitor = {
  roles: readonly Role[]
  is_super_admin: boolean
  is_impersonating: boolean
  should_enter_subtenant: boolean
  is_testing_tenant: boolean
  authors_may_create_drafts: boolean
  is_sponsor: boolean
}

export function navigationOf(visitor: Visitor): NavigationItem[] {
  const isOutside = visitor.is_super_admin && !visitor.is_impersonating
  // Until a tenant or sub-tenant is entered, no role is in force.
  if (isOutside || visitor.should_enter_subtenant) return ['dashboard']
  return NAVIGATION_ITEMS.filter(
    (item) => visitor.roles.some((role) => NAVIGATION[role].includes(item)) && isOpen(item, visitor),
  )
}

function isOpen(item: NavigationItem, visitor: Visitor): boolean {
  if (item === 'create_journey') return mayCreateJourney(visitor, visitor)
  if (item === 'your_learners') return visitor.is_sponsor
  return item !== 'testing' || visitor.is_testing_tenant
}
