/** What each role may do; whoever holds several roles may do what any of them allows. */
import type { Role } from './actor.ts'

/** An actor, or the current user as the API answers them. */
type Holder = { readonly roles: readonly Role[] }

const ADMIN = [
  'company:view',
  'users:view',
  'users:edit',
  'users:create',
  'journeys:view',
  'journeys:edit',
  'journeys:create',
  'journeys:edit_author',
  'dashboard:view',
  'dashboard:author',
  'dashboard:learner',
  'analytics:view',
] as const

export type Permission = (typeof ADMIN)[number]

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  super_admin: ADMIN,
  admin: ADMIN,
  author: ['users:view', 'journeys:view', 'dashboard:author', 'dashboard:learner', 'analytics:view'],
  user: ['users:view', 'dashboard:learner'],
}

export const may = (who: Holder, permission: Permission): boolean =>
  who.roles.some((role) => PERMISSIONS[role].includes(permission))

/** Everybody edits themselves, administrators edit everybody. */
export const mayEditUser = (who: Holder & { readonly user_id: number | null }, userId: number): boolean =>
  may(who, 'users:edit') || who.user_id === userId

/** Authors edit the journeys of which they are the author. */
export const mayEditJourney = (
  who: Holder & { readonly user_id: number | null },
  journey: { author_id: number },
): boolean => may(who, 'journeys:edit') || (who.roles.includes('author') && journey.author_id === who.user_id)

/** Authors begin journeys only where their company lets them. */
export const mayCreateJourney = (who: Holder, company: { authors_may_create_drafts: boolean }): boolean =>
  may(who, 'journeys:create') || (who.roles.includes('author') && company.authors_may_create_drafts)
