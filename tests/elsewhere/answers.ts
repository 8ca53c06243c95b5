/** How the server answers calls that follow its rules. */
import type { Found } from './rules.ts'
import type { Person, SubTenant, Tenant, World } from './world.ts'

export type Told = { status: number; body?: unknown }
export type Call = Found & {
  person: Person | null
  query: Record<string, string>
  body: unknown
  headers: Record<string, string | undefined>
}

const PER_PAGE = 10
const missing: Told = { status: 404, body: { has_error: true, status: 404, detail: 'Nothing here' } }
const done = (body?: unknown): Told => ({ status: 200, body })
const has = (id: string) => (one: { id: unknown }) => String(one.id) === id

type Scene = Call & {
  world: World
  sent: Record<string, unknown>
  first: string
  tenants: Tenant[]
  tenant: Tenant | undefined
  subTenant: SubTenant | undefined
}

/** Answers a change without a body. */
function changed(row: Record<string, unknown> | undefined, sent: Record<string, unknown>): Told {
  if (!row) return missing
  Object.assign(row, sent)
  return { status: 204 }
}

const ANSWERS: Record<string, (scene: Scene) => Told> = {
  'GET /users/me': (scene) => done(whoIs(scene)),
  'GET /tenants': ({ person, tenants, query }) =>
    person?.is_super_admin ? done(pageOf(sorted(tenants, query), Number(query.page), PER_PAGE)) : forbidden,
  'POST /tenants': ({ world, sent }) => {
    if (world.tenants.some((one) => one.name === sent.name)) return taken
    world.tenants.push({ ...sent, id: world.kind === 'numbers' ? 900 : 'new one', name: String(sent.name) })
    return { status: 201, body: { message: 'ok' } }
  },
  'GET /tenants/data': ({ tenants }) =>
    done(tenants.map(({ id, name, status, sub_tenants }) => ({ id, name, status, sub_tenants }))),
  'GET /tenants/timezones': () => done(['UTC', 'Europe/Madrid', 'America/New_York']),
  'GET /tenants/tenant/sub_tenants/data': ({ world }) => done({ data: world.tenants[0]?.sub_tenants ?? [] }),
  'GET /tenants/{}': ({ tenant }) => (tenant ? done(tenant) : missing),
  'PUT /tenants/{}': ({ tenant, sent }) => changed(tenant, sent),
  'PUT /tenants/{}/company': ({ tenant, sent }) => changed(tenant, sent),
  'DELETE /tenants/{}': ({ world, tenant }) => {
    world.tenants = world.tenants.filter((one) => one !== tenant)
    return tenant ? { status: 204 } : missing
  },
  'GET /tenants/{}/sub_tenants': ({ tenant }) => (tenant ? done(tenant.sub_tenants ?? []) : missing),
  'POST /tenants/{}/sub_tenants': ({ world, tenant, sent }) => {
    if (!tenant) return missing
    const id = world.kind === 'numbers' ? 77 : 'new/part'
    tenant.sub_tenants = [...(tenant.sub_tenants ?? []), { ...sent, id, name: String(sent.name) }]
    return { status: 201 }
  },
  'GET /tenants/{}/sub_tenants/{}': ({ subTenant }) => (subTenant ? done({ data: subTenant }) : missing),
  'PUT /tenants/{}/sub_tenants/{}': ({ subTenant, sent }) => changed(subTenant, sent),
  'PUT /tenants/{}/sub_tenants/{}/company': ({ subTenant, sent }) => changed(subTenant, sent),
  'DELETE /tenants/{}/sub_tenants/{}': ({ tenant, subTenant }) => {
    if (!tenant || !subTenant) return missing
    tenant.sub_tenants = (tenant.sub_tenants ?? []).filter((one) => one !== subTenant)
    return { status: 204 }
  },
  'GET /notifications': ({ world, query }) =>
    done(
      pageOf(world.notifications, Number(query.page), Math.min(Number(query.limit), world.most ?? Infinity)),
    ),
  'PATCH /notifications': ({ world, sent }) => {
    const ids = sent.notification_ids as unknown[]
    for (const one of world.notifications) if (ids.includes(one.id)) one.has_read = true
    return done({})
  },
  'DELETE /notifications/{}': ({ world, first }) => {
    const known = world.notifications.some(has(first))
    world.notifications = world.notifications.filter((one) => !has(first)(one))
    return known ? { status: 204 } : missing
  },
  'POST /auth/resend-welcome-email': ({ world, sent }) => {
    world.welcomed.push(...(sent.user_ids as unknown[]))
    return done({ sent: true })
  },
  'POST /auth/resend-welcome-email/{}': ({ world, first }) => {
    world.welcomed.push(first)
    return { status: 202 }
  },
  'POST /lifts/{}/send_test': ({ world, first, sent }) => {
    world.tests.push({ lift: first, phones: sent.phones as string[] })
    return done(null)
  },
}

export function answer(world: World, call: Call): Told {
  const { rule, ids, person, headers } = call
  const [first = '', second = ''] = ids
  const here = headers['x-impersonate-tenant-id'] ?? headers['x-tenant-id'] ?? ''
  const tenants = person?.is_super_admin ? world.tenants : world.tenants.slice(0, 1)
  const tenant = tenants.find(has(first === 'me' ? here : first))
  const subTenant = tenant?.sub_tenants?.find(has(second))
  const sent = call.body as Record<string, unknown>
  const scene = { ...call, world, sent, first, tenants, tenant, subTenant }
  return ANSWERS[`${rule.method} ${rule.path}`]?.(scene) ?? missing
}

const taken: Told = {
  status: 409,
  body: { has_error: true, status: 409, detail: { name: ['There is one of that name.'] } },
}
const forbidden: Told = { status: 403, body: { has_error: true, status: 403, detail: 'Super admins only' } }

/** The person, with the tenant that their headers name. */
function whoIs({ world, person, headers }: Scene): unknown {
  const inside = world.tenants.find(has(headers['x-impersonate-tenant-id'] ?? ''))
  const { sub: _, ...told } = person ?? { sub: '' }
  return inside ? { ...told, is_impersonating: true, current_tenant: inside } : told
}

function sorted(tenants: readonly Tenant[], { order_by, order }: Record<string, string>): Tenant[] {
  const key = order_by === 'date' ? 'created_on' : (order_by ?? 'name')
  const all = [...tenants].sort((one, other) =>
    String(one[key] ?? '').localeCompare(String(other[key] ?? '')),
  )
  return order === 'desc' ? all.reverse() : all
}

function pageOf(rows: readonly unknown[], page: number, per_page: number) {
  const total_pages = Math.max(1, Math.ceil(rows.length / per_page))
  return {
    data: rows.slice((page - 1) * per_page, page * per_page),
    pagination: { current_page: page, total_pages, x_next: null },
  }
}
