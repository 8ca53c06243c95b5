/** Seeds the demo once: every worker's product begins with a copy of its data folder. */
import { rmSync } from 'node:fs'
import { makeDataDir } from '../support/data-dir.ts'
import { freePort, startProcess, stopProcess } from '../support/process.ts'
import { OWN_CONFIGURATION } from './product.ts'

export default async function seed(): Promise<() => void> {
  const dataDir = makeDataDir('e2e')
  await stopProcess(await startProcess(dataDir, await freePort(), OWN_CONFIGURATION))
  process.env.E2E_SEEDED = dataDir
  return () => rmSync(dataDir, { recursive: true, force: true })
}
