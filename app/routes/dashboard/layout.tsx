import type { LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { readFrame } from '#app/routes/frame.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { BareError, RouteErrorScreen } from '#app/ui/error-screen.tsx'
import { Shell } from '#app/ui/shell.tsx'

export async function loader(args: LoaderFunctionArgs) {
  return readFrame(await requireDashboard(args))
}

export default function DashboardLayout() {
  const frame = useLoaderData<typeof loader>()
  return (
    <Shell {...frame}>
      <Outlet />
    </Shell>
  )
}

/** A page that fails leaves the frame standing, as long as the frame itself could be made. */
export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('routes/dashboard/layout')
  if (!data) return <BareError />
  return (
    <Shell {...data}>
      <RouteErrorScreen />
    </Shell>
  )
}
