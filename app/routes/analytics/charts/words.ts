/** Numbers with nouns, for titles and notes. */
import { figures } from '#app/domain/text/figures.ts'

export const counted = (many: number, one: string, more = `${one}s`): string =>
  `${figures(many)} ${many === 1 ? one : more}`

export const listed = (names: readonly string[], total = names.length): string => {
  const rest = total - names.length
  return `${names.join(', ')}${rest > 0 ? ` and ${figures(rest)} more` : ''}`
}
