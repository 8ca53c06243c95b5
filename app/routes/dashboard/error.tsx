import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getConfig } from '#app/config.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ErrorScreen } from '#app/ui/frame/error-screen.tsx'

export const meta: MetaFunction = () => [{ title: 'Error · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return { from: cameFrom(args.request) }
}

/** The previous page, if on this site; otherwise a retry loads this page. */
function cameFrom(request: Request): string | undefined {
  const referer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referer)) return
  const { origin, pathname, search } = new URL(referer)
  return origin === getConfig().PUBLIC_ORIGIN ? `${pathname}${search}` : undefined
}

export default function ShowError() {
  return <ErrorScreen retry={useLoaderData<typeof loader>().from} />
}
