/** The carriers' journal of messages taken, on disk before they acknowledge; the only thing of theirs the oracle reads. */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Carried, Carrier } from '../faults/carriers.ts'

export type Entry = Carried & { carrier: Carrier; at: number }

export class Journal {
  readonly #path: string
  readonly #file: number
  #count = 0

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'a')
  }

  write(message: Carried, carrier: Carrier): void {
    writeSync(this.#file, `${JSON.stringify({ ...message, carrier, at: Date.now() })}\n`)
    fsyncSync(this.#file)
    this.#count += 1
  }

  get count(): number {
    return this.#count
  }

  read(): Entry[] {
    const lines = readFileSync(this.#path, 'utf8').split('\n')
    return lines.filter(Boolean).map((line): Entry => JSON.parse(line))
  }

  close(): void {
    closeSync(this.#file)
  }
}
