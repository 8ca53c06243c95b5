/** Deleted recently enough to be restored. */
import { sql } from 'kysely'
import { DAYS_UNTIL_PURGED } from './deleted.ts'

export const isStillThere = sql<boolean>`deleted_on > now() - make_interval(days => ${DAYS_UNTIL_PURGED})`
