import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { readFrame } from '#app/routes/frame.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { Framed, FramedError } from '#app/ui/frame/framed.tsx'

export async function loader(args: LoaderFunctionArgs) {
  return readFrame(args, await requireSuperAdmin(args))
}

export default function TenantsLayout() {
  return <Framed frame={useLoaderData<typeof loader>()} />
}

export function ErrorBoundary() {
  return <FramedError frame={useRouteLoaderData<typeof loader>('routes/tenants/layout')} />
}
