import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ErrorScreen } from '#app/ui/error-screen.tsx'

export const meta: MetaFunction = () => [{ title: 'Error · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return null
}

export default function ShowError() {
  return <ErrorScreen />
}
