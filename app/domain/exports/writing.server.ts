/** A table as a stream of bytes; only a few rows are in memory at a time. */
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
 * Excel decodes `_x0041_` as a letter: escaping the underscore keeps what somebody wrote. U+FFFE and U+FFFF, which
 * XML forbids and the library lets through, would make the file unreadable.
 */
const forExcel = (text: string): string =>
  text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_').replace(/[\uFFFE\uFFFF]/g, '\uFFFD')

/** Text cells stay text, whatever they begin with; Excel shows times as stored, in UTC. */
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
