/** Comma-separated values that spreadsheets open as text, never as formulas. */

type Cell = string | number | boolean | null | undefined

/** A byte order mark: without it spreadsheets misread everything beyond ASCII. */
export const CSV_START = '\uFEFF'

export const csvLine = (row: readonly Cell[]): string => `${row.map(toCell).join(',')}\r\n`

export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  CSV_START + (rows.length > 0 ? rows.map(csvLine).join('') : '\r\n')

/** A cell that a spreadsheet would evaluate, also after characters that it skips at the start. */
const FORMULA = /^[\s\u00A0\uFEFF]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** If a spreadsheet takes `;`, a tab or `|` for the separator, a new cell begins there, even within quotes. */
const FORMULA_WITHIN = /([;\t|])(?=[\s\u00A0\uFEFF"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

function toCell(value: Cell): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = (value ?? '').replace(FORMULA_WITHIN, "$1'")
  const safe = FORMULA.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Removes the quote that was added before a formula: it is not part of the value. */
export const asWritten = (cell: string): string => (/^'\s*[=+\-@]/.test(cell) ? cell.slice(1) : cell)
