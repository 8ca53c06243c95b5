import { readSecret } from './cluster.server.ts'
import type { Home } from './home.server.ts'
import { readPidFile } from './pid-file.server.ts'
import { urlOf } from './postmaster.server.ts'
import { beginningOf } from './process-identity.server.ts'

/** The superuser's URL; null when no server runs. */
export function urlOfRunning(home: Home): string | null {
  const server = readPidFile(home.folder)
  if (!server || beginningOf(server.pid) === undefined) return null
  const endpoint = server.socketFolder ? { socketFolder: server.socketFolder } : { port: server.port }
  return urlOf(endpoint, readSecret(home.folder))
}
