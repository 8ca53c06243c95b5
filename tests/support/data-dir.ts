import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PLENTY_BYTES = 8e9

/**
 * A temporary data folder that the database's own user can enter, even if root runs the tests. `on` a disk for tests
 * that interrupt work, which has to take time.
 */
export function makeDataDir(purpose: string, on: 'disk' | 'any' = 'any'): string {
  const folder = mkdtempSync(join(on === 'any' && hasPlenty() ? MEMORY : tmpdir(), `liftwell-${purpose}-`))
  chmodSync(folder, 0o755)
  return folder
}

/** With plenty of memory, files in memory save a database a third of its system time. */
function hasPlenty(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > PLENTY_BYTES && freemem() > PLENTY_BYTES
  } catch {
    return false
  }
}
