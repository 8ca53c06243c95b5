/** Adding and removing further super admins, from the server's command line. Called in the operator's tenant. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hasAddress } from '#app/db/has-address.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { ERASED_PERSON } from '#app/domain/erased-person.ts'
import { Refusal } from '#app/domain/errors.ts'
import { takeTurns } from '#app/domain/scope/advisory-lock.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { EMAIL_TAKEN, FOREIGN_DOMAIN, unlessTaken } from '#app/domain/unique-violation.server.ts'
import { setActivation } from './activation.server.ts'

/** Serializes changes of super admins: what is read about a person stays true until the transaction ends. */
async function findPerson(scope: Scope, email: string) {
  await takeTurns(scope, 'super admins')
  return scope.db
    .selectFrom('users')
    .select(['id', 'activation_status', 'is_super_admin', 'erased_on'])
    .where(hasAddress(email))
    .executeTakeFirst()
}

const TAKEN = {
  users_email: ['email', EMAIL_TAKEN],
  users_email_domain: ['email', FOREIGN_DOMAIN],
} as const

/** Invites the person if they have never signed in. */
export async function addSuperAdmin(scope: Scope, email: string): Promise<void> {
  const { db, actor } = scope
  const { tenant_id } = actor
  const known = await findPerson(scope, email)
  if (known?.erased_on) throw new Refusal(409, ERASED_PERSON)
  if (known?.is_super_admin) throw new Refusal(409, `${email} is a super admin already.`)
  const insert = () =>
    db.insertInto('users').values({ tenant_id, email }).returning('id').executeTakeFirstOrThrow()
  const { id } = known ?? (await unlessTaken(TAKEN, insert))
  await db
    .insertInto('user_general_roles')
    .values({ tenant_id, user_id: id, role: 'admin' })
    .onConflict((clash) => clash.doNothing())
    .execute()
  if (known?.activation_status === 'disabled') await setActivation(scope, id, 'active')
  await changeRole(scope, id, true)
  await record(scope, 'super_admin.added', { type: 'user', id })
  await addJob(db, 'invite-user', { tenant_id, user_id: id, nonce: randomUUID() }, { carrier: 'email' })
}

/** Also deactivates the account, as only super admins work in the operator's tenant. */
export async function removeSuperAdmin(scope: Scope, email: string): Promise<void> {
  const known = await findPerson(scope, email)
  if (!known?.is_super_admin) throw new Refusal(409, `No super admin has the e-mail address ${email}.`)
  if (!(await changeRole(scope, known.id, false)))
    throw new Refusal(
      409,
      `${email} is the only super admin who can sign in. Add another first, and let them sign in once.`,
    )
  await record(scope, 'super_admin.removed', { type: 'user', id: known.id })
  await setActivation(scope, known.id, 'disabled')
}

async function changeRole({ db }: Scope, id: number, wanted: boolean): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select set_super_admin(${id}, ${wanted}) as done`.execute(db)
  return rows[0]?.done ?? false
}
