/** Roles in old and new values have only the id of their sub-tenant; this adds its name for readers. */

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const subTenantsIn = (rows: readonly { changes: unknown }[]) =>
  idsIn(rows.map(({ changes }) => changes)).map((subject_id) => ({ subject_type: 'sub_tenant', subject_id }))

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (!isObject(value)) return []
  const { sub_tenant_id: id, ...others } = value
  return [...(typeof id === 'string' ? [id] : idsIn(id)), ...idsIn(Object.values(others))]
}

/** `named`: names by kind and id. Deleted things have no name. */
export function withSubTenants(value: unknown, named: ReadonlyMap<string, { name: string | null }>): unknown {
  if (Array.isArray(value)) return value.map((one) => withSubTenants(one, named))
  if (!isObject(value)) return value
  const inside = Object.entries(value).map(([name, one]) => [name, withSubTenants(one, named)] as const)
  const sub_tenant = named.get(`sub_tenant:${value.sub_tenant_id}`)?.name
  return Object.fromEntries(sub_tenant ? [...inside, ['sub_tenant', sub_tenant]] : inside)
}
