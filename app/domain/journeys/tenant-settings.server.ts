/** The settings that a journey takes from its tenant: categories, time zone, whether authors may create journeys. */
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { invalid } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { rulesInForce } from '../tenants/sub-tenant-rules.server.ts'

/** `subTenantId`: the sub-tenant of the journey, now or after a move. */
async function settingsOf({ actor, db }: Scope, subTenantId = actor.sub_tenant_id) {
  const { sub_tenant, ...tenant } = await db
    .selectFrom('tenants')
    .select(['timezone', 'llj_categories', 'settings'])
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('sub_tenants')
          .select(['timezone', 'categories', 'settings'])
          .where('id', '=', subTenantId),
      ).as('sub_tenant'),
    )
    .where('id', '=', actor.tenant_id)
    .executeTakeFirstOrThrow()
  return { tenant, subTenant: sub_tenant ?? undefined }
}

type Settings = Awaited<ReturnType<typeof settingsOf>>

const categoriesOf = ({ tenant, subTenant }: Settings): string[] => [
  ...new Set([...tenant.llj_categories, ...(subTenant?.categories ?? [])]),
]

/** The categories that can be chosen: the company's, and those of the sub-tenant. */
export const listCategories = async (scope: Scope, subTenantId?: string | null): Promise<string[]> =>
  categoriesOf(await settingsOf(scope, subTenantId))

export async function requireLivingCategory(
  scope: Scope,
  category: string | null | undefined,
  subTenantId?: string | null,
): Promise<void> {
  if (category === null || category === undefined) return
  if (!(await listCategories(scope, subTenantId)).includes(category))
    throw invalid({ category: ['There is no such category in the company settings.'] })
}

export async function timezoneOf(scope: Scope, subTenantId: string | null): Promise<string> {
  const { tenant, subTenant } = await settingsOf(scope, subTenantId)
  return subTenant?.timezone ?? tenant.timezone
}

/** A new journey belongs to the current sub-tenant, or to the whole tenant. */
export async function creationRules(
  scope: Scope,
): Promise<{ authors_may_create_drafts: boolean; categories: string[] }> {
  const settings = await settingsOf(scope)
  const { authors_may_create_drafts } = rulesInForce(settings.tenant, settings.subTenant)
  return { authors_may_create_drafts, categories: categoriesOf(settings) }
}
