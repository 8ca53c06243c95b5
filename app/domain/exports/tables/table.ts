/** A table on its way into a file. */
export type Cell = string | number | boolean | Date | null

export type Column = {
  head: string
  as?: 'share' | 'time'
}

export type Table = {
  name: string
  columns: readonly Column[]
  /** The number of things; each can have several rows. */
  total: number
  things: AsyncIterable<readonly (readonly Cell[])[]>
}

type Page<Thing> = { data: readonly Thing[]; pagination: { total: number; total_pages: number } }

/** Things read per query. */
export const AT_ONCE = 1_000

export type Told<Thing> = Column & { cell: (thing: Thing) => Cell }

export const rowOf = <Thing>(columns: readonly Told<Thing>[], thing: Thing): Cell[] =>
  columns.map(({ cell }) => cell(thing))

export async function tableOfPages<Thing>(
  name: string,
  columns: readonly Told<Thing>[],
  read: (page: number) => Promise<Page<Thing>>,
): Promise<Table> {
  const first = await read(1)
  async function* things() {
    for (let page = 1, answer = first; ; answer = await read(++page)) {
      for (const thing of answer.data) yield [rowOf(columns, thing)]
      if (page >= answer.pagination.total_pages) return
    }
  }
  return { name, columns, total: first.pagination.total, things: things() }
}

export function tableOf<Thing>(name: string, columns: readonly Told<Thing>[], all: readonly Thing[]): Table {
  async function* things() {
    for (const thing of all) yield [rowOf(columns, thing)]
  }
  return { name, columns, total: all.length, things: things() }
}

export const time = (at: string | null): Date | null => (at === null ? null : new Date(at))

/** Four decimal places, so that a file shows no floating-point noise. */
export const rounded = (figure: number | null): number | null =>
  figure === null ? null : Number(figure.toFixed(4))

export const share = ({ n, d }: { n: number; d: number }): number | null => rounded(d === 0 ? null : n / d)
