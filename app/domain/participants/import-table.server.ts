/** From a table's text to its rows: the separator is found out, the heading checked, each mistake told with its line. */

import { parse } from 'csv-parse/sync'
import { figures } from '#app/domain/figures.ts'
import { IMPORT_COLUMNS, MAX_IMPORT_ROWS, type MembersImported } from './member.ts'

type Problem = MembersImported['problems'][number]
export type TableRow = { line: number; cells: Readonly<Record<string, string>> }

const MAX_ROW_CHARACTERS = 20_000
const COLUMNS: readonly string[] = IMPORT_COLUMNS

/** Nothing where the heading is wrong: what stands below it would only be wrong for that reason. */
export function readTable(csv: string, problems: Problem[]): TableRow[] {
  const problem = (line: number, message: string) => problems.push({ line, message })
  const records = readRecords(csv, problem)
  const [heading, ...rows] = records ?? []
  if (!records) return []
  if (!heading) problem(1, 'There is nothing in this table.')
  const names = heading?.cells.map(nameOf) ?? []
  const wrong = heading && whatIsWrongWith(names)
  if (wrong) problem(heading.line, wrong)
  else if (heading && rows.length === 0) problem(heading.line, 'There is no row below the heading.')
  if (rows.length > MAX_IMPORT_ROWS)
    problem(rows[MAX_IMPORT_ROWS]?.line ?? 1, `At most ${figures(MAX_IMPORT_ROWS)} rows are taken.`)
  if (problems.length > 0) return []
  return rows.flatMap(({ line, cells }) => {
    if (cells.length <= names.length)
      return [{ line, cells: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) }]
    problem(line, `This row has ${cells.length} columns, the heading ${names.length}.`)
    return []
  })
}

type Read = { line: number; cells: string[] }

function readRecords(csv: string, problem: (line: number, message: string) => void): Read[] | null {
  const read: Read[] = []
  try {
    parse(csv, {
      bom: true,
      on_record: (record: string[], { lines }) => {
        read.push({ line: lines, cells: withoutEmptyEnd(record) })
        return null
      },
      trim: true,
      delimiter: delimiterOf(csv),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_CHARACTERS,
    })
    return read.filter(({ cells }) => cells.length > 0)
  } catch (error) {
    problem((read.at(-1)?.line ?? 0) + 1, WORDS[String((error as { code?: unknown }).code)] ?? UNREADABLE)
    return null
  }
}

const UNREADABLE = 'This row cannot be read. Please look at its quotes (") and commas.'
const WORDS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quote (") begins in this row and does not end.',
  CSV_MAX_RECORD_SIZE: 'This row is too long. Does a quote (") miss its end?',
}

function delimiterOf(csv: string): string {
  const line = csv.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  const countOf = (mark: string) => line.split(mark).length
  return [',', ';', '\t'].reduce((best, one) => (countOf(one) > countOf(best) ? one : best))
}

/** Spreadsheets leave empty cells behind. */
function withoutEmptyEnd(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
}

const nameOf = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^e_mail$/, 'email')

function whatIsWrongWith(names: readonly string[]): string | null {
  const known = `Known are: ${COLUMNS.join(', ')}.`
  if (names.some((name) => name.includes('@')) || !names.some((name) => COLUMNS.includes(name)))
    return `The first line has to name the columns. ${known}`
  const unknown = names.filter((name) => !COLUMNS.includes(name))
  const [first] = unknown
  if (first !== undefined) {
    const name = first === '' ? 'A column has no name' : `There is no column "${first.slice(0, 60)}"`
    const more = unknown.length > 1 ? ` (and ${unknown.length - 1} more that are not known)` : ''
    return `${name}${more}. ${known}`
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `The heading names "${twice}" twice. Please remove one of the two columns.`
  return names.includes('email') ? null : 'The heading has no column "email".'
}
