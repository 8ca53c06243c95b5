import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary data folder that the database's own user can enter, also when root runs the tests. */
export function makeDataDir(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `liftwell-${purpose}-`))
  chmodSync(folder, 0o755)
  return folder
}
