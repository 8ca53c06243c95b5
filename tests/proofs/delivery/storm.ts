/** Every kind of fault, one after the other, spread over the messages; it pauses for work that needs all processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind, Setting } from '../faults/kind.ts'

const LOOK_AGAIN_MS = 100
/** Longer than any start: a process that is not ready by then will never be. */
const LONGEST_START_MS = 300_000

export class Storm {
  readonly counts = new Map<string, number>()
  readonly #setting: Setting
  readonly #kinds: readonly Kind[]
  readonly #rounds: number
  #isOver = false
  #isCalm = false
  #under: Promise<void> = Promise.resolve()

  constructor(setting: Setting, kinds: readonly Kind[], rounds: number) {
    this.#setting = setting
    this.#rounds = rounds
    this.#kinds = kinds.filter((kind) => {
      const why = kind.whyNot?.(setting)
      if (why) setting.findings.skipped.set(kind.name, why)
      return !why
    })
  }

  /** `progress` returns the share of messages sent, which spaces the faults. */
  async run(progress: () => number): Promise<void> {
    const total = this.#kinds.length * this.#rounds
    for (let nth = 0; nth < total; nth++) {
      const kind = this.#kinds[nth % this.#kinds.length]
      while (!this.#isOver && (this.#isCalm || progress() < nth / total)) await sleep(LOOK_AGAIN_MS)
      if (this.#isOver || !kind) return
      this.#under = this.#make(kind, Math.floor(nth / this.#kinds.length))
      await this.#under
      // A process that is still recovering from the last fault must not be hit again.
      await this.#allReady()
    }
  }

  /** Runs work without faults, when every process is ready. */
  async calm<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isCalm = true
    await this.#under
    await this.#allReady()
    try {
      return await work()
    } finally {
      this.#isCalm = false
    }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#under
    await this.#allReady()
  }

  async #make(kind: Kind, round: number): Promise<void> {
    const { findings, witness } = this.#setting
    findings.begin(kind.name)
    witness.excuse = kind.excuse ?? 'none'
    await kind
      .happen(this.#setting, round)
      .catch((error) => findings.miss('the fault could not be made', String(error)))
    witness.excuse = 'none'
    this.counts.set(kind.name, (this.counts.get(kind.name) ?? 0) + 1)
  }

  async #allReady(): Promise<void> {
    const until = performance.now() + LONGEST_START_MS
    for (const { name, port } of this.#setting.product.parts)
      while (!(await isReady(port))) {
        if (performance.now() > until) throw new Error(`"${name}" does not come back: ${this.#whatIsKnown()}`)
        await sleep(LOOK_AGAIN_MS)
      }
  }

  #whatIsKnown(): string {
    const { findings } = this.#setting
    const [last] = findings.misses.slice(-1)
    return [findings.kind, last && `${last.what}: ${last.evidence}`, findings.lastLines(20)]
      .filter(Boolean)
      .join('\n')
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://localhost:${port}/readyz`).catch(() => null)
  return answer?.status === 200
}
