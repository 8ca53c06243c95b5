/** What a run has counted, by kind of fault, and its misses with their evidence. */
import { performance } from 'node:perf_hooks'

export type Tally = {
  faults: number
  requests: number
  /** Answers of 503 with a Retry-After, as wanted during an outage. */
  unavailable: number
  failures: number
  hung: number
  cut: number
  wrong: number
  /** Processes that ended although nobody stopped them. */
  ended: number
  /** Milliseconds from the end of each fault until everything served and sent again. */
  ready: number[]
  misses: number
}

export type Miss = { kind: string; at: string; what: string; evidence: string }

/** Further misses of the same kind are counted, but not shown. */
const SHOWN_OF_EACH = 3

const empty = (): Tally => ({
  faults: 0,
  requests: 0,
  unavailable: 0,
  failures: 0,
  hung: 0,
  cut: 0,
  wrong: 0,
  ended: 0,
  ready: [],
  misses: 0,
})

export class Findings {
  readonly tallies = new Map<string, Tally>()
  readonly skipped = new Map<string, string>()
  readonly misses: Miss[] = []
  /** The current kind of fault, or the last one. */
  kind = 'before the first fault'
  /** Every line that the product's processes have logged since this fault began. */
  recent: string[] = []
  #shown = new Map<string, number>()
  readonly #began = performance.now()

  tally(kind = this.kind): Tally {
    const known = this.tallies.get(kind)
    if (known) return known
    const made = empty()
    this.tallies.set(kind, made)
    return made
  }

  begin(kind: string): void {
    this.kind = kind
    this.recent = []
    this.tally().faults += 1
  }

  miss(what: string, evidence = '', kind = this.kind): void {
    const tally = this.tally(kind)
    tally.misses += 1
    const sort = `${kind}: ${what.replace(/\d+/g, '#')}`
    const shown = (this.#shown.get(sort) ?? 0) + 1
    this.#shown.set(sort, shown)
    if (shown > SHOWN_OF_EACH) return
    const miss = { kind, at: this.clock(), what, evidence }
    this.misses.push(miss)
    console.log(`  MISSED ${miss.at} ${what}`)
  }

  /** The product's last log lines, as evidence of a miss. */
  lastLines(count = 6): string {
    return this.recent.slice(-count).map(shorten).join('\n')
  }

  clock(): string {
    const seconds = Math.floor((performance.now() - this.#began) / 1000)
    return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
  }

  get missed(): number {
    return [...this.tallies.values()].reduce((sum, { misses }) => sum + misses, 0)
  }
}

/** A log line in readable form. */
function shorten(line: string): string {
  const [, name = '', text = line] = /^([\w ]+): (\{.*)$/.exec(line) ?? []
  try {
    const { level, ts, event, err, method, path, status, ms, message } = JSON.parse(text)
    const why = err && `${err.message}${err.code ? ` (${err.code})` : ''}`
    return [
      name,
      String(ts).slice(11, 23),
      level,
      event,
      message,
      why,
      method,
      path,
      status,
      ms && `${ms} ms`,
    ]
      .filter(Boolean)
      .join(' ')
      .slice(0, 300)
  } catch {
    return line.slice(0, 300)
  }
}
