/** Deleted tenants and sub-tenants can be restored for this long. */
export const DAYS_UNTIL_PURGED = 30

const DAY_MS = 86_400_000

export const purgedOn = (deleted_on: string): string =>
  new Date(Date.parse(deleted_on) + DAYS_UNTIL_PURGED * DAY_MS).toISOString()
