import { figures } from '#app/domain/figures.ts'
import { MOST_COUNTED } from '#app/domain/today/today.ts'

/** "10,000+" of what is counted no further. */
export const counted = (many: number): string =>
  many > MOST_COUNTED ? `${figures(MOST_COUNTED)}+` : figures(many)
