import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { may } from '#app/domain/access/permissions.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import stylesheet from './audit.css?url'
import { AuditLog } from './log.tsx'
import { readAuditLog } from './read.server.ts'
import type { Place } from './subject.tsx'

export const meta: MetaFunction = () => [{ title: 'Audit log · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  if (!may(visitor.actor, 'audit:view')) throw noPermission('The audit log is for administrators.')
  const place: Place = visitor.actor.sub_tenant_id === null ? 'company' : 'sub-tenant'
  return { ...(await readAuditLog(args, visitor)), place }
}

export default function ListAuditEvents() {
  return (
    <AuditLog {...useLoaderData<typeof loader>()} title="Audit log" lead="Who changed what, and for whom." />
  )
}
