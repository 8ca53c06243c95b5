/** The codes that verify a new address or number, stored only as slow hashes. */
import { randomInt, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import { accountsOf } from '../users/accounts.server.ts'

const derive = promisify<string, string, number, Buffer>(scrypt)

export const digestOf = (changeId: number, code: string): Promise<Buffer> =>
  derive(code, `contact-change:${changeId}`, 32)

/** Draws a code for a pending change, with its destination. No code if the address is taken; null if the change is gone. */
export async function drawCode({ db }: Scope, changeId: number) {
  const change = await db
    .selectFrom('contact_changes')
    .select(['kind', 'value'])
    .where('id', '=', changeId)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
  if (!change) return null
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from taken_emails(array[${change.value}]::citext[])) as taken`.execute(db)
  if (change.kind === 'email' && rows[0]?.taken) return { ...change, code: null }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const code_digest = await digestOf(changeId, code)
  const kept = await db
    .updateTable('contact_changes')
    .set({ code_digest })
    .where('id', '=', changeId)
    .where('value', '=', change.value)
    .returning('id')
    .executeTakeFirst()
  return kept ? { ...change, code } : null
}

/** A person's current address and accounts at the provider; null once the person is erased. */
export async function readReachable(scope: Scope, userId: number) {
  const person = await scope.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('erased_on', 'is', null)
    .executeTakeFirst()
  return person ? { email: person.email, accounts: await accountsOf(scope, userId) } : null
}
