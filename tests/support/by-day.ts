/** Zones in which it is early afternoon and late evening now, so that tests of quiet hours run at any hour. */
import { zoneAt } from '#tests/api/planning/zones.ts'

export const BY_DAY = zoneAt(13)
export const AT_NIGHT = zoneAt(22)
