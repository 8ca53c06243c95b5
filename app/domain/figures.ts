/** Numbers as Americans read them, "1,204", and the language of all of them. */

export const LOCALE = 'en-US'

export const figures = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(LOCALE, options)
