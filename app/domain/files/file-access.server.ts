/** Who may read an uploaded file because they edit; readers of a page that shows it get it through that page. */
import { sql } from 'kysely'
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope/scope.server.ts'

type Stored = { id: string; kind: string; created_by: number | null; sub_tenant_id: string | null }

/** Logos are visible to everybody; other files look non-existent to those without access. */
export async function maySeeFile(scope: Scope, file: Stored): Promise<boolean> {
  const { actor } = scope
  if (file.kind === 'logo') return true
  // A sub-tenant's people get files of the whole company only where a journey of the sub-tenant shows them.
  const isInScope = actor.sub_tenant_id === null || file.sub_tenant_id === actor.sub_tenant_id
  if (maySeeAllJourneys(actor) && isInScope) return true
  if (actor.user_id !== null && file.created_by === actor.user_id) return true
  return isWritten(scope, file.id)
}

/** Whether the file is in a lift of a journey that the actor may edit. */
async function isWritten({ actor, db }: Scope, fileId: string): Promise<boolean> {
  const author = maySeeAllJourneys(actor) ? null : (actor.user_id ?? 0)
  const { rows } = await sql`
    select from file_uses u join lifts l on l.tenant_id = u.tenant_id and l.id = u.lift_id
      join journeys j on j.tenant_id = l.tenant_id and j.id = l.journey_id
    where u.file_id = ${fileId} and (${author}::bigint is null or j.author_id = ${author}::bigint)
    limit 1`.execute(db)
  return rows.length > 0
}
