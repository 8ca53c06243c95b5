/** The outcome of each row, stored as CSV lines: written by the import, read for its page. */
import { parse } from 'csv-parse/sync'
import { asWritten, toCsv } from '#app/domain/text/csv.ts'
import type { ImportOutcome, RowError } from './import.ts'

export const OUTCOME_COLUMNS = ['row', 'email', 'result', 'field', 'error'] as const
const MAX_SHOWN = 50

export type Outcome = {
  row: number
  email: string
  result: 'created' | 'skipped' | 'failed'
  errors: RowError[]
}

/** A dry run has created nobody. */
export function writeOutcomes(outcomes: readonly Outcome[], dry_run: boolean): string {
  const lines = outcomes.flatMap(({ row, email, result, errors: wrong }) => {
    const said = dry_run && result === 'created' ? 'would be created' : result
    return (wrong[0] ? wrong : [{ field: '', error: '' }]).map(({ field, error }) => [
      row,
      email,
      said,
      field,
      error,
    ])
  })
  // The byte order mark belongs only at the beginning of the whole file.
  return lines.length > 0 ? toCsv(lines).slice(1) : ''
}

/** The first outcomes, from the beginning of the stored text, which can end within a line. */
export function readOutcomes(beginning: string): ImportOutcome[] {
  const whole = beginning.slice(0, beginning.lastIndexOf('\r\n') + 2)
  const rows = parse(whole, { relax_quotes: true, relax_column_count: true, to: MAX_SHOWN }) as string[][]
  return rows.map(([row = '', email = '', result = '', field = '', error = '']) => ({
    row: Number(row) || 0,
    email: asWritten(email),
    result,
    field,
    error: asWritten(error),
  }))
}
