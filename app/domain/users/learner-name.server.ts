import { sql } from 'kysely'
import { fullNameOf } from '../text/full-name.server.ts'

/** Inside a sub-tenant people of elsewhere are counted with the journey they learn in, but have no name there; `u` is a user, joined from the left. */
export const nameOfLearner = sql<string>`case when u.id is null then 'Somebody outside this sub-tenant'
  else ${fullNameOf('u')} end`
