/** Processor time in milliseconds of processes and their children, including ended ones. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const MS_PER_TICK = 10

type Stat = { parent: number; ticks: number }

export function processorMs(roots: readonly number[]): number {
  const all = new Map(readAll())
  const isOurs = (pid: number): boolean =>
    roots.includes(pid) || (all.has(pid) && isOurs((all.get(pid) as Stat).parent))
  let ticks = 0
  for (const [pid, stat] of all) if (isOurs(pid)) ticks += stat.ticks
  return ticks * MS_PER_TICK
}

function* readAll(): Generator<[number, Stat]> {
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : null
    if (stat) yield [Number(name), stat]
  }
}

/** Null for a process that has just ended. */
function readStat(pid: string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return null
  }
}
