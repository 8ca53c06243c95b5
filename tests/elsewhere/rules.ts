/** Section 7 of the specification: each call with its allowed query parameters and body, and nothing else. */
import { z } from 'zod'

const id = z.union([z.string().min(1), z.number().int()])
const Logo = z
  .strictObject({ base64: z.string().min(1), file_name: z.string(), file_type: z.string() })
  .nullable()
const Admin = z.strictObject({ first_name: z.string(), last_name: z.string(), email: z.string() })

const TenantBody = z.strictObject({
  name: z.string().min(1),
  industry: z.string().nullable().optional(),
  customer_type: z.enum(['Single Tenant', 'Multi Tenant']).optional(),
  status: z.enum(['active', 'inactive']).optional(),
  timezone: z.string().optional(),
  plan: z.string().nullable().optional(),
  categories: z.array(z.string()).optional(),
  logo: Logo.optional(),
  admins: z.array(Admin).optional(),
})
const SubTenantBody = TenantBody.omit({ industry: true, customer_type: true, plan: true }).extend({
  timezone: z.string().nullable().optional(),
})
const CompanyBody = z.strictObject({
  name: z.string().min(1),
  logo: Logo.optional(),
  categories: z.array(z.string()).optional(),
  timezone: z.string().nullable().optional(),
})

const Page = z.strictObject({
  include_sub_tenants: z.enum(['true', 'false']).optional(),
  order_by: z.string().regex(/^\w+$/),
  order: z.enum(['asc', 'desc']),
  page: z.string().regex(/^[1-9]\d*$/),
})
const Order = Page.pick({ order_by: true, order: true }).strict()
const nothing = z.strictObject({})

export type Rule = {
  method: string
  /** With `{}` for each id. */
  path: string
  query?: z.ZodType
  body?: z.ZodType
  /** Called without a token and without tenant headers. */
  isOpen?: true
}

export const RULES: readonly Rule[] = [
  { method: 'GET', path: '/users/me' },
  { method: 'GET', path: '/users/pool', query: z.strictObject({ email: z.email() }), isOpen: true },
  {
    method: 'POST',
    path: '/auth/resend-welcome-email',
    body: z.strictObject({ user_ids: z.array(id).min(1) }),
  },
  { method: 'POST', path: '/auth/resend-welcome-email/{}', body: nothing },
  { method: 'GET', path: '/tenants', query: Page },
  { method: 'POST', path: '/tenants', body: TenantBody },
  { method: 'GET', path: '/tenants/data' },
  { method: 'GET', path: '/tenants/timezones' },
  { method: 'GET', path: '/tenants/tenant/sub_tenants/data' },
  { method: 'GET', path: '/tenants/{}' },
  { method: 'PUT', path: '/tenants/{}', body: TenantBody },
  { method: 'DELETE', path: '/tenants/{}' },
  { method: 'GET', path: '/tenants/{}/sub_tenants', query: Order },
  { method: 'POST', path: '/tenants/{}/sub_tenants', body: SubTenantBody },
  { method: 'GET', path: '/tenants/{}/sub_tenants/{}' },
  { method: 'PUT', path: '/tenants/{}/sub_tenants/{}', body: SubTenantBody },
  { method: 'DELETE', path: '/tenants/{}/sub_tenants/{}' },
  { method: 'PUT', path: '/tenants/{}/company', body: CompanyBody },
  { method: 'PUT', path: '/tenants/{}/sub_tenants/{}/company', body: CompanyBody },
  {
    method: 'GET',
    path: '/notifications',
    query: z.strictObject({ limit: z.string().regex(/^\d+$/), page: z.string().regex(/^\d+$/) }),
  },
  {
    method: 'PATCH',
    path: '/notifications',
    body: z.strictObject({ notification_ids: z.array(id), has_read: z.literal(true) }),
  },
  { method: 'DELETE', path: '/notifications/{}' },
  {
    method: 'POST',
    path: '/lifts/{}/send_test',
    body: z.strictObject({ phones: z.array(z.string()).min(1) }),
  },
]

export type Found = { rule: Rule; ids: string[] }

/** Literal paths come before paths with ids. */
export function findRule(method: string, path: string): Found | null {
  for (const rule of RULES) {
    const match = new RegExp(`^${rule.path.replaceAll('{}', '([^/]+)')}$`).exec(path)
    if (match && rule.method === method) return { rule, ids: match.slice(1).map(decodeURIComponent) }
  }
  return null
}

/** Headers that the specification has, and those of every HTTP request. */
const HEADERS =
  /^(authorization|x-tenant-id|x-impersonate-tenant-id|x-sub-tenant-id|content-type|content-length|accept|accept-encoding|accept-language|connection|host|sec-fetch-mode|user-agent|transfer-encoding)$/

export const strangeHeaders = (headers: object): string[] =>
  Object.keys(headers).filter((name) => !HEADERS.test(name))
