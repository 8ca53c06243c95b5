/** Adds the people of an import in batches, each with a line in the audit log. */
import { sql } from 'kysely'
import { addJobs } from '#app/db/queue.server.ts'
import { recordEach } from '#app/domain/audit/audit.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { fullName } from '#app/domain/text/full-name.ts'
import type { ImportedPerson } from './import-row.server.ts'

/** Addresses that nobody has and that no other company has reserved. */
export async function freeOf({ db }: Scope, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select email from unnest(${emails}::text[]) as email
    where email::citext not in (select taken_emails(${emails}::citext[]))`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/** Adds people whose address is still free. */
export async function addPeople(
  scope: Scope,
  job: { id: string; send_welcome: boolean },
  people: ReadonlyMap<string, { person: ImportedPerson }>,
  free: ReadonlySet<string>,
): Promise<Set<string>> {
  if (free.size === 0) return new Set()
  const { db, actor } = scope
  const { tenant_id } = actor
  const wanted = [...people.values()].filter(({ person }) => free.has(person.email))
  const added = await db
    .insertInto('users')
    .values(wanted.map(({ person: { roles: _, ...columns } }) => ({ ...columns, tenant_id })))
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'email', 'first_name', 'last_name', 'activation_status'])
    .execute()
  const rolesOf = (email: string) => people.get(email)?.person.roles ?? []
  const roles = added.flatMap(({ id, email }) =>
    rolesOf(email).map((one) => ({ ...one, tenant_id, user_id: id })),
  )
  if (roles.length > 0)
    await db
      .insertInto('user_general_roles')
      .values(roles)
      .onConflict((clash) => clash.doNothing())
      .execute()
  await recordEach(
    scope,
    'user.created',
    added.map(({ id, email, ...person }) => ({
      subject: { type: 'user', id, name: fullName(person) },
      subTenantId: onlySubTenantOf(rolesOf(email)),
      changes: { email, roles: rolesOf(email), import: job.id },
    })),
  )
  const invited = job.send_welcome ? added.filter((one) => one.activation_status === 'invited') : []
  const invitations = invited.map(({ id: user_id }) => ({
    payload: { tenant_id, user_id },
    key: `invite-user:${user_id}`,
  }))
  await addJobs(db, 'invite-user', invitations, { carrier: 'mass_email' })
  return new Set(added.map(({ email }) => email))
}

function onlySubTenantOf(roles: ImportedPerson['roles']): string | null {
  const [subTenantId, ...others] = new Set(roles.map(({ sub_tenant_id }) => sub_tenant_id))
  return others.length === 0 ? (subTenantId ?? null) : null
}
