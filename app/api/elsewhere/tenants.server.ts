/** Tenants, for super admins, and the lists to choose one from. */
import { DEFAULT_PER_PAGE, paginate } from '#app/domain/page.ts'
import { type Asking, unreadable } from '#app/elsewhere/ask.server.ts'
import { list, pageOf, rowsOf, text, thing } from '#app/elsewhere/read.server.ts'
import { readChoices, readTenant, writeTenant } from '#app/elsewhere/tenants.server.ts'
import {
  createTenant,
  deleteTenant,
  getTenant,
  listTenantChoices,
  listTenants,
  listTimezones,
  updateTenant,
} from '../contract/tenancy/tenants.ts'
import { ifOffered, notOffered } from '../not-offered.server.ts'
import type { Credentials, Made } from '../send.server.ts'
import { askAs, askWithoutId, bodyOf, sentOf, type Translations } from './translated.server.ts'

type Order = { page?: number; order_by?: string; order?: string }
type Row = NonNullable<ReturnType<typeof readTenant>>

/** The other server cannot search: this many of its pages are read and searched here. */
const MAX_SEARCHED = 50

async function askForTenants(who: Credentials, { page = 1, order_by = 'date', order = 'desc' }: Order) {
  const query = { include_sub_tenants: true, order_by, order, page }
  const sent = await askWithoutId(who, { method: 'GET', path: ['tenants'], query })
  const data = rowsOf(sent).flatMap((one) => readTenant(one) ?? [])
  return { data, pagination: pageOf(sent, data.length) }
}

/** A page without a new tenant ends the list, however many pages the server claims. */
async function everyTenant(who: Credentials, order: Order): Promise<Row[]> {
  const all = new Map<string, Row>()
  for (let page = 1; page <= MAX_SEARCHED; page++) {
    const { data, pagination } = await askForTenants(who, { ...order, page })
    const known = all.size
    for (const tenant of data) all.set(tenant.id, tenant)
    if (page >= pagination.total_pages || all.size === known) break
  }
  return [...all.values()]
}

/** A page of those whose name contains the words, or that contain something whose name does. */
export function search<Found extends { name: string }>(
  all: readonly Found[],
  { q, page = 1 }: { q: string; page?: number },
  below: (one: Found) => readonly { name: string }[] = () => [],
) {
  const wanted = q.toLocaleLowerCase('en')
  const has = ({ name }: { name: string }) => name.toLocaleLowerCase('en').includes(wanted)
  const found = all.filter((one) => has(one) || below(one).some(has))
  const pagination = paginate(found.length, { page, per_page: DEFAULT_PER_PAGE })
  return { data: found.slice((page - 1) * DEFAULT_PER_PAGE, page * DEFAULT_PER_PAGE), pagination }
}

async function findTenants({ query }: Made, who: Credentials) {
  const { q = '', deleted, ...order } = query as Order & { q?: string; deleted?: boolean }
  if (deleted) throw notOffered()
  if (q === '') return askForTenants(who, order)
  return search(await everyTenant(who, order), { ...order, q }, (tenant) => tenant.sub_tenants)
}

/** The rest of a form works without the time zones. */
function noZones(error: unknown): [] {
  if (error instanceof Response) return []
  throw error
}

export const OF_TENANTS: Translations = [
  [listTenants, findTenants],
  [
    getTenant,
    async ({ ids }, who) => {
      const asking: Asking = { method: 'GET', path: ['tenants', String(ids.id)] }
      const tenant = readTenant(await askAs(who, asking))
      if (!tenant) throw unreadable(asking)
      return tenant
    },
  ],
  [
    createTenant,
    async (made, who) => {
      await askWithoutId(who, { method: 'POST', path: ['tenants'], body: writeTenant(bodyOf(made)) })
      return sentOf(made)
    },
  ],
  [
    updateTenant,
    async (made, who) => {
      const path = ['tenants', String(made.ids.id)]
      await askAs(who, { method: 'PUT', path, body: writeTenant(bodyOf(made)) })
      return sentOf(made)
    },
  ],
  [
    deleteTenant,
    async ({ ids }, who) => {
      await askAs(who, { method: 'DELETE', path: ['tenants', String(ids.id)] })
      return {}
    },
  ],
  [
    listTenantChoices,
    async (_made, who) => {
      const sent = await ifOffered(askWithoutId(who, { method: 'GET', path: ['tenants', 'data'] }), null)
      return {
        data: sent === null ? await everyTenant(who, { order_by: 'name', order: 'asc' }) : readChoices(sent),
      }
    },
  ],
  [
    listTimezones,
    async (_made, who) => {
      const sent = await askWithoutId(who, { method: 'GET', path: ['tenants', 'timezones'] }).catch(noZones)
      const names = Array.isArray(sent) ? sent : list(thing(sent).data)
      return names.flatMap((name) => text(name) ?? [])
    },
  ],
]
