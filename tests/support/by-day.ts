/** Where it is early afternoon now, and late evening: a test of what waits at night runs at any hour. */
import { zoneAt } from '#tests/api/planning/zones.ts'

export const BY_DAY = zoneAt(13)
export const AT_NIGHT = zoneAt(22)
