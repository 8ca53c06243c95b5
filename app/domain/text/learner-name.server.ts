import { sql } from 'kysely'
import { nameOrEmailOf } from './full-name.server.ts'

/** Inside a sub-tenant, people from elsewhere are not named. */
export const OUTSIDER = 'Someone outside this sub-tenant'

/** Such people still count in their journeys; `u` is a left-joined user. */
export const nameOfLearner = sql<string>`case when u.id is null then ${sql.lit(OUTSIDER)}
  else ${nameOrEmailOf('u')} end`
