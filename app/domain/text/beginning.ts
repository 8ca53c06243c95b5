/** The beginning of a text, `max` long at most. Half of a character at its end, which nothing can keep, is left out. */
export const beginningOf = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
