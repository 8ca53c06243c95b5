import { sql } from 'kysely'
import { nameOrEmailOf } from './full-name.server.ts'

/** Inside a sub-tenant, people of elsewhere have no name. */
export const OUTSIDER = 'Someone outside this sub-tenant'

/** They are counted with the journey they learn in; `u` is a user, joined from the left. */
export const nameOfLearner = sql<string>`case when u.id is null then ${sql.lit(OUTSIDER)}
  else ${nameOrEmailOf('u')} end`
