import { figures } from '#app/domain/text/figures.ts'
import { MAX_COUNTED } from '#app/domain/today/today.ts'

/** "10,000+" where counting stopped. */
export const counted = (many: number): string =>
  many > MAX_COUNTED ? `${figures(MAX_COUNTED)}+` : figures(many)
