/** Tells whether a recorded process is still the one that runs under its pid. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { CHILD_ENVIRONMENT } from './account.server.ts'

/** The start time of a process, in the system's own format; undefined when it does not run. */
export function beginningOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return linuxBeginning(pid)
    process.kill(pid, 0)
    if (process.platform === 'win32') return 'running'
    const since = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: CHILD_ENVIRONMENT,
      encoding: 'utf8',
    })
    return since.trim() || undefined
  } catch {
    return undefined
  }
}

function linuxBeginning(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The program's name, in parentheses, may itself contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, ticks] = [fields[0], fields[19]]
  if (state === 'Z' || state === 'X') return undefined
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot}/${ticks}`
}
