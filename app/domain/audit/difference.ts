/** The old and the new value of a field, as a line of the log keeps them. */
export type Difference = { before: unknown; after: unknown }

/** Told apart from a fact that a line holds by itself. */
export const isDifference = (value: unknown): value is Difference =>
  typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'after,before'
