/**
 * Reads text as the rows of a table: detects the separator, checks the heading, and gives each row its line number.
 */
import { pipeline, Readable } from 'node:stream'
import { setImmediate as pause } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { asWritten } from '#app/domain/text/csv.ts'
import { figures } from '#app/domain/text/figures.ts'
import { columnNames, whatIsWrongWith } from './heading.ts'
import { type TableRow, type TableShape, UnreadableTable } from './table.ts'

const MAX_ROW_CHARACTERS = 20_000
const SLICE_BYTES = 32_768

/** `line` is its first line, `end` its last one: a cell can have several. */
type Read = { line: number; end: number; cells: string[] }
type Table<Column extends string> = {
  columns: readonly Column[]
  rows(): AsyncGenerator<TableRow<Column>>
}

/** Throws `UnreadableTable`, immediately or while rows are read. */
export function openTable<Column extends string>(file: string, shape: TableShape<Column>): Table<Column> {
  const text = file.replace(/\r\n?/g, '\n')
  const heading = readHeading(text)
  if (!heading) throw new UnreadableTable(1, 'There is nothing in this table.')
  const names = columnNames(heading.cells, shape)
  const wrong = whatIsWrongWith(names, heading.cells, shape)
  if (wrong) throw new UnreadableTable(heading.line, wrong)
  const columns = names as Column[]
  return { columns, rows: () => rowsBelow(text, heading, columns, shape.maxRows) }
}

function readHeading(text: string): Read | undefined {
  const read: Read[] = []
  try {
    parseAtOnce(text, { ...optionsFor(text, (row) => read.push(row)), to: 1 })
  } catch (error) {
    throw explained(error, 1)
  }
  return read[0]
}

async function* rowsBelow<Column extends string>(
  text: string,
  heading: Read,
  columns: readonly Column[],
  maxRows: number,
): AsyncGenerator<TableRow<Column>> {
  let line = heading.end
  let count = -1
  const parser = parse(optionsFor(text, (row) => (line = row.end)))
  pipeline(Readable.from(slicesOf(Buffer.from(text))), parser, () => {})
  try {
    for await (const row of parser as AsyncIterable<Read>) {
      count += 1
      if (count > maxRows)
        throw new UnreadableTable(row.line, `At most ${figures(maxRows)} rows can be imported.`)
      if (count > 0) yield named(row, columns)
    }
  } catch (error) {
    throw explained(error, line + 1)
  }
  if (count < 1) throw new UnreadableTable(heading.line, 'There is no row below the heading.')
}

/** `onRow` is called before the next row is read, and so before that one can fail. */
const optionsFor = (text: string, onRow: (row: Read) => void) => ({
  bom: true,
  trim: true,
  record_delimiter: '\n',
  ...separatorOf(text),
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  max_record_size: MAX_ROW_CHARACTERS,
  on_record: (record: string[], { lines }: { lines: number }) => {
    const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
    const row = { line: lines - breaks, end: lines, cells: withoutEmptyEnd(record).map(inOneLine) }
    onRow(row)
    return row as never // the parser's types know records of cells only
  },
})

/** The line that tells spreadsheets the separator; they do not show it as a row. */
const TOLD = /^\uFEFF?"?sep=([,;\t|])"?\n/i

function separatorOf(text: string): { delimiter: string; from_line?: number } {
  const [, told] = TOLD.exec(text) ?? []
  if (told) return { delimiter: told, from_line: 2 }
  const lines = text.slice(0, MAX_ROW_CHARACTERS).split('\n')
  const heading = lines.find((line) => /[^\s,;|]/.test(line)) ?? ''
  const countOf = (mark: string) => heading.split(mark).length
  return {
    delimiter: [',', ';', '\t', '|'].reduce((best, one) => (countOf(one) > countOf(best) ? one : best)),
  }
}

const inOneLine = (cell: string): string => cell.replace(/\s*\n\s*/g, ' ').trim()

/** Drops empty cells at the end, which spreadsheets leave behind. */
const withoutEmptyEnd = (cells: readonly string[]): string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)

const named = <Column extends string>({ line, cells }: Read, columns: readonly Column[]) => ({
  line,
  cells: Object.fromEntries(
    columns.map((name, at) => [name, asWritten(cells[at] ?? '')]),
  ) as TableRow<Column>['cells'],
  problem:
    cells.length > columns.length
      ? `This row has ${cells.length} columns, the heading ${columns.length}`
      : undefined,
})

/** Yields to the event loop between slices. */
async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield bytes.subarray(at, at + SLICE_BYTES)
    await pause()
  }
}

const UNREADABLE = 'This row cannot be read. Please look at its quotes (") and commas.'
const WORDS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quote (") opens in this row and is never closed.',
  CSV_MAX_RECORD_SIZE: 'This row is too long. Is a closing quote (") missing?',
}

/** The parser's errors in our words; other errors are not the table's fault. */
function explained(error: unknown, line: number): unknown {
  const { code } = error as { code?: unknown }
  const isParsers = typeof code === 'string' && code.startsWith('CSV_')
  return isParsers ? new UnreadableTable(line, WORDS[code] ?? UNREADABLE) : error
}
