/** The screens of API keys are for administrators, and only where our own server keeps the keys. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { mayManageApiKeys } from '#app/domain/access/api-keys.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'

export async function requireKeysAdmin(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  if (!mayManageApiKeys(visitor.actor)) throw noPermission('API keys are for administrators.')
  return visitor
}
