/** The cells of one sheet as text: numbers as stored, dates as calendar dates, formulas as their last value. */
import { figures } from '#app/domain/text/figures.ts'
import { type Archive, damaged, UnreadableWorkbook } from './archive.server.ts'

export type SheetLimits = { rows: number; characters: number }
type Meaning = { texts: readonly string[]; dateStyles: ReadonlySet<number>; is1904: boolean }
type Cell = { column: number; type: string; style: number; value: string }

/** The last row and column that Excel has. */
const LAST_ROW = 1_048_576
const LAST_COLUMN = 16_384

export async function readSheet(
  archive: Archive,
  path: string,
  limits: SheetLimits,
  meaning: Meaning,
): Promise<string> {
  const lines = createLines(limits)
  let row = 0
  // Gaps are empty cells: a row can have sixteen thousand of them.
  let cells: string[] = []
  let column = 0
  let cell: Cell | null = null
  let isValue = false
  let isFormula = false
  const isThere = await archive.read(path, {
    open(name, { r, t = 'n', s = '0', ref = '' }) {
      if (name === 'row') {
        row = Number(r ?? row + 1)
        cells = []
        column = 0
      }
      if (name === 'c') {
        cell = { column: columnOf(r, column), type: t, style: Number(s), value: '' }
        column = cell.column + 1
        isFormula = false
      }
      if (name === 'f') isFormula = true
      if (name === 'mergeCell') refuseMerged(ref)
      // `f` contains the formula itself, `is` a text of the cell's own.
      if (name === 'v' || name === 't') isValue = true
      if (name === 'rPh') isValue = false
    },
    text(more) {
      if (cell && isValue) cell.value += more
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name === 'c' && cell) {
        const text = isFormula && isEmpty(cell) ? NO_RESULT : textOf(cell, meaning)
        if (text !== '') cells[cell.column] = text
        cell = null
      }
      if (name === 'row') lines.add(row, cells)
    },
  })
  if (!isThere) throw damaged()
  return lines.join()
}

/** One line per row, including empty ones, so that line numbers equal row numbers. */
function createLines({ rows, characters }: SheetLimits) {
  const lines: string[] = []
  let size = 0
  let written = 0
  return {
    add(row: number, cells: readonly string[]) {
      if (!(row > lines.length && row <= LAST_ROW)) throw damaged()
      if (cells.length === 0) return
      while (lines.length < row - 1) lines.push('')
      const line = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')
      lines.push(line)
      size += line.length + 1
      // Plus one for the heading.
      if (++written > rows + 1 || size > characters)
        throw new UnreadableWorkbook(
          `The first sheet is too large: at most ${figures(rows)} rows and ${characters / 1_000_000} MB of text are read.`,
        )
    },
    join: () => lines.join('\n'),
  }
}

/** `B7` is in column 1, counted from 0; a cell without a reference follows the previous one. */
function columnOf(place: string | undefined, next: number): number {
  if (place === undefined) return next
  const letters = /^[A-Z]{1,3}(?=\d+$)/.exec(place)?.[0] ?? ''
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  if (column < 0 || column >= LAST_COLUMN) throw damaged()
  return column
}

/** Only the first of these rows would have their value, though all show it. */
function refuseMerged(range: string): void {
  if (new Set(range.match(/\d+/g)).size > 1)
    throw new UnreadableWorkbook(
      `The cells ${range} are merged. Unmerge them, fill in each row, save the workbook and choose that file.`,
    )
}

/** As some programs write formulas; a text as the result can be empty. */
const isEmpty = ({ type, value }: Cell): boolean => type === 'n' && value === ''
const NO_RESULT = '#N/A'

function textOf({ type, style, value }: Cell, { texts, dateStyles, is1904 }: Meaning): string {
  if (value === '') return ''
  if (type === 's') {
    const shared = texts[Number(value)]
    if (shared === undefined) throw damaged()
    return inOneLine(shared)
  }
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return inOneLine(value)
  const number = Number(value)
  if (Number.isNaN(number)) return inOneLine(value)
  return dateStyles.has(style) ? dateOf(number, is1904) : String(number)
}

/** Excel encodes characters that XML cannot contain as `_x000D_`. */
const inOneLine = (text: string): string =>
  text
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim()

/** Days since the end of 1899, with the time of day as the fraction. */
function dateOf(days: number, is1904: boolean): string {
  const at = new Date(Math.round((days - (is1904 ? 24_107 : 25_569)) * 86_400) * 1000)
  if (Number.isNaN(at.getTime())) return String(days)
  const [date = '', time = ''] = at.toISOString().split('T')
  if (Number.isInteger(days)) return date
  return days < 1 ? time.slice(0, 5) : `${date} ${time.slice(0, 5)}`
}
