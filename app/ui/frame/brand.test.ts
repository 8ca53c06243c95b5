import { expect, it } from 'vitest'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { brandOf } from './brand.tsx'

const company = { id: '1', name: 'Northwind', logo: '/files/company' }
const brandIn = (current_sub_tenant: object | null) =>
  brandOf({ current_tenant: company, current_sub_tenant } as unknown as CurrentUser)

it('A sub-tenant shows its own name and logo, or its company’s logo', () => {
  expect(brandIn(null)).toEqual({ name: 'Northwind', logo: '/files/company' })
  expect(brandIn({ name: 'North', logo: '/files/north' })).toEqual({ name: 'North', logo: '/files/north' })
  expect(brandIn({ name: 'South', logo: null })).toEqual({ name: 'South', logo: '/files/company' })
})
