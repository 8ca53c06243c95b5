/** Watches which parts of the work wait for the database, and since when: a stalled sender would otherwise go unnoticed. */

/** Longer than it takes to notice a dead connection and to open another one. */
const PATIENCE_MS = 15_000

export type Pulse = {
  /** The part asks the database; a question that failed or was not answered still counts as waiting. */
  begin(part: string): void
  done(part: string): void
  of<Result>(part: string, ask: () => Promise<Result>): Promise<Result>
  /** Parts that have waited too long for the database. Waiting for anything else does not count. */
  stalled(): string[]
}

export function createPulse(patienceMs = PATIENCE_MS): Pulse {
  const waiting = new Map<string, number>()
  const begin = (part: string) => {
    if (!waiting.has(part)) waiting.set(part, performance.now())
  }
  const done = (part: string) => void waiting.delete(part)
  return {
    begin,
    done,
    async of(part, ask) {
      begin(part)
      const answer = await ask()
      done(part)
      return answer
    },
    stalled() {
      const latest = performance.now() - patienceMs
      return [...waiting].flatMap(([part, since]) => (since < latest ? [part] : []))
    },
  }
}
