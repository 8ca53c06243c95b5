import { describe, expect, it } from 'vitest'
import type { Actor, Role } from './actor.ts'
import {
  may,
  mayCreateJourney,
  mayEditJourney,
  mayEditUser,
  mayManageSubTenants,
  mayManageTenants,
  mayViewDashboard,
  type Permission,
} from './permissions.ts'
import { enterableSubTenants, hasMoreThanOneSubTenant, isAdmin, mayEditCompany } from './tenancy.ts'

const actor = (roles: Role[], more: Partial<Actor> = {}): Actor => ({
  user_id: 1,
  email: 'a@b.example',
  home_tenant_id: 'home',
  tenant_id: 'home',
  sub_tenant_id: null,
  roles,
  general_roles: [],
  is_super_admin: roles.includes('super_admin'),
  is_impersonating: false,
  ...more,
})

/** The table in section 6 of the specification. */
const TABLE: Partial<Record<Permission, Role[]>> = {
  'company:view': ['super_admin', 'admin'],
  'company:edit': ['super_admin', 'admin'],
  'audit:view': ['super_admin', 'admin'],
  'users:view': ['super_admin', 'admin', 'author', 'user'],
  'users:edit': ['super_admin', 'admin'],
  'users:create': ['super_admin', 'admin'],
  'journeys:view': ['super_admin', 'admin', 'author'],
  'journeys:edit': ['super_admin', 'admin'],
  'journeys:create': ['super_admin', 'admin'],
  'journeys:edit_author': ['super_admin', 'admin'],
  'assessments:reopen': ['super_admin', 'admin'],
  'dashboard:view': ['super_admin', 'admin'],
  'analytics:view': ['super_admin', 'admin', 'author'],
}

describe('Permissions', () => {
  it.each(Object.entries(TABLE))('grant %s to %j only', (permission, roles) => {
    const holders = (['super_admin', 'admin', 'author', 'user'] as const).filter((role) =>
      may(actor([role]), permission as Permission),
    )
    expect(holders).toEqual(roles)
    expect(may(actor([]), permission as Permission)).toBe(false)
  })

  it('show everyone the learner’s part of the dashboard, and the author’s only to authors and above', () => {
    const holders = (module: 'all' | 'author' | 'learner') =>
      (['super_admin', 'admin', 'author', 'user'] as const).filter((role) =>
        mayViewDashboard(actor([role]), module),
      )
    expect(holders('all')).toEqual(['super_admin', 'admin'])
    expect(holders('author')).toEqual(['super_admin', 'admin', 'author'])
    expect(holders('learner')).toEqual(['super_admin', 'admin', 'author', 'user'])
  })

  it('let people edit themselves, and authors edit their own journeys in their sub-tenant', () => {
    expect(mayEditUser(actor(['user']), 1)).toBe(true)
    expect(mayEditUser(actor(['author']), 2)).toBe(false)
    const by = (author_id: number, sub_tenant_id: string | null = null) => ({ author_id, sub_tenant_id })
    expect(mayEditJourney(actor(['author']), by(1))).toBe(true)
    expect(mayEditJourney(actor(['author']), by(2))).toBe(false)
    expect(mayEditJourney(actor(['user']), by(1))).toBe(false)
    for (const role of ['author', 'admin', 'super_admin'] as const) {
      expect(mayEditJourney(actor([role]), by(1, 'north'))).toBe(true)
      expect(mayEditJourney(actor([role], { sub_tenant_id: 'north' }), by(1, 'north'))).toBe(true)
      expect(mayEditJourney(actor([role], { sub_tenant_id: 'north' }), by(1, 'south'))).toBe(false)
      expect(mayEditJourney(actor([role], { sub_tenant_id: 'north' }), by(1))).toBe(false)
    }
    expect(mayCreateJourney(actor(['author']), { authors_may_create_drafts: false })).toBe(false)
    expect(mayCreateJourney(actor(['author']), { authors_may_create_drafts: true })).toBe(true)
    expect(mayCreateJourney(actor(['user']), { authors_may_create_drafts: true })).toBe(false)
  })

  it('limit tenants to super admins, and sub-tenants and settings to company administrators', () => {
    expect(mayManageTenants(actor(['super_admin', 'admin']))).toBe(true)
    expect(mayManageTenants(actor(['super_admin', 'admin'], { is_impersonating: true }))).toBe(false)
    expect(mayManageTenants(actor(['admin']))).toBe(false)
    expect(mayManageSubTenants(actor(['admin']))).toBe(true)
    expect(mayManageSubTenants(actor(['admin'], { sub_tenant_id: 'north' }))).toBe(false)
    expect(mayEditCompany(actor(['admin'], { sub_tenant_id: 'north' }))).toBe(false)
  })

  it('let people enter the sub-tenants in which they have a role, or all of them', () => {
    const role = (sub_tenant_id: string | null) => ({
      role: 'user' as const,
      tenant_id: 'home',
      sub_tenant_id,
    })
    expect(enterableSubTenants(actor(['user'], { general_roles: [role('north')] }))).toEqual(['north'])
    expect(enterableSubTenants(actor(['user'], { general_roles: [role('north'), role(null)] }))).toBeNull()
    expect(enterableSubTenants(actor([], { general_roles: [] }))).toEqual([])
    expect(enterableSubTenants(actor(['super_admin']))).toBeNull()
  })

  it('recognize administrators, and administrators with more than one sub-tenant', () => {
    const held = (role: 'admin' | 'user', sub_tenant_id: string | null, tenant_id = 'home') => ({
      role,
      tenant_id,
      sub_tenant_id,
    })
    const of = (...general_roles: ReturnType<typeof held>[]) => actor([], { general_roles })
    expect(isAdmin(actor(['admin']))).toBe(true)
    expect(isAdmin(of(held('admin', 'north')))).toBe(true)
    expect(isAdmin({ ...of(held('admin', 'north')), sub_tenant_id: 'south' })).toBe(false)
    expect(isAdmin(of(held('admin', null, 'elsewhere')))).toBe(false)
    expect(hasMoreThanOneSubTenant(of(held('admin', 'north'), held('user', 'south')))).toBe(true)
    expect(hasMoreThanOneSubTenant(of(held('admin', 'north'), held('user', 'north')))).toBe(false)
    expect(hasMoreThanOneSubTenant(of(held('user', 'north'), held('user', 'south')))).toBe(false)
  })
})
