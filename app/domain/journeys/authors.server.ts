/** The authors of a tenant's journeys. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

const MAX_AUTHORS = 500

/** Found one by one along the index: they are few beside their journeys. Null if there are more than `MAX_AUTHORS`. */
export async function findAuthors({ db }: Scope): Promise<number[] | null> {
  const { rows } = await sql<{ author: number }>`with recursive known as (
      (select author_id as author from journeys order by author_id limit 1)
      union all
      select (select author_id from journeys where author_id > known.author order by author_id limit 1)
      from known where known.author is not null)
    select author from known where author is not null limit ${MAX_AUTHORS + 1}`.execute(db)
  return rows.length > MAX_AUTHORS ? null : rows.map(({ author }) => author)
}
