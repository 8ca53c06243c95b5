import { sql } from 'kysely'

/** Inside a sub-tenant people of elsewhere are counted with the journey they learn in, but have no name there; `u` is a user, joined from the left. */
export const nameOfLearner = sql<string>`case when u.id is null then 'Somebody outside this sub-tenant'
  else trim(u.first_name || ' ' || u.last_name) end`
