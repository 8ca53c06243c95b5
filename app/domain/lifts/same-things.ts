import { invalid } from '../errors.ts'

/** A new order must name every existing item: a reordering of an outdated list is refused. */
export function requireSameThings(field: string, there: readonly number[], named: readonly number[]): void {
  const isSame = named.length === there.length && new Set(named).size === named.length
  if (!isSame || !named.every((id) => there.includes(id)))
    throw invalid({ [field]: ['Something was added or removed in the meantime. Reload the page.'] })
}
