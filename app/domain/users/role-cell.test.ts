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
] as const)('reads what was written: %j', (roles) => {
  expect(readRoles(writeRoles(roles))).toEqual(roles)
})

it('says what it cannot read, and nothing of an empty cell', () => {
  expect(readRoles('boss@Europe')).toContain('A role is one of')
  expect(readRoles('admin|boss')).toContain('A role is one of')
  expect(readRoles('none|admin')).toContain('A role is one of')
  expect(readRoles('  ')).toBeNull()
})
