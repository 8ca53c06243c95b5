import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import type { Users } from '#app/db/schema.ts'
import { may, mayEditUser } from '#app/domain/access/permissions.ts'
import { record, recordChange } from '#app/domain/audit/audit.server.ts'
import { forbidden, invalid, notFound, Refusal, stale } from '#app/domain/errors.ts'
import { type Scope, tenantWide } from '#app/domain/scope/scope.server.ts'
import { EMAIL_TAKEN, FOREIGN_DOMAIN, unlessTaken } from '#app/domain/unique-violation.server.ts'
import { ERASED_PERSON } from '../erased-person.ts'
import { endAccounts } from './accounts.server.ts'
import { lockGroupsOf } from './groups/user-groups.server.ts'
import { NUMBER_IS_PROVED } from './phone/phone.ts'
import { requireRight } from './rights.server.ts'
import { giveRoles, inOrder, replaceRoles, rolesHere, settleRoles } from './roles.server.ts'
import type { User } from './user.ts'
import type { UserChange, UserInput } from './user-input.ts'
import { getUser } from './users.server.ts'

export type StoredUser = Selectable<Users>

const TAKEN = {
  users_email: ['email', EMAIL_TAKEN],
  users_email_domain: ['email', FOREIGN_DOMAIN],
} as const

export async function createUser(scope: Scope, input: UserInput): Promise<User> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  const { user_general_roles, send_welcome, ...person } = input
  const roles = await settleRoles(scope, user_general_roles)
  // Tenant-wide: a person without a role in the sub-tenant is not visible inside it.
  const id = await tenantWide(scope, async ({ db, actor }) => {
    const created = await unlessTaken(TAKEN, () =>
      db
        .insertInto('users')
        .values({ ...person, tenant_id: actor.tenant_id })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    return created.id
  })
  await giveRoles(scope, id, roles)
  await record(scope, 'user.created', { type: 'user', id }, { email: input.email, roles })
  if (send_welcome) await invite(scope, id, 'first')
  return getUser(scope, id)
}

export async function updateUser(scope: Scope, id: number, change: UserChange): Promise<User> {
  const stored = await findToChange(scope, id)
  if (!mayEditUser(scope.actor, id)) throw forbidden()
  if (stored.erased_on !== null) throw new Refusal(409, ERASED_PERSON)
  const { lock_version, user_general_roles, ...given } = change
  if (lock_version !== undefined && lock_version !== stored.lock_version)
    throw stale(await getUser(scope, id))
  const columns = differing(stored, given)
  if (!may(scope.actor, 'users:edit') && (columns.email !== undefined || user_general_roles))
    throw forbidden('Only administrators can change roles and e-mail addresses.')
  if (id === scope.actor.user_id && columns.mobile_phone !== undefined)
    throw invalid({ mobile_phone: [NUMBER_IS_PROVED] })
  if (Object.keys(columns).length > 0) await savePerson(scope, stored, columns)
  const roles = user_general_roles && (await settleRoles(scope, user_general_roles, id))
  const held = roles && (await replaceRoles(scope, id, roles))
  await scope.db
    .updateTable('users')
    .set({ updated_on: new Date(), lock_version: sql`lock_version + 1` })
    .where('id', '=', id)
    .execute()
  const changed = {
    before: { ...stored, roles: held },
    after: { ...columns, roles: roles && inOrder(roles) },
  }
  await recordChange(scope, 'user.updated', { type: 'user', id }, changed)
  return getUser(scope, id)
}

/** Removes a person from the caller's sub-tenant; the account, and roles elsewhere, are for others to decide. */
export async function removeRoles(scope: Scope, id: number): Promise<void> {
  await lockGroupsOf(scope, id)
  await requireRight(scope, await findToChange(scope, id), 'remove_roles')
  const before = { roles: inOrder(await rolesHere(scope, id)) }
  // Recorded first: afterwards they are not visible from here.
  await recordChange(scope, 'user.updated', { type: 'user', id }, { before, after: { roles: [] } })
  const { db } = scope
  await db.deleteFrom('user_group_users').where('user_id', '=', id).execute()
  await db
    .updateTable('users')
    .set({ updated_on: new Date(), lock_version: sql`lock_version + 1` })
    .where('id', '=', id)
    .execute()
  await replaceRoles(scope, id, [])
}

async function savePerson(scope: Scope, stored: StoredUser, columns: Partial<StoredUser>): Promise<void> {
  await requireRight(scope, stored, 'edit')
  if (columns.email !== undefined && stored.activation_status !== 'invited')
    throw invalid({ email: ['Only its owner can change an address in use, on their profile.'] })
  await unlessTaken(TAKEN, () =>
    scope.db
      .updateTable('users')
      .set({
        ...columns,
        // Consent is given for a number, not for a person.
        ...(columns.mobile_phone === undefined ? {} : { sms_opt_in: false, phone_verified_on: null }),
      })
      .where('id', '=', stored.id)
      .execute(),
  )
  if (columns.email === undefined) return
  // The invitation sent to the former address has a password, which must no longer work.
  await endAccounts(scope, stored.id)
  await invite(scope, stored.id)
}

/** Locked against other writers. */
export async function findToChange({ db }: Scope, id: number): Promise<StoredUser> {
  const query = db.selectFrom('users').selectAll().where('id', '=', id).forUpdate()
  const stored = await query.executeTakeFirst()
  if (!stored) throw notFound()
  return stored
}

/** Sent by a worker after the commit; each `nonce` is a separate invitation. */
export async function invite({ db, actor }: Scope, user_id: number, nonce: string = randomUUID()) {
  const payload = { tenant_id: actor.tenant_id, user_id, nonce }
  await addJob(db, 'invite-user', payload, { key: `invite-user:${user_id}`, carrier: 'email' })
}

type Sent = { [Column in keyof StoredUser]?: StoredUser[Column] | undefined }

function differing(stored: StoredUser, columns: Sent): Partial<StoredUser> {
  const changed = Object.entries(columns).filter(
    ([name, value]) => value !== undefined && stored[name as keyof StoredUser] !== value,
  )
  return Object.fromEntries(changed)
}
