/** The administrators of a tenant or sub-tenant. */

import { sql } from 'kysely'
import type { z } from 'zod'
import { hasAddress } from '#app/db/has-address.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { ERASED_PERSON } from '#app/domain/erased-person.ts'
import { conflict, Refusal } from '#app/domain/errors.ts'
import { notify } from '#app/domain/notifications/notifications.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { EMAIL_TAKEN, FOREIGN_DOMAIN, unlessTaken } from '#app/domain/unique-violation.server.ts'
import type { AdminInput, TenantAdmin } from './tenant.ts'

const MAX_SHOWN = 200
const DEACTIVATED = 'This person’s account is deactivated. Please activate it first.'

export async function listAdmins({ db }: Scope, sub_tenant_id: string | null) {
  const rows = await db
    .selectFrom('users')
    .innerJoin('user_general_roles as role', (join) =>
      join.onRef('role.tenant_id', '=', 'users.tenant_id').onRef('role.user_id', '=', 'users.id'),
    )
    .select(['users.id', 'first_name', 'last_name', 'email', 'activation_status'])
    .where('role.role', '=', 'admin')
    .where('role.sub_tenant_id', sub_tenant_id === null ? 'is' : '=', sub_tenant_id)
    .orderBy('users.id')
    .limit(MAX_SHOWN)
    .execute()
  return rows as z.infer<typeof TenantAdmin>[]
}

/** Saves something with these administrators; a taken name and all taken addresses are reported together. */
export async function unlessTakenWith<Result>(
  scope: Scope,
  admins: readonly AdminInput[] | undefined,
  work: () => Promise<Result>,
  tenantId: string | null = scope.actor.tenant_id,
): Promise<Result> {
  const taken = admins?.length ? await findTaken(scope, admins, tenantId) : {}
  const result = await work().catch((error: unknown) => {
    const isConflict = error instanceof Refusal && error.status === 409 && typeof error.detail === 'object'
    throw isConflict ? new Refusal(409, { ...(error.detail as Record<string, string[]>), ...taken }) : error
  })
  if (Object.keys(taken).length > 0) throw new Refusal(409, taken)
  return result
}

/**
 * Taken addresses, by form field. `tenantId`: the tenant whose people can be made administrators; null for a new one.
 */
async function findTaken({ db }: Scope, admins: readonly AdminInput[], tenantId: string | null) {
  const emails = admins.map(({ email }) => email)
  const { rows } = await sql<{ email: string; is_foreign: boolean }>`
    select lower(address::text) as email,
      tenant_of_domain(address) is not null
        and tenant_of_domain(address) is distinct from ${tenantId}::uuid as is_foreign
    from taken_emails(${emails}::citext[]) as address
    where address <> all (array(
      select email from users where tenant_id = ${tenantId}::uuid and ${hasAddress(...emails)}))`.execute(db)
  const why = new Map(rows.map(({ email, is_foreign }) => [email, is_foreign ? FOREIGN_DOMAIN : EMAIL_TAKEN]))
  return Object.fromEntries(
    emails.flatMap((email, index): [string, string[]][] => {
      const reason = why.get(email.toLowerCase())
      return reason ? [[`admins.${index}.email`, [reason]]] : []
    }),
  )
}

/** New people are created and invited; people of the tenant become administrators as well. */
export async function addAdmins(
  scope: Scope,
  admins: readonly AdminInput[] = [],
  sub_tenant_id: string | null = null,
): Promise<void> {
  for (const [index, admin] of admins.entries()) {
    const known = await scope.db
      .selectFrom('users')
      .select(['id', 'erased_on', 'activation_status'])
      .where(hasAddress(admin.email))
      .executeTakeFirst()
    const field = `admins.${index}.email`
    if (known?.erased_on) throw conflict(field, ERASED_PERSON)
    if (known?.activation_status === 'disabled') throw conflict(field, DEACTIVATED)
    const user_id = known?.id ?? (await inviteAdmin(scope, admin, field))
    const role = { role: 'admin', sub_tenant_id }
    const made = await scope.db
      .insertInto('user_general_roles')
      .values({ ...role, tenant_id: scope.actor.tenant_id, user_id })
      .onConflict((clash) => clash.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (!made) continue
    const subject = { type: 'user', id: user_id }
    if (!known) await record(scope, 'user.created', subject, { email: admin.email, roles: [role] })
    await record(scope, 'user.made_admin', subject, { sub_tenant_id })
    await notify(scope, [user_id], {
      notification_type: 'info',
      content: {
        ...{ title: 'You are an administrator', message: 'You can manage people and journeys here.' },
        path: '/users',
      },
    })
  }
}

async function inviteAdmin({ db, actor }: Scope, admin: AdminInput, field: string): Promise<number> {
  const { tenant_id } = actor
  const { id } = await unlessTaken(
    {
      users_email: [field, EMAIL_TAKEN],
      users_email_domain: [field, FOREIGN_DOMAIN],
    },
    () =>
      db
        .insertInto('users')
        .values({ ...admin, tenant_id })
        .returning('id')
        .executeTakeFirstOrThrow(),
  )
  // Sent by a worker once this transaction has committed.
  await addJob(db, 'invite-user', { tenant_id, user_id: id }, { key: `invite-user:${id}`, carrier: 'email' })
  return id
}
