/** The data about an invited person that the invitation needs. */
import type { Scope } from '#app/domain/scope/scope.server.ts'

export async function readInvitee({ db }: Scope, userId: number) {
  return db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenant_id')
    .innerJoin('pools as p', 'p.id', 't.pool_id')
    .select((eb) => [
      'u.email',
      'u.first_name',
      'u.last_name',
      't.name as tenant_name',
      't.status as tenant_status',
      'p.id as pool_id',
      'p.issuer',
      'p.kind as pool_kind',
      eb.fn.coalesce('u.timezone', 't.timezone').as('zone'),
    ])
    .where('u.id', '=', userId)
    .where('u.activation_status', '!=', 'disabled')
    .executeTakeFirst()
}

/** Stores the provider's own id of the person. Idempotent for the same invitation. */
export async function keepIdentity(
  { actor, db }: Scope,
  user_id: number,
  issuer: string,
  subject: string,
): Promise<void> {
  await db
    .insertInto('user_identities')
    .values({ tenant_id: actor.tenant_id, user_id, issuer, subject })
    .onConflict((clash) => clash.columns(['tenant_id', 'user_id', 'issuer']).doUpdateSet({ subject }))
    .execute()
}
