import { type Scope, tenantWide } from '../scope/scope.server.ts'
import { nameOrEmailOf } from '../text/full-name.server.ts'

/** The sponsor's name, also if they belong to another sub-tenant. */
export async function readSponsor(scope: Scope, memberId: number | null): Promise<string | null> {
  if (memberId === null) return null
  const find = ({ db }: Scope) =>
    db
      .selectFrom('members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(nameOrEmailOf('u').as('name'))
      .where('m.id', '=', memberId)
      .where('m.state', '!=', 'withdrawn')
      .executeTakeFirst()
  const sponsor = (await find(scope)) ?? (await tenantWide(scope, find))
  return sponsor?.name ?? null
}
