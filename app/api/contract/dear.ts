const PAGING = new Set(['page', 'per_page', 'order_by', 'order'])

/** A filtered or searched list is expensive: its rows are not simply the next ones of an index. */
export const whenFiltered = (query: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(query).some(([name, value]) => !PAGING.has(name) && !isEmpty(value))

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
