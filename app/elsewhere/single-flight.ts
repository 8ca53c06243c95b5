/** `made`: the result; null: it is the caller's turn to do the work. */
export type Reply = (made: string | null) => void

/** Per key, the first caller does the work while the others wait for its result; after a failure the next one does it. */
export class SingleFlight {
  readonly #known = new Map<string, { made: string | null; waiting: Reply[] }>()

  ask(key: string, reply: Reply): void {
    const known = this.#known.get(key)
    if (!known) {
      this.#known.set(key, { made: null, waiting: [] })
      reply(null)
    } else if (known.made === null) known.waiting.push(reply)
    else reply(known.made)
  }

  made(key: string, made: string, keptMs: number): void {
    const known = this.#known.get(key)
    if (!known) return
    known.made = made
    for (const reply of known.waiting.splice(0)) reply(made)
    setTimeout(() => this.#known.delete(key), keptMs).unref()
  }

  failed(key: string): void {
    const next = this.#known.get(key)?.waiting.shift()
    if (next) next(null)
    else this.#known.delete(key)
  }
}
