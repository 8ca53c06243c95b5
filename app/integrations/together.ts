/**
 * Batches items per key: those that arrive while `work` runs go into its next run together. `work` returns results in
 * the order of the items. If a batch fails, each item is tried alone, and later items do not wait for that.
 */
export function doTogether<Item, Result>(
  work: (key: string, items: readonly Item[]) => Promise<readonly Result[]>,
): (key: string, item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  const lines = new Map<string, Waiting[]>()

  async function settle(key: string, line: readonly Waiting[]): Promise<void> {
    try {
      const items = line.map(({ item }) => item)
      const results = await work(key, items)
      for (const [index, { resolve }] of line.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (line.length === 1) line[0]?.reject(error)
      else for (const one of line) void settle(key, [one])
    }
  }

  async function run(key: string): Promise<void> {
    // Items that arrive in the same turn of the event loop are batched from the start.
    await Promise.resolve()
    for (let line = lines.get(key) ?? []; line.length > 0; line = lines.get(key) ?? []) {
      lines.set(key, [])
      await settle(key, line)
    }
    lines.delete(key)
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject }
      const line = lines.get(key)
      if (line) return void line.push(waiting)
      lines.set(key, [waiting])
      void run(key)
    })
}
