/** Who reads which audit log, and what its screen shows: a company's under `/settings`, the platform's under `/tenants`. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { listAuditEvents } from '#app/api/contract/audit.ts'
import type { AuditEvent } from '#app/domain/audit/audit-event.ts'
import { withNames } from '#app/domain/audit/numbered.ts'
import { requireDashboard, requireSuperAdmin, type Visitor } from '#app/routes/guards.server.ts'
import { readAuditSearch } from './search.server.ts'
import { shortened } from './shortened.ts'
import type { Place } from './subject.tsx'

export async function requireReader(args: LoaderFunctionArgs): Promise<{ visitor: Visitor; place: Place }> {
  if (/^\/tenants\//i.test(new URL(args.request.url).pathname))
    return { visitor: await requireSuperAdmin(args), place: 'platform' }
  const visitor = await requireDashboard(args)
  return { visitor, place: visitor.actor.sub_tenant_id === null ? 'company' : 'sub-tenant' }
}

export async function readAuditLog(args: LoaderFunctionArgs, visitor: Visitor) {
  const { query, ...read } = await readAuditSearch(args, visitor)
  const { data: rows, pagination } = await visitor.api(listAuditEvents, query)
  const data = rows.map((event) => ({
    ...event,
    names: {},
    changes: shortened(withNames(event)) as AuditEvent['changes'],
  }))
  return { ...read, events: { data, pagination } }
}
