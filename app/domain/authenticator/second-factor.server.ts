/** Who must use a second factor. */
import { sql } from 'kysely'
import type { Scope } from '#app/domain/scope/scope.server.ts'

type Person = {
  is_super_admin: boolean
  /** Required by the company, or by a sub-tenant in which they are admin, wherever they are now. */
  is_asked_for_second_factor: boolean
}

/** Super admins (except in the demo), and admins whose company requires it. */
export const secondFactorIsDue = (person: Person, isDemo: boolean): boolean =>
  person.is_asked_for_second_factor || (person.is_super_admin && !isDemo)

/** The same for the actor, in their home tenant. */
export async function ownSecondFactorIsDue({ actor, db }: Scope, isDemo: boolean): Promise<boolean> {
  const { rows } = await sql<{ is_asked: boolean }>`
    select scope_is_asked_for_second_factor() as is_asked`.execute(db)
  const { is_super_admin } = actor
  return secondFactorIsDue({ is_super_admin, is_asked_for_second_factor: rows[0]?.is_asked ?? false }, isDemo)
}
