/** From the bytes of a file to its rows: the encoding and the separator are found out, the heading is checked. */
import { pipeline, Readable } from 'node:stream'
import { setImmediate as pause } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { invalid } from '#app/domain/errors.ts'
import { readTextFile } from '#app/domain/text-file.ts'
import { isWorkbook, readWorkbook } from '#app/domain/workbook/workbook.server.ts'
import { IMPORT_LABELS, type ImportColumn, MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from './import.ts'

const MAX_COLUMNS = 50
const MAX_ROW_CHARACTERS = 20_000

const refused = (why: string) => invalid({ file: [why] })

const LIMITS = { rows: MAX_IMPORT_ROWS, characters: MAX_IMPORT_BYTES }

/** Of a workbook, its first sheet as it would be as CSV. */
export async function decode(bytes: Uint8Array): Promise<string> {
  if (bytes.length > MAX_IMPORT_BYTES) throw refused('The file is larger than 10 MB.')
  const read = isWorkbook(bytes) ? await readWorkbook(bytes, LIMITS) : readTextFile(bytes)
  if ('problem' in read) throw refused(read.problem)
  return read.text
}

type Heading = { delimiter: string; columns: readonly ImportColumn[] }

export function readHeading(text: string): Heading {
  const end = text.search(/[\r\n]/)
  const line = (end < 0 ? text : text.slice(0, end)).slice(0, MAX_ROW_CHARACTERS)
  const delimiter = [',', ';', '\t'].reduce((best, one) =>
    countOf(line, one) > countOf(line, best) ? one : best,
  )
  const written = cellsOf(line, delimiter).map((name) => name.trim())
  const names = written.map(columnOf)
  if (names.length > MAX_COLUMNS)
    throw refused(`The heading has ${names.length} columns; at most ${MAX_COLUMNS} are read.`)
  // Spreadsheets leave columns without a name behind.
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice !== undefined) throw refused(`The heading names "${twice.slice(0, 60)}" twice.`)
  const ignored = ['created_on', '']
  const unknown = written.find((_, at) => !isColumn(names[at]) && !ignored.includes(names[at] ?? ''))
  if (unknown !== undefined)
    throw refused(
      `The heading "${unknown.slice(0, 60)}" is not known. Known are: ${Object.values(IMPORT_LABELS).join(', ')}.`,
    )
  for (const needed of ['email', 'first_name'])
    if (!names.includes(needed)) throw refused(`The heading has no column "${needed}".`)
  return { delimiter, columns: names as ImportColumn[] }
}

const plainly = (heading: string): string => heading.toLowerCase().replace(/[\s-]+/g, '_')
const COLUMNS = new Map(Object.entries(IMPORT_LABELS).map(([column, label]) => [plainly(label), column]))

/** "First name" and "first_name" alike; what is no column stays as it is written. */
const columnOf = (heading: string): string => COLUMNS.get(plainly(heading)) ?? plainly(heading)
const isColumn = (name = ''): name is ImportColumn => Object.hasOwn(IMPORT_LABELS, name)
const countOf = (line: string, mark: string): number => line.split(mark).length

function cellsOf(line: string, delimiter: string): string[] {
  const rows = parseAtOnce(line, {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
  }) as string[][]
  return rows[0] ?? []
}

export type FileRow = { row: number; cells: string[] }

/** The rows below the heading, numbered by their line; those without any text are passed over. */
export async function* rowsOf(text: string, { delimiter }: Heading): AsyncGenerator<FileRow> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  })
  pipeline(Readable.from(slicesOf(Buffer.from(text))), parser, () => {})
  let isHeading = true
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[]
    info: { lines: number }
  }>) {
    const isEmpty = record.every((cell) => cell.trim() === '')
    if (!isHeading && !isEmpty) yield { row: info.lines, cells: record }
    isHeading = false
  }
}

const SLICE_BYTES = 32_768

/** Between them the process answers whoever is waiting. */
async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield bytes.subarray(at, at + SLICE_BYTES)
    await pause()
  }
}
