/** What each role may do; a person with several roles may do what any of them allows. docs/permissions.md shows the table. */
import type { Role } from './actor.ts'

export const LIMITS = {
  all: 'yes',
  own: 'own only',
  if_company_allows: 'own drafts, where the company allows it',
  learner: 'learner module only',
  author: 'author and learner modules',
  outside_tenants: 'outside every tenant',
  whole_tenant: 'outside every sub-tenant',
} as const
type Limit = keyof typeof LIMITS

const ADMIN = {
  company: { view: 'all', edit: 'all' },
  users: { view: 'all', edit: 'all', create: 'all' },
  journeys: { view: 'all', edit: 'all', create: 'all', edit_author: 'all' },
  // Assessments are edited with the permission for their journey.
  assessments: { reopen: 'all' },
  dashboard: { view: 'all' },
  analytics: { view: 'all' },
  audit: { view: 'all' },
  sub_tenants: { manage: 'whole_tenant' },
} as const satisfies Rights

type Rights = Readonly<Record<string, Readonly<Record<string, Limit>>>>

export const PERMISSIONS = {
  super_admin: { ...ADMIN, tenants: { manage: 'outside_tenants' } },
  admin: ADMIN,
  author: {
    users: { view: 'all', edit: 'own' },
    journeys: { view: 'all', edit: 'own', create: 'if_company_allows' },
    dashboard: { view: 'author' },
    analytics: { view: 'all' },
  },
  user: {
    users: { view: 'all', edit: 'own' },
    dashboard: { view: 'learner' },
  },
} as const satisfies Record<Role, Rights>

type Table = (typeof PERMISSIONS)['super_admin']
/** `users:edit`: a resource and an action. */
export type Permission = { [R in keyof Table]: `${R}:${keyof Table[R] & string}` }[keyof Table]

type Holder = { readonly roles: readonly Role[] }

export function limitOf(role: Role, permission: Permission): Limit | undefined {
  const [resource = '', action = ''] = permission.split(':')
  return (PERMISSIONS[role] as Rights)[resource]?.[action]
}

const reaches = (who: Holder, permission: Permission, ...limits: Limit[]): boolean =>
  who.roles.some((role) => limits.some((limit) => limitOf(role, permission) === limit))

export const may = (who: Holder, permission: Permission): boolean => reaches(who, permission, 'all')

type Person = Holder & { readonly user_id: number | null }

/** Everybody may edit themselves; administrators may edit everybody. */
export const mayEditUser = (who: Person, userId: number): boolean =>
  may(who, 'users:edit') || (reaches(who, 'users:edit', 'own') && who.user_id === userId)

type InSubTenant = { readonly sub_tenant_id: string | null }

/** Administrators may edit the journeys of their scope, authors their own; inside a sub-tenant, only those of that sub-tenant. */
export const mayEditJourney = (
  who: Person & InSubTenant,
  journey: { author_id: number; sub_tenant_id: string | null },
): boolean =>
  (who.sub_tenant_id === null || who.sub_tenant_id === journey.sub_tenant_id) &&
  (may(who, 'journeys:edit') || (reaches(who, 'journeys:edit', 'own') && journey.author_id === who.user_id))

/** Authors may create journeys only if their company allows it. */
export const mayCreateJourney = (who: Holder, company: { authors_may_create_drafts: boolean }): boolean =>
  may(who, 'journeys:create') ||
  (company.authors_may_create_drafts && reaches(who, 'journeys:create', 'if_company_allows'))

/** The modules of the dashboard; each contains the modules after it in this list. */
export const mayViewDashboard = (who: Holder, module: 'all' | 'author' | 'learner'): boolean => {
  const wide = ['all', 'author', 'learner'] as const
  return reaches(who, 'dashboard:view', ...wide.slice(0, wide.indexOf(module) + 1))
}

type Placed = Holder & { readonly is_impersonating: boolean; readonly sub_tenant_id: string | null }

export const mayManageTenants = (who: Placed): boolean =>
  !who.is_impersonating && reaches(who, 'tenants:manage', 'outside_tenants')

/** Sub-tenants are managed from the tenant, not from inside one of them. */
export const mayManageSubTenants = (who: Placed): boolean =>
  who.sub_tenant_id === null && reaches(who, 'sub_tenants:manage', 'whole_tenant')
