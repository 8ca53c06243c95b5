/** Reads postmaster.pid, which a running PostgreSQL keeps in its data folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type PidFile = {
  pid: number
  /** Seconds since 1970. */
  startedAt: number
  port: number
  /** Empty without a socket. */
  socketFolder: string
  isReady: boolean
}

export const pidFileOf = (folder: string): string => join(folder, 'postmaster.pid')

export function readPidFile(folder: string): PidFile | undefined {
  try {
    const [pid, , startedAt, port, socketFolder, , , status] = readFileSync(pidFileOf(folder), 'utf8').split(
      '\n',
    )
    return {
      pid: Math.abs(Number(pid)),
      startedAt: Number(startedAt),
      port: Number(port),
      socketFolder: socketFolder?.trim() ?? '',
      isReady: status?.trim() === 'ready',
    }
  } catch {
    return undefined
  }
}
