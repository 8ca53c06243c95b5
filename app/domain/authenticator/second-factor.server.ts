/** Who must show a second factor. */
import { type Database, inScope, systemActor } from '#app/domain/scope.server.ts'

/** The company's setting, in `tenants.settings`. */
export const ADMINS_NEED_SECOND_FACTOR = 'admins_need_second_factor'

type Person = { tenant_id: string; is_super_admin: boolean; roles: readonly { role: string }[] }

/** Super admins, save in the demo; the admins of a company that wants it. */
export async function needsSecondFactor(
  database: Database,
  { tenant_id, is_super_admin, roles }: Person,
  isDemo: boolean,
): Promise<boolean> {
  if (is_super_admin && !isDemo) return true
  if (!roles.some(({ role }) => role === 'admin')) return false
  const tenant = await inScope(database, systemActor(tenant_id), ({ db }) =>
    db.selectFrom('tenants').select('settings').where('id', '=', tenant_id).executeTakeFirst(),
  )
  const settings = tenant?.settings as Record<string, unknown> | undefined
  return settings?.[ADMINS_NEED_SECOND_FACTOR] === true
}
