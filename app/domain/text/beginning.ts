/**
 * The beginning of a text, at most `max` long. An unpaired surrogate at the end, which cannot be stored, is dropped.
 */
export const beginningOf = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
