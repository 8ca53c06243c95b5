const PAGING = new Set(['page', 'per_page', 'order_by', 'order'])

/** A list that is filtered or searched: its rows are not simply the next of an index. */
export const whenFiltered = (query: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(query).some(([name, value]) => !PAGING.has(name) && !isEmpty(value))

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
