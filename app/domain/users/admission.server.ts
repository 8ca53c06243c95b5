/** Makes somebody who signed up a plain user of the company that their pool accepts people for. */

import { hasAddress } from '#app/db/has-address.server.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { conflict, notFound } from '#app/domain/errors.ts'
import { type Database, inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { beginningOf } from '#app/domain/text/beginning.ts'

type Newcomer = {
  tenant_id: string
  email: string
  issuer: string
  subject: string
  attributes: Record<string, string>
}

/**
 * Idempotent. Fails while the company is inactive, or if the address belongs to somebody in another company; with
 * `isNew`, to anybody.
 */
export async function admit(database: Database, newcomer: Newcomer, { isNew = false } = {}): Promise<void> {
  const { tenant_id, email, issuer, subject, attributes } = newcomer
  await inScope(database, systemActor(tenant_id), async (scope) => {
    const { db } = scope
    const tenant = await db
      .selectFrom('tenants')
      .select('id')
      .where('status', '=', 'active')
      .where('deleted_on', 'is', null)
      .executeTakeFirst()
    if (!tenant) throw notFound()
    const known = await db.selectFrom('users').select('id').where(hasAddress(email)).executeTakeFirst()
    if (known && isNew) throw conflict('email', 'Someone already has this address.')
    const user_id = known?.id ?? (await addUser(db, tenant_id, email, attributes))
    const linked = await db
      .insertInto('user_identities')
      .values({ tenant_id, user_id, issuer, subject })
      .onConflict((clash) => clash.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (linked) await record(scope, 'user.signed_up', { type: 'user', id: user_id })
  })
}

/** Stores the name given with the first password by somebody who was invited without one, so that it is not asked again. */
export async function takeNames(
  database: Database,
  { tenant_id, user_id }: { tenant_id: string; user_id: number },
  { family_name = '' }: Record<string, string>,
): Promise<void> {
  if (family_name === '') return
  await inScope(database, systemActor(tenant_id), ({ db }) =>
    db
      .updateTable('users')
      .set({ last_name: beginningOf(family_name, 80) })
      .where('id', '=', user_id)
      .where('last_name', '=', '')
      .execute(),
  )
}

type Connection = Scope['db']

async function addUser(
  db: Connection,
  tenant_id: string,
  email: string,
  { given_name = '', family_name = '', name = '' }: Record<string, string>,
): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({
      tenant_id,
      email,
      first_name: beginningOf(given_name || name, 80),
      last_name: beginningOf(family_name, 80),
      activation_status: 'active',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('user_general_roles').values({ tenant_id, user_id: id, role: 'user' }).execute()
  return id
}
