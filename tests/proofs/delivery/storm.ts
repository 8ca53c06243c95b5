/** Every kind of fault, one after the other, while messages leave; it stops for what needs all processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind, Setting } from '../faults/kind.ts'

const PAUSE_MS = 1500

export class Storm {
  readonly counts = new Map<string, number>()
  readonly #setting: Setting
  readonly #kinds: readonly Kind[]
  #isOver = false
  #isCalm = false
  #under: Promise<void> = Promise.resolve()

  constructor(setting: Setting, kinds: readonly Kind[]) {
    this.#setting = setting
    this.#kinds = kinds.filter((kind) => {
      const why = kind.whyNot?.(setting)
      if (why) setting.findings.skipped.set(kind.name, why)
      return !why
    })
  }

  async run(): Promise<void> {
    for (let nth = 0; !this.#isOver && this.#kinds.length > 0; nth++) {
      await sleep(PAUSE_MS)
      const kind = this.#kinds[nth % this.#kinds.length]
      // What is still coming back from the fault before cannot break anew.
      await this.#allReady()
      if (!kind || this.#isCalm) continue
      this.#under = this.#make(kind, Math.floor(nth / this.#kinds.length))
      await this.#under
    }
  }

  /** While it does, no fault is made, and every process is there. */
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
    for (const { port } of this.#setting.product.parts)
      for (;;) {
        const answer = await fetch(`http://localhost:${port}/readyz`).catch(() => null)
        if (answer?.status === 200) break
        await sleep(100)
      }
  }
}
