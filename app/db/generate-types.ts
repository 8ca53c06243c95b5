/** Writes schema.ts, the types of every table the domain may read, from a migrated database. */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PACKAGE_ROOT } from './package-root.ts'

const require = createRequire(import.meta.url)

/** As connect.server.ts parses them. */
const TYPES = { int8: 'number', numeric: 'number', date: 'string', time: 'string', timestamp: 'string' }

/** With `verify`, writes nothing and fails when the types are out of date. */
export function generateTypes(url: string, { verify = false } = {}): void {
  const options = [
    ['--dialect', 'postgres'],
    ['--url', url],
    ['--out-file', join(PACKAGE_ROOT, 'app/db/schema.ts')],
    ['--exclude-pattern', '(identity.*|graphile_worker.*|public.schema_migrations)'],
    ['--type-mapping', JSON.stringify(TYPES)],
    verify ? ['--verify'] : [],
  ]
  const program = require.resolve('kysely-codegen/dist/cli/bin.js')
  execFileSync(process.execPath, [program, ...options.flat()], { stdio: 'pipe' })
}
