import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isRoot } from './account.server.ts'

/** Step by step: Node's recursive call never returns where the system answers ENOENT below a parent (as in /proc). */
export function makeFolder(folder: string, mode?: number): void {
  const path = resolve(folder)
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** For its owner only. Started by root, the database's own user has to walk through it. */
export const makeDataFolder = (folder: string): void => makeFolder(folder, isRoot() ? 0o711 : 0o700)
