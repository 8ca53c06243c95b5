export const LOCALE = 'en-US'

export const figures = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(LOCALE, options)
