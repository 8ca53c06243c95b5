/** `npm run docs:permissions` writes docs/permissions.md. */
import { writeFileSync } from 'node:fs'
import { permissionsPage } from '../domain/access/permissions-page.ts'

writeFileSync('docs/permissions.md', permissionsPage())
