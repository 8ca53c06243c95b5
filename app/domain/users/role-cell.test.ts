import { expect, it } from 'vitest'
import { readRoles, writeRoles } from './role-cell.ts'

it.each([
  [[{ role: 'admin', place: null }]],
  [[]],
  [
    [
      { role: 'admin', place: 'Europe' },
      { role: 'user', place: 'Americas' },
      { role: 'author', place: null },
    ],
  ],
  [
    [
      { role: 'user', place: 'A|B @ home\\' },
      { role: 'admin', place: '|' },
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
