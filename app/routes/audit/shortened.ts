import { figures } from '#app/domain/text/figures.ts'

const MOST = 50

/** Shortens lists of thousands, such as people added from a table; the CSV has all entries. */
export function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
  const first = value.slice(0, MOST).map(shortened)
  const more = value.length - first.length
  return more > 0 ? [...first, `and ${figures(more)} more`] : first
}
