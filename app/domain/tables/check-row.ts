/** Checks a row of a table against a schema; returns its values, or the errors of its cells. */
import type { z } from 'zod'
import { inPlainWords } from '#app/domain/text/plain-words.ts'
import { REQUIRED } from '#app/domain/text/text.ts'
import type { TableRow, TableShape } from './table.ts'

type Issue = z.core.$ZodIssue
type Fault = { field: string; error: string }
type Checked<Said> = { said: Said; faults?: never } | { said?: never; faults: Fault[] }

/** What a spreadsheet shows in the place of a formula's result. */
const NO_RESULT = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/
const FORMULA_FAILED =
  'This formula has no result. Mend it, or save the file again in your spreadsheet program.'

/** `explain`: the message for a cell, if not that of its schema. Each error is reported once. */
export function checkRow<Schema extends z.ZodType, Column extends string>(
  { cells, problem }: TableRow<Column>,
  schema: Schema,
  { labels, needed }: TableShape<Column>,
  explain: (issue: Issue) => string = ({ message }) => message,
): Checked<z.output<Schema>> {
  if (problem !== undefined) return { faults: [{ field: 'row', error: problem }] }
  const failed = (Object.keys(labels) as Column[]).filter((column) => NO_RESULT.test(cells[column] ?? ''))
  if (failed.length > 0)
    return { faults: failed.map((field) => ({ field, error: ofColumn(labels[field], FORMULA_FAILED) })) }
  const { data, error } = schema.safeParse(cells, { error: inPlainWords })
  if (!error) return { said: data }
  const faults = error.issues.map((issue): [string, Column] => {
    const column = issue.path[0] as Column
    const isMissing = needed.includes(column) && !cells[column]?.trim()
    return [ofColumn(labels[column], isMissing ? REQUIRED : explain(issue)), column]
  })
  return { faults: [...new Map(faults)].map(([error, field]) => ({ field, error })) }
}

export const ofColumn = (label: string, why: string): string =>
  `${label}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`
