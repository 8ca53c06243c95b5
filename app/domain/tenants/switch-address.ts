/** The place to switch to: a tenant or sub-tenant. */
export const placeOf = (tenantId: string, subTenantId?: string | null): string =>
  [tenantId, subTenantId].filter(Boolean).join('/')

export const switchAddress = (tenantId: string, subTenantId?: string | null): string =>
  `/switch?place=${encodeURIComponent(placeOf(tenantId, subTenantId))}`
