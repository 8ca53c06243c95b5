import { formatDate } from './date-format.ts'

/** `Sunday, November 29, 2026 at 1:00 PM (Europe/Madrid)`: for mails and others that cannot ask where their reader is. */
export const inTheirZone = (at: Date, timeZone: string): string =>
  `${formatDate(at, { dateStyle: 'full', timeStyle: 'short', timeZone })} (${timeZone})`
