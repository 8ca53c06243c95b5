/** The old and the new value of a field, as stored in a line of the log. */
export type Difference = { before: unknown; after: unknown }

/** Whether a value is such a pair, not a plain fact. */
export const isDifference = (value: unknown): value is Difference =>
  typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'after,before'
