/** A backup taken while messages are sent, and restored after more have been sent, as an operator would. */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Site } from '../faults/site.ts'

const run = promisify(execFile)
const ACCOUNTS = 'demo-accounts.json'

export type Backup = { folder: string; at: number }

const command = async (site: Site, name: 'backup' | 'restore', folder: string): Promise<string> => {
  const env = { ...process.env, ...site.env, NODE_ENV: 'production' as const, DATA_DIR: site.dataDir }
  const { stdout } = await run(process.execPath, [`app/commands/${name}.ts`, folder], { env })
  return stdout.trim()
}

export async function takeBackup(site: Site): Promise<Backup> {
  const folder = join(mkdtempSync(join(tmpdir(), 'liftwell-backup-')), 'backup')
  const at = Date.now()
  await command(site, 'backup', folder)
  return { folder, at }
}

/** Restores into the same folder, emptied, which keeps the disk that faults fill. Returns the command's output. */
export async function restoreBackup(site: Site, { folder }: Backup): Promise<string> {
  const { product, dataDir } = site
  await product.stop()
  copyFileSync(join(dataDir, ACCOUNTS), join(folder, '..', ACCOUNTS))
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
  const said = await command(site, 'restore', folder)
  copyFileSync(join(folder, '..', ACCOUNTS), join(dataDir, ACCOUNTS))
  rmSync(join(folder, '..'), { recursive: true, force: true })
  for (const part of product.parts) await product.start(part)
  return said
}
