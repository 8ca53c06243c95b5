/** Matches the heading of a table to its columns, or explains why that is impossible. */
import { beginningOf } from '#app/domain/text/beginning.ts'
import type { TableShape } from './table.ts'

/** Accepts "First name" and "first_name"; unknown names stay as they are. */
export function columnNames<Column extends string>(
  written: readonly string[],
  { labels }: TableShape<Column>,
): string[] {
  const known = new Map(Object.entries<string>(labels).map(([column, label]) => [plainly(label), column]))
  return written.map((cell) => known.get(plainly(cell)) ?? plainly(cell))
}

const plainly = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

/** Null if nothing is wrong. `names`: the columns found for the written headings. */
export function whatIsWrongWith<Column extends string>(
  names: readonly string[],
  written: readonly string[],
  { labels, needed, ignored }: TableShape<Column>,
): string | null {
  const isColumn = (name: string) => Object.hasOwn(labels, name)
  const known = `The columns are: ${Object.values<string>(labels).join(', ')}.`
  if (names.some((name) => name.includes('@')) || !names.some(isColumn))
    return `The first line has to name the columns. ${known}`
  const unknown = written.filter((_, at) => ![...ignored, ...Object.keys(labels)].includes(names[at] ?? ''))
  const [first] = unknown
  if (first !== undefined) {
    const name = first.trim() === '' ? 'A column has no name' : `There is no column “${short(first)}”`
    const more = unknown.length > 1 ? ` (and ${unknown.length - 1} more that are not known)` : ''
    return `${name}${more}. ${known}`
  }
  const twice = names.find((name, at) => isColumn(name) && names.indexOf(name) !== at)
  if (twice !== undefined)
    return `The heading names “${labels[twice as Column]}” twice. Please remove one of the two columns.`
  const missing = needed.find((name) => !names.includes(name))
  return missing === undefined ? null : `The heading has no column “${labels[missing as Column]}”.`
}

const short = (name: string): string => beginningOf(name.trim(), 60)
