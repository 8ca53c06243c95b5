/** What a tenant changes about itself. */
import { mayEditCompany } from '#app/domain/access/tenancy.ts'
import { recordChange } from '#app/domain/audit/audit.server.ts'
import { isUnchanged } from '#app/domain/audit/differences.server.ts'
import { forbidden, invalid } from '#app/domain/errors.ts'
import { SETTINGS_CHANGED, tellAdmins } from '#app/domain/notifications/telling.server.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { REQUIRED } from '#app/domain/text/text.ts'
import type { CompanyInput } from './company.ts'
import { findTenant } from './find-tenant.server.ts'
import { replaceLogo } from './logo.server.ts'
import { tenantSettings } from './rows.server.ts'
import type { Tenant } from './tenant.ts'
import { getTenant, requireLatest, saveTenant } from './tenants.server.ts'

export async function updateCompany(scope: Scope, id: string, input: CompanyInput): Promise<Tenant> {
  const stored = await findTenant(scope, id, 'to change it')
  if (!mayEditCompany(scope.actor)) throw forbidden()
  const { name, logo, categories, timezone, ...more } = input
  if (timezone === null) throw invalid({ timezone: [REQUIRED] })
  const columns = { name, timezone }
  const settled = settingsIn(more)
  const settings = { ...(stored.settings as object), ...settled }
  const change = async (inner: Scope) => {
    const { logo_file_id, ...logos } = await replaceLogo(inner, stored.logo_file_id, logo)
    const changed = {
      before: {
        ...{ ...stored, ...tenantSettings(stored) },
        ...{ categories: stored.llj_categories, ...logos.before },
      },
      after: { ...columns, categories, ...settled, ...logos.after },
    }
    const listed = { llj_categories: categories }
    const sent = { ...columns, ...listed, ...settled, ...logos.after }
    await requireLatest(scope, stored, input.lock_version, sent)
    await saveTenant(inner, stored.id, {
      ...columns,
      ...(categories && listed),
      logo_file_id,
      settings: JSON.stringify(settings),
    })
    await recordChange(inner, 'company.updated', { type: 'tenant', id: stored.id }, changed)
    if (!isUnchanged(changed))
      await tellAdmins(inner, SETTINGS_CHANGED.title, SETTINGS_CHANGED.message, SETTINGS_CHANGED.path)
  }
  await (stored.id === scope.actor.tenant_id ? change(scope) : withinTenant(scope, stored.id, change))
  return getTenant(scope, stored.id)
}

function settingsIn({
  lock_version: _,
  ...settings
}: Omit<CompanyInput, 'name' | 'logo' | 'categories' | 'timezone'>) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}
