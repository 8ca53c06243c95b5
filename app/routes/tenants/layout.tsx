import type { LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { BareError, RouteErrorScreen } from '#app/ui/error-screen.tsx'
import { Shell } from '#app/ui/shell.tsx'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  return { user: await api.get('/users/me', CurrentUser) }
}

export default function TenantsLayout() {
  const { user } = useLoaderData<typeof loader>()
  return (
    <Shell user={user}>
      <Outlet />
    </Shell>
  )
}

/** A page that fails leaves the frame standing, as long as the frame itself could be made. */
export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('routes/tenants/layout')
  if (!data) return <BareError />
  return (
    <Shell user={data.user}>
      <RouteErrorScreen />
    </Shell>
  )
}
