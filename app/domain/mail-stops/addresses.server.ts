/** Addresses that bounced, or whose owner complained: they get no automatic mail any longer. */
import { sql } from 'kysely'
import { hasAddress } from '#app/db/has-address.server.ts'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { record } from '../audit/audit.server.ts'
import { conflict } from '../errors.ts'
import { tellAdmins } from '../notifications/telling.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { findToChange } from '../users/changing.server.ts'
import type { AddressState } from './mail-stop.ts'

export type AddressEvent = { address: string; kind: 'bounced' | 'complained'; key: string }

type LastEvent = { kind: AddressEvent['kind'] | 'tried_again'; at: Date }

const WHY = {
  bounced: 'could not be delivered to their e-mail address',
  complained: 'was reported as spam by the reader of their e-mail address',
}

/** Idempotent: an event reported several times is recorded once. */
export async function recordAddressEvent(scope: Scope, { address, kind, key }: AddressEvent): Promise<void> {
  const person = await scope.db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where(hasAddress(address))
    .executeTakeFirst()
  if (!person) return
  const before = await addressState(scope, address)
  const kept = await scope.db
    .insertInto('address_events')
    .values({ tenant_id: scope.actor.tenant_id, address, kind, key })
    .onConflict((clash) => clash.columns(['tenant_id', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept || before) return
  const message = `A message to ${nameOrEmail(person)} ${WHY[kind]}. No lifts or reminders go there until you try it again on their page.`
  await tellAdmins(scope, 'An e-mail address is stopped', message, `/users/edit/${person.id}`)
  await record(scope, `address.${kind}`, { type: 'user', id: person.id })
}

export async function addressState({ db }: Pick<Scope, 'db'>, address: string) {
  const { rows } = await sql<LastEvent>`select kind, at from address_state(${address})`.execute(db)
  const last = rows[0]
  if (!last || last.kind === 'tried_again') return null
  return { why: last.kind, since: last.at.toISOString() }
}

export async function getAddressState(scope: Scope, { email }: { email: string }): Promise<AddressState> {
  return { email, stopped: await addressState(scope, email) }
}

export async function tryAddressAgain(scope: Scope, id: number): Promise<AddressState> {
  const { email } = await findToChange(scope, id)
  if (!(await addressState(scope, email))) throw conflict('id', 'This address is not stopped.')
  await scope.db
    .insertInto('address_events')
    .values({ tenant_id: scope.actor.tenant_id, address: email, kind: 'tried_again' })
    .execute()
  await record(scope, 'address.tried_again', { type: 'user', id })
  return { email, stopped: null }
}
