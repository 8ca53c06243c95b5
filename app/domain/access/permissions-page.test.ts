import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { permissionsPage } from './permissions-page.ts'

it('docs/permissions.md is what `npm run docs:permissions` writes', () => {
  expect(readFileSync('docs/permissions.md', 'utf8')).toBe(permissionsPage())
})
