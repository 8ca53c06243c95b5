/** Sub-tenants, and the settings of a company or of one of them. */
import { type Asking, unreadable } from '#app/elsewhere/ask.server.ts'
import { pageOf, rowsOf } from '#app/elsewhere/read.server.ts'
import { readSubTenant, readSummaries, writeCompany, writeSubTenant } from '#app/elsewhere/tenants.server.ts'
import { updateCompany, updateSubTenantCompany } from '../contract/tenancy/company.ts'
import {
  createSubTenant,
  deleteSubTenant,
  getSubTenant,
  listSubTenantChoices,
  listSubTenants,
  updateSubTenant,
} from '../contract/tenancy/sub-tenants.ts'
import { notOffered } from '../not-offered.server.ts'
import type { Credentials, Made } from '../send.server.ts'
import { search } from './tenants.server.ts'
import { askAs, askWithoutId, bodyOf, sentOf, type Translations, tenantIn } from './translated.server.ts'

type Order = { page?: number; order_by?: string; order?: string }

/**
 * Section 7 has no pages for this call: where the server has several, only what it sends can be shown and searched.
 */
async function findSubTenants(made: Made, who: Credentials) {
  const { q = '', deleted, ...asked } = made.query as Order & { q?: string; deleted?: boolean }
  if (deleted) throw notOffered()
  const { order_by = 'date', order = 'desc', page = 1 } = asked
  const tenant = tenantIn(made, who)
  const path = ['tenants', tenant, 'sub_tenants']
  const sent = await askWithoutId(who, { method: 'GET', path, query: { order_by, order } })
  const data = rowsOf(sent).flatMap((one) => readSubTenant(one, tenant) ?? [])
  const found = search(data, { q, page })
  if (pageOf(sent, data.length).total_pages === 1) return found
  return { ...found, pagination: { ...found.pagination, is_capped: true } }
}

const pathOf = (made: Made, who: Credentials) => [
  'tenants',
  tenantIn(made, who),
  'sub_tenants',
  String(made.ids.subId),
]

export const OF_COMPANIES: Translations = [
  [
    listSubTenantChoices,
    async (_made, who) => {
      const path = ['tenants', 'tenant', 'sub_tenants', 'data']
      return { data: readSummaries(await askWithoutId(who, { method: 'GET', path })) }
    },
  ],
  [listSubTenants, findSubTenants],
  [
    getSubTenant,
    async (made, who) => {
      const asking: Asking = { method: 'GET', path: pathOf(made, who) }
      const found = readSubTenant(await askAs(who, asking), tenantIn(made, who))
      if (!found) throw unreadable(asking)
      return found
    },
  ],
  [
    createSubTenant,
    async (made, who) => {
      const path = ['tenants', tenantIn(made, who), 'sub_tenants']
      await askAs(who, { method: 'POST', path, body: writeSubTenant(bodyOf(made)) })
      return sentOf(made)
    },
  ],
  [
    updateSubTenant,
    async (made, who) => {
      await askAs(who, { method: 'PUT', path: pathOf(made, who), body: writeSubTenant(bodyOf(made)) })
      return sentOf(made)
    },
  ],
  [
    deleteSubTenant,
    async (made, who) => {
      await askAs(who, { method: 'DELETE', path: pathOf(made, who) })
      return {}
    },
  ],
  [
    updateCompany,
    async (made, who) => {
      const path = ['tenants', tenantIn(made, who), 'company']
      await askAs(who, { method: 'PUT', path, body: writeCompany(bodyOf(made)) })
      return sentOf(made)
    },
  ],
  [
    updateSubTenantCompany,
    async (made, who) => {
      const path = [...pathOf(made, who), 'company']
      await askAs(who, { method: 'PUT', path, body: writeCompany(bodyOf(made)) })
      return sentOf(made)
    },
  ],
]
