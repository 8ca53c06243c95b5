/** Who must show a second factor. */
import type { Scope } from '#app/domain/scope.server.ts'

/** The company's setting, in `tenants.settings`. */
export const ADMINS_NEED_SECOND_FACTOR = 'admins_need_second_factor'

type Person = { is_super_admin: boolean; roles: readonly { role: string }[] }

/** Super admins, save in the demo; the admins of a company that wants it. `home` is the person's own tenant. */
export async function secondFactorIsDue(
  { db, actor }: Scope,
  { is_super_admin, roles }: Person,
  isDemo: boolean,
): Promise<boolean> {
  if (is_super_admin && !isDemo) return true
  if (!roles.some(({ role }) => role === 'admin')) return false
  const tenant = await db
    .selectFrom('tenants')
    .select('settings')
    .where('id', '=', actor.tenant_id)
    .executeTakeFirst()
  const settings = tenant?.settings as Record<string, unknown> | undefined
  return settings?.[ADMINS_NEED_SECOND_FACTOR] === true
}
