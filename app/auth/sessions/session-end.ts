const HOUR_MS = 60 * 60 * 1000
const REMEMBERED_MS = 30 * 24 * HOUR_MS
const BROWSER_MS = 12 * HOUR_MS

/** When a session that begins now ends at the latest, in the database or in cookies. */
export const sessionEnd = (remember: boolean): Date =>
  new Date(Date.now() + (remember ? REMEMBERED_MS : BROWSER_MS))
