/** The audit log: what was done, by whom and for whom, written in the same transaction. */
import { sql } from 'kysely'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { standsAt } from '../scope/clock.server.ts'
import { differences } from './differences.server.ts'
import { findNamed } from './subjects.server.ts'

type Subject = {
  type: string
  id: string | number | null
  /** The subject's name, where it can no longer be looked up, or must not be. */
  name?: string | null
}
type Fields = Readonly<Record<string, unknown>>

/**
 * Call this before the subject is deleted: the row needs its sub-tenant. Never put secrets or files into `changes`.
 */
export async function record(
  scope: Scope,
  action: string,
  subject: Subject,
  changes: Record<string, unknown> = {},
): Promise<void> {
  const subTenantId = scope.actor.sub_tenant_id ?? (await subTenantOf(scope, subject))
  const name = await nameOf(scope, subject)
  await recordEach(scope, action, [{ subject: { ...subject, name }, subTenantId, changes }])
}

/** `subTenantId`: the sub-tenant that the subject belongs to. */
type Happened = { subject: Required<Subject>; subTenantId: string | null; changes: Record<string, unknown> }

export async function recordEach(
  { db, actor }: Scope,
  action: string,
  happened: readonly Happened[],
): Promise<void> {
  if (happened.length === 0) return
  const at = standsAt({ db })
  const acts_elsewhere = actor.user_id !== null && actor.tenant_id !== actor.home_tenant_id
  await db
    .insertInto('audit_events')
    .values(
      happened.map(({ subject, subTenantId, changes }) => ({
        tenant_id: actor.tenant_id,
        actor_id: actor.user_id,
        actor_email: actor.email,
        on_behalf_of: acts_elsewhere ? actor.tenant_id : null,
        sub_tenant_id: subTenantId,
        action,
        subject_type: subject.type,
        subject_id: subject.id === null ? null : String(subject.id),
        subject_name: subject.name ?? null,
        changes: JSON.stringify(changes),
        api_key_id: actor.api_key?.id ?? null,
        api_key_name: actor.api_key?.name ?? null,
        ...(at && { at }),
      })),
    )
    .execute()
}

/** Records a change: old and new values of the fields of `after` that differ, never secrets. */
export const recordChange = (
  scope: Scope,
  action: string,
  subject: Subject,
  { before, after, ...facts }: { before: Fields; after: Fields } & Fields,
): Promise<void> => record(scope, action, subject, { ...facts, ...differences(before, after) })

async function nameOf(scope: Scope, { type, id, name }: Subject): Promise<string | null> {
  if (name !== undefined || id === null) return name ?? null
  const [found] = await findNamed(scope, [{ subject_type: type, subject_id: String(id) }])
  return found?.name ?? null
}

/** How to find the sub-tenant of each kind of subject; a person belongs to one if all their roles are in it. */
const SUB_TENANT_OF: Record<
  string,
  (id: string) => ReturnType<typeof sql<{ sub_tenant_id: string | null }>>
> = {
  sub_tenant: (id) => sql`select ${id}::uuid as sub_tenant_id`,
  user: (
    id,
  ) => sql`select min(sub_tenant_id::text)::uuid as sub_tenant_id from user_general_roles where user_id = ${id}
    having count(*) = count(sub_tenant_id) and count(distinct sub_tenant_id) = 1`,
  journey: (id) => sql`select sub_tenant_id from journeys where id = ${id}`,
  lift: (id) => sql`select j.sub_tenant_id from lifts l join journeys j on j.id = l.journey_id
    where l.id = ${id}`,
  assessment: (id) => sql`select j.sub_tenant_id from assessments a join journeys j on j.id = a.journey_id
    where a.id = ${id}`,
  api_key: (id) => sql`select sub_tenant_id from api_keys where id = ${id}`,
  user_group: (id) => sql`select sub_tenant_id from user_groups where id = ${id}`,
  user_import: (id) => sql`select sub_tenant_id from user_imports where id = ${id}`,
  prompt: (id) => sql`select j.sub_tenant_id from prompts p join lifts l on l.id = p.lift_id
    join journeys j on j.id = l.journey_id where p.id = ${id}`,
}

async function subTenantOf({ db }: Scope, { type, id }: Subject): Promise<string | null> {
  const query = id === null ? undefined : SUB_TENANT_OF[type]?.(String(id))
  if (!query) return null
  const { rows } = await query.execute(db)
  return rows[0]?.sub_tenant_id ?? null
}
