import { expect, it } from 'vitest'
import { readRoles, writeRoles } from './role-cell.ts'

it.each([
  [[{ role: 'admin', subTenant: null }]],
  [[]],
  [
    [
      { role: 'admin', subTenant: 'Europe' },
      { role: 'user', subTenant: 'Americas' },
      { role: 'author', subTenant: null },
    ],
  ],
  [
    [
      { role: 'user', subTenant: 'A|B @ home\\' },
      { role: 'admin', subTenant: '|' },
    ],
  ],
] as const)('A cell with roles is read back as it was written: %j', (roles) => {
  expect(readRoles(writeRoles(roles))).toEqual(roles)
})

it('A cell with invalid roles is explained, and a blank one is ignored', () => {
  expect(readRoles('boss@Europe')).toContain('A role is one of')
  expect(readRoles('admin|boss')).toContain('A role is one of')
  expect(readRoles('none|admin')).toContain('A role is one of')
  expect(readRoles('  ')).toBeNull()
})
