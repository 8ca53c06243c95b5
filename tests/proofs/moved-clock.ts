/** Moves the clock of programs, including PostgreSQL, by Debian's libfaketime. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

/** Finds the library, or installs it where possible. */
export function findLibrary(): string {
  const find = () => globSync('/usr/lib/{*/,}faketime/libfaketimeMT.so.1').find((path) => existsSync(path))
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  if (!find() && process.getuid?.() === 0) {
    run('apt-get', 'update', '-qq')
    run('apt-get', 'install', '-y', '-qq', 'libfaketime')
  }
  const found = find()
  if (!found) throw new Error('Moving the clock needs libfaketime (Debian: apt-get install libfaketime).')
  return found
}
