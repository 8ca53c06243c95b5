/** Reads and writes tenants and sub-tenants as another server's API has them. */
import { canonicalTimeZone } from '#app/domain/tenants/timezone.ts'
import { first, id, list, moment, oneOf, rowsOf, type Thing, text, thing } from './read.server.ts'

const STATUSES = ['active', 'inactive'] as const

export const customerTypeOf = (sent: unknown): 'Single Tenant' | 'Multi Tenant' =>
  /multi/i.test(String(sent ?? '')) ? 'Multi Tenant' : 'Single Tenant'

/** A picture's URL, or a data URL; anything else counts as no logo. */
export function logoOf(sent: unknown): string | null {
  const address = text(sent) ?? text(thing(sent).url)
  if (address === null) return null
  if (/^data:image\/(png|jpeg|webp|gif);base64,/i.test(address)) return address
  return URL.canParse(address) && new URL(address).protocol === 'https:' ? address : null
}

const words = (sent: unknown): string[] =>
  list(sent).flatMap((one) => text(one) ?? text(thing(one).name) ?? [])

export function readSummary(sent: Thing) {
  const own = id(sent.id)
  if (own === null) return null
  const status = oneOf(STATUSES, sent.status) ?? ('active' as const)
  return { id: own, name: text(sent.name) ?? `No. ${own}`, logo: logoOf(sent.logo), status }
}

export const readSummaries = (sent: unknown) => rowsOf(sent).flatMap((one) => readSummary(one) ?? [])

export const readChoices = (sent: unknown) =>
  rowsOf(sent).flatMap((one) => {
    const tenant = readSummary(one)
    return tenant ? [{ ...tenant, sub_tenants: readSummaries(one.sub_tenants) }] : []
  })

const common = (sent: Thing) => ({
  timezone: canonicalTimeZone(text(first(sent, 'timezone', 'timeZone', 'time_zone')) ?? ''),
  categories: words(first(sent, 'categories', 'llj_categories')),
  created_on: moment(sent.created_on) ?? '',
  admins: rowsOf(sent.admins).map(readAdmin),
})

function readAdmin(sent: Thing) {
  const status = oneOf(['invited', 'active', 'disabled'], sent.activation_status) ?? ('active' as const)
  const own = id(sent.id) ?? ''
  return {
    id: own,
    first_name: text(sent.first_name) ?? text(sent.name) ?? '',
    last_name: text(sent.last_name) ?? '',
    email: text(first(sent, 'email', 'work_email')) ?? '',
    activation_status: status,
  }
}

export function readTenant(sent: unknown) {
  const told = thing(sent)
  // Some answers wrap the tenant in `data`.
  const tenant = 'id' in told ? told : thing(told.data)
  const summary = readSummary(tenant)
  if (!summary) return null
  const { categories, timezone, ...rest } = common(tenant)
  const customer_type = customerTypeOf(tenant.customer_type)
  return {
    ...summary,
    ...rest,
    industry: text(tenant.industry),
    plan: text(tenant.plan) ?? text(thing(tenant.plan).name),
    customer_type,
    timezone: timezone ?? 'UTC',
    llj_categories: categories,
    has_sub_tenants: customer_type === 'Multi Tenant',
    sub_tenants: readSummaries(tenant.sub_tenants),
  }
}

export function readSubTenant(sent: unknown, tenant_id: string) {
  const told = thing(sent)
  const subTenant = 'id' in told ? told : thing(told.data)
  const summary = readSummary(subTenant)
  return summary && { ...summary, tenant_id: id(subTenant.tenant_id) ?? tenant_id, ...common(subTenant) }
}

/** What is sent: the specification's fields, and nothing only our own server knows. */
export function writeTenant(input: Thing): Thing {
  const { name, industry, customer_type, status, timezone, plan, logo, admins } = input
  const categories = first(input, 'llj_categories', 'categories')
  const sent = { name, industry, customer_type, status, timezone, plan, categories, logo }
  return { ...given(sent), ...adminsOf(admins) }
}

export const writeSubTenant = ({ name, status, timezone, categories, logo, admins }: Thing): Thing => ({
  ...given({ name, status, timezone, categories, logo }),
  ...adminsOf(admins),
})

export const writeCompany = ({ name, logo, categories, timezone }: Thing): Thing =>
  given({ name, logo, categories, timezone })

const adminsOf = (admins: unknown) => (list(admins).length > 0 ? { admins } : {})

const given = (fields: Thing): Thing =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
