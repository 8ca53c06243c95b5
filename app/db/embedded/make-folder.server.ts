import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isRoot } from './account.server.ts'

/** Creates each folder by itself: Node's recursive call never returns where an existing parent gives ENOENT (/proc). */
export function makeFolder(folder: string, mode?: number): void {
  const path = resolve(folder)
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created it first.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Private to its owner. Started by root, the database's own user has to pass through it. */
export const makeDataFolder = (folder: string): void => makeFolder(folder, isRoot() ? 0o711 : 0o700)
