/** Who may have a file that authors uploaded: those who write, and those who have a page that shows it. */
import { sql } from 'kysely'
import { maySeeAllJourneys } from '../journeys/may.ts'
import type { Scope } from '../scope.server.ts'

type Shown = { id: string; kind: string; created_by: number | null }

/** Logos are everybody's; the rest is as far away for others as what does not exist. */
export async function maySeeFile(scope: Scope, { id, kind, created_by }: Shown): Promise<boolean> {
  const { user_id } = scope.actor
  if (kind === 'logo' || maySeeAllJourneys(scope.actor)) return true
  if (user_id === null) return false
  return created_by === user_id || (await isShownTo(scope, id, user_id))
}

/** In a lift of a journey of their own, or in the version of one that has come to them. */
async function isShownTo({ db }: Scope, fileId: string, userId: number): Promise<boolean> {
  const { rows } = await sql<{ is_shown: boolean }>`
    select exists (
      select from file_uses u join lifts l on l.tenant_id = u.tenant_id and l.id = u.lift_id
        join journeys j on j.tenant_id = l.tenant_id and j.id = l.journey_id
      where u.file_id = ${fileId} and j.author_id = ${userId}
    ) or exists (
      select from file_uses u join lifts l on l.tenant_id = u.tenant_id and l.id = u.lift_id
        join members m on m.tenant_id = l.tenant_id and m.journey_id = l.journey_id and m.user_id = ${userId}
        join occurrences o on o.tenant_id = u.tenant_id and o.lift_id = u.lift_id and o.member_id = m.id
          and o.content_version = u.version
      where u.file_id = ${fileId} and m.role = 'learner' and m.state <> 'withdrawn'
        and o.due_at <= now() and o.state not in ('planned', 'held', 'cancelled')
    ) as is_shown`.execute(db)
  return rows[0]?.is_shown === true
}
