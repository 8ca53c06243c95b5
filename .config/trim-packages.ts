/**
 * After each install, removes what packages contain and nothing here uses. Node's C++ headers, source maps and
 * Sentry's command make the difference between 850 MB and 700 MB (docs/dependencies.md).
 */
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '../node_modules')

for (const found of [
  ...globSync('node/node_modules/node-*/{include,share,lib,CHANGELOG.md}', { cwd: packages }),
  ...globSync('@sentry/cli-*', { cwd: packages }),
  // Translations.
  ...globSync('typescript/lib/*/', { cwd: packages }),
  ...globSync('**/*.{js,cjs,mjs,css,d.ts,d.cts,d.mts}.map', { cwd: packages }),
])
  rmSync(join(packages, found), { recursive: true, force: true })
