/** Who may have a file that authors uploaded because they write; whoever has a page that shows it has it as its reader. */
import { sql } from 'kysely'
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope/scope.server.ts'

type Stored = { id: string; kind: string; created_by: number | null; sub_tenant_id: string | null }

/** Logos are everybody's; the rest is as far away for others as what does not exist. */
export async function maySeeFile(scope: Scope, file: Stored): Promise<boolean> {
  const { actor } = scope
  if (file.kind === 'logo') return true
  // What was uploaded for the whole company is a sub-tenant's only where a journey there shows it.
  const isInScope = actor.sub_tenant_id === null || file.sub_tenant_id === actor.sub_tenant_id
  if (maySeeAllJourneys(actor) && isInScope) return true
  if (actor.user_id !== null && file.created_by === actor.user_id) return true
  return isWritten(scope, file.id)
}

/** In a lift of a journey that is theirs to write. */
async function isWritten({ actor, db }: Scope, fileId: string): Promise<boolean> {
  const author = maySeeAllJourneys(actor) ? null : (actor.user_id ?? 0)
  const { rows } = await sql`
    select from file_uses u join lifts l on l.tenant_id = u.tenant_id and l.id = u.lift_id
      join journeys j on j.tenant_id = l.tenant_id and j.id = l.journey_id
    where u.file_id = ${fileId} and (${author}::bigint is null or j.author_id = ${author}::bigint)
    limit 1`.execute(db)
  return rows.length > 0
}
