import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Migrations and binaries are located from here, because this module also runs bundled in build/server. */
export const PACKAGE_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)))

function findRoot(folder: string): string {
  const file = join(folder, 'package.json')
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'liftwell') return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('The package.json of Liftwell is not above the running code.')
  return findRoot(parent)
}
