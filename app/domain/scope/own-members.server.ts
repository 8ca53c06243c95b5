/** The memberships of the one who is signed in. */
import { type Selectable, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { scopeUser } from './scope.server.ts'

/** Found before anything else, whatever a plan was made for: what belongs to each is then looked up by its key. */
export const OWN_MEMBERS = sql<Selectable<DB['members']>>`(select * from members where user_id = ${scopeUser}
  and state <> 'withdrawn' offset 0)`
