/** Who must show a second factor. */
import { sql } from 'kysely'
import type { Scope } from '#app/domain/scope/scope.server.ts'

type Person = {
  is_super_admin: boolean
  /** By the company, or by a sub-tenant whose admin they are, wherever they are now. */
  is_asked_for_second_factor: boolean
}

/** Super admins save in the demo, and admins who are asked for it. */
export const secondFactorIsDue = (person: Person, isDemo: boolean): boolean =>
  person.is_asked_for_second_factor || (person.is_super_admin && !isDemo)

/** Of the person of the scope, at home. */
export async function ownSecondFactorIsDue({ actor, db }: Scope, isDemo: boolean): Promise<boolean> {
  const { rows } = await sql<{ is_asked: boolean }>`
    select scope_is_asked_for_second_factor() as is_asked`.execute(db)
  const { is_super_admin } = actor
  return secondFactorIsDue({ is_super_admin, is_asked_for_second_factor: rows[0]?.is_asked ?? false }, isDemo)
}
