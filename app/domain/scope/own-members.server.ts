/** The memberships of the signed-in person. */
import { type Selectable, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { scopeUser } from './scope.server.ts'

/** Evaluated first, whatever the plan was made for: the offset lets other tables be looked up by key for each membership. */
export const OWN_MEMBERS = sql<Selectable<DB['members']>>`(select * from members where user_id = ${scopeUser}
  and state <> 'withdrawn' offset 0)`
