import type { DemoPerson } from './people.ts'

export type DemoTenant = {
  name: string
  industry: string
  customer_type: 'Single Tenant' | 'Multi Tenant'
  status: 'active' | 'inactive'
  timezone: string
  plan: string
  categories: readonly string[]
  domain: string
  /** The two colors of its drawn logo. */
  colors: readonly [string, string]
  is_testing?: boolean
  sub_tenants: readonly { name: string; timezone: string }[]
  /** Groups of the whole company, by job title. */
  groups?: readonly { name: string; job_titles: readonly string[] }[]
  people: readonly DemoPerson[]
}
