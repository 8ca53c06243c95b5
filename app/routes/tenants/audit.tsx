/** What super admins did that belongs to no company. */
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import stylesheet from '#app/routes/audit/audit.css?url'
import { AuditLog } from '#app/routes/audit/log.tsx'
import { readAuditLog } from '#app/routes/audit/read.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'

export const meta: MetaFunction = () => [{ title: 'Audit log of the platform · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export const loader = async (args: LoaderFunctionArgs) => readAuditLog(args, await requireSuperAdmin(args))

export default function PlatformAuditLog() {
  return (
    <AuditLog
      {...useLoaderData<typeof loader>()}
      place="platform"
      title="Audit log of the platform"
      lead="What belongs to no company: super admins and their sign-ins, the shared sign-in, tenants removed for good."
    >
      <ButtonLink to="/tenants" variant="soft" color="gray">
        Tenants
      </ButtonLink>
    </AuditLog>
  )
}
