/** What was done, by whom and for whom: written in the transaction that does it. */
import type { Scope } from '#app/domain/scope.server.ts'

type Subject = { type: string; id: string | number | null }

/** The row stands in the tenant it happened in; never put secrets or files into `changes`. */
export async function record(
  { db, actor }: Scope,
  action: string,
  subject: Subject,
  changes: Record<string, unknown> = {},
): Promise<void> {
  const acts_elsewhere = actor.user_id !== null && actor.tenant_id !== actor.home_tenant_id
  await db
    .insertInto('audit_events')
    .values({
      tenant_id: actor.tenant_id,
      actor_id: actor.user_id,
      actor_email: actor.email,
      on_behalf_of: acts_elsewhere ? actor.tenant_id : null,
      sub_tenant_id: actor.sub_tenant_id,
      action,
      subject_type: subject.type,
      subject_id: subject.id === null ? null : String(subject.id),
      changes: JSON.stringify(changes),
    })
    .execute()
}
