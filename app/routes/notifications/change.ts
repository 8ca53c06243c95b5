/** Changes notifications from the popover, without leaving the page. */
import type { ActionFunctionArgs } from '@remix-run/node'
import { requireVisitor } from '#app/routes/guards.server.ts'
import { changeNotifications } from './change.server.ts'

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireVisitor(args)
  const problem = await changeNotifications(api, await args.request.formData())
  return Response.json({ done: problem === null }, { status: problem === null ? 200 : 404 })
}
