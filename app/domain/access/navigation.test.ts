import { describe, expect, it } from 'vitest'
import type { Role } from './actor.ts'
import { navigationOf } from './navigation.ts'

const EVERYTHING = ['dashboard', 'users', 'journeys', 'create_journey', 'analytics', 'settings']

const visitor = (role: Role, more: Partial<Parameters<typeof navigationOf>[0]> = {}) => ({
  roles: [role],
  is_super_admin: role === 'super_admin',
  is_impersonating: false,
  should_enter_subtenant: false,
  is_testing_tenant: false,
  authors_may_create_drafts: false,
  is_sponsor: false,
  ...more,
})

describe('The side navigation', () => {
  it('shows a super admin outside every tenant only the dashboard', () => {
    expect(navigationOf(visitor('super_admin'))).toEqual(['dashboard'])
    expect(navigationOf(visitor('super_admin', { is_testing_tenant: true }))).toEqual(['dashboard'])
  })

  it('shows an impersonating super admin everything, and the testing area only in its tenant', () => {
    const inside = { roles: ['super_admin', 'admin'] as Role[], is_impersonating: true }
    expect(navigationOf(visitor('super_admin', inside))).toEqual(EVERYTHING)
    expect(navigationOf(visitor('super_admin', { ...inside, is_testing_tenant: true }))).toEqual([
      ...EVERYTHING,
      'testing',
    ])
    expect(navigationOf(visitor('super_admin', { ...inside, should_enter_subtenant: true }))).toEqual([
      'dashboard',
    ])
  })

  it('shows an administrator everything, but only the dashboard before a sub-tenant is entered', () => {
    expect(navigationOf(visitor('admin'))).toEqual(EVERYTHING)
    expect(navigationOf(visitor('admin', { is_testing_tenant: true }))).toEqual([...EVERYTHING, 'testing'])
    expect(navigationOf(visitor('admin', { should_enter_subtenant: true }))).toEqual(['dashboard'])
  })

  it('shows a user only the dashboard, and a sponsor also their learners', () => {
    expect(navigationOf(visitor('user'))).toEqual(['dashboard'])
    expect(navigationOf(visitor('user', { is_sponsor: true }))).toEqual(['dashboard', 'your_learners'])
  })

  it('shows an author journeys and analytics, and creating journeys if the company allows it', () => {
    expect(navigationOf(visitor('author'))).toEqual(['dashboard', 'journeys', 'analytics'])
    expect(navigationOf(visitor('author', { authors_may_create_drafts: true }))).toEqual([
      'dashboard',
      'journeys',
      'create_journey',
      'analytics',
    ])
  })

  it('shows a person with several roles everything that any of the roles shows', () => {
    expect(navigationOf(visitor('user', { roles: ['user', 'author'] }))).toEqual([
      'dashboard',
      'journeys',
      'analytics',
    ])
  })
})
