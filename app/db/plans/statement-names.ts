/** Gives each frequent statement of a pool a name. */
const FAMILIAR = 3
const MAX_COUNTED = 2_000
const LONGEST = 8_000

export class StatementNames {
  readonly #counts = new Map<string, number>()
  readonly #names = new Map<string, string | null>()
  readonly #most: number

  /** `most` limits the names, each of which takes memory on each connection. */
  constructor(most: number) {
    this.#most = most
  }

  of(text: string): string | null {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (text.length > LONGEST || this.#names.size >= this.#most) return null
    const count = (this.#counts.get(text) ?? 0) + 1
    if (this.#counts.size >= MAX_COUNTED) this.#counts.clear()
    this.#counts.set(text, count)
    if (count < FAMILIAR) return null
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  withdraw(text: string): void {
    this.#names.set(text, null)
  }
}
