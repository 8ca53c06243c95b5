import { addJob } from '#app/db/queue.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'

export async function accountsOf({ db }: Scope, user_id: number): Promise<{ pool: string; sub: string }[]> {
  return db
    .selectFrom('user_identities as known')
    .innerJoin('pools', 'pools.issuer', 'known.issuer')
    .select(['pools.id as pool', 'known.subject as sub'])
    .where('known.user_id', '=', user_id)
    .where('pools.kind', '=', 'embedded')
    .execute()
}

export async function isInUse({ db }: Scope, user_id: number): Promise<boolean> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('activation_status', '<>', 'disabled')
    .executeTakeFirst()
  return person !== undefined
}

/** Ends a person's accounts immediately; a job tells the provider after the commit. */
export async function endAccounts(scope: Scope, user_id: number): Promise<void> {
  const { db, actor } = scope
  const accounts = await accountsOf(scope, user_id)
  await db.deleteFrom('user_identities').where('user_id', '=', user_id).execute()
  if (accounts.length === 0) return
  const key = `erase-accounts:${user_id}:${accounts.map(({ sub }) => sub).join()}`
  await addJob(db, 'erase-accounts', { tenant_id: actor.tenant_id, accounts }, { key })
}
