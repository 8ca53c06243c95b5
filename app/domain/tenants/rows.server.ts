import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { SubTenants, Tenants } from '#app/db/schema.ts'
import { filePath } from '#app/domain/files/files.server.ts'
import { QUIET_HOURS, QuietHours } from '#app/domain/hours/quiet-hours.ts'
import { isSendingStopped } from '#app/domain/sending-stopped.ts'
import { DailyMessageCap } from './company.ts'
import type { SubTenantRow } from './sub-tenant.ts'
import { hasSubTenants, type TenantRow, type TenantSettings } from './tenant.ts'

export type StoredTenant = Selectable<Tenants>
export type StoredSubTenant = Selectable<SubTenants>

export function toTenantRow(stored: StoredTenant): TenantRow {
  const { id, name, industry, timezone, plan, llj_categories, lock_version } = stored
  return {
    id,
    name,
    industry,
    timezone,
    plan,
    llj_categories,
    lock_version,
    customer_type: stored.customer_type as TenantRow['customer_type'],
    status: stored.status as TenantRow['status'],
    logo: filePath(id, stored.logo_file_id),
    has_sub_tenants: hasSubTenants(stored),
    created_on: stored.created_on.toISOString(),
    updated_on: stored.updated_on.toISOString(),
    deleted_on: stored.deleted_on?.toISOString() ?? null,
  }
}

export function toSubTenantRow(stored: StoredSubTenant): SubTenantRow {
  const { id, tenant_id, name, timezone, categories, lock_version } = stored
  return {
    id,
    tenant_id,
    name,
    timezone,
    categories,
    lock_version,
    status: stored.status as SubTenantRow['status'],
    logo: filePath(tenant_id, stored.logo_file_id),
    created_on: stored.created_on.toISOString(),
    updated_on: stored.updated_on.toISOString(),
    deleted_on: stored.deleted_on?.toISOString() ?? null,
  }
}

type Settings = Partial<z.infer<typeof TenantSettings>>

/** A company's settings that are not columns. */
export function tenantSettings(stored: { settings: unknown }): z.infer<typeof TenantSettings> {
  const settings = (stored.settings ?? {}) as Settings
  return {
    authors_may_create_drafts: settings.authors_may_create_drafts === true,
    admins_need_second_factor: settings.admins_need_second_factor === true,
    quiet_hours: QuietHours.safeParse(settings.quiet_hours).data ?? QUIET_HOURS,
    sending_stopped: isSendingStopped(settings),
    daily_message_cap: DailyMessageCap.safeParse(settings.daily_message_cap).data ?? null,
    sign_in_links: settings.sign_in_links === true,
  }
}
