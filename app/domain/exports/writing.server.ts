/** A table as the bytes of a file, a piece at a time: no more of it is held than a few rows. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { writeXlsxStream } from 'hucre/xlsx'
import { CSV_START, csvLine } from '../text/csv.ts'
import type { FileFormat } from './export-words.ts'
import type { Cell, Column, Table } from './tables/table.ts'

export const bytesOf = (format: FileFormat, table: Table, onThing: () => void): AsyncIterable<Uint8Array> =>
  format === 'csv' ? asCsv(table.columns, rowsOf(table, onThing)) : asWorkbook(table, rowsOf(table, onThing))

async function* rowsOf({ things }: Table, onThing: () => void) {
  for await (const rows of things) {
    yield* rows
    onThing()
  }
}

type Rows = AsyncIterable<readonly Cell[]>

async function* asCsv(columns: readonly Column[], rows: Rows) {
  const encoder = new TextEncoder()
  yield encoder.encode(CSV_START + csvLine(columns.map(({ head }) => head)))
  for await (const row of rows)
    yield encoder.encode(csvLine(row.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))))
}

const SHOWN = { share: '0%', time: 'yyyy-mm-dd hh:mm' } as const
const SHEET_NAME = 31

/**
 * Excel reads `_x0041_` as a letter: written like this it is what somebody wrote. A file with one of the two that XML
 * forbids, and the library lets through, does not open at all.
 */
const forExcel = (text: string): string =>
  text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_').replace(/[\uFFFE\uFFFF]/g, '\uFFFD')

/** Texts stay texts, whatever they begin with; Excel shows times as it finds them, which is UTC. */
function asWorkbook({ name, columns }: Table, rows: Rows): AsyncIterable<Uint8Array> {
  async function* cells() {
    for await (const row of rows) yield row.map((cell) => (typeof cell === 'string' ? forExcel(cell) : cell))
  }
  const workbook = writeXlsxStream(cells(), {
    name: name.slice(0, SHEET_NAME),
    columns: columns.map(({ head, as }) => ({
      header: forExcel(head),
      width: Math.min(40, Math.max(12, head.length + 2)),
      ...(as ? { numFmt: SHOWN[as] } : {}),
    })),
    freezePane: { rows: 1 },
  })
  return Readable.fromWeb(workbook as ReadableStream)
}
