import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { readFrame } from '#app/routes/frame.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Framed, FramedError } from '#app/ui/frame/framed.tsx'

export async function loader(args: LoaderFunctionArgs) {
  return readFrame(args, await requireDashboard(args))
}

export default function DashboardLayout() {
  return <Framed frame={useLoaderData<typeof loader>()} />
}

export function ErrorBoundary() {
  return <FramedError frame={useRouteLoaderData<typeof loader>('routes/dashboard/layout')} />
}
