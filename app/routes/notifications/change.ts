/** What the popover does with notifications while its page stays where it is. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { requireVisitor } from '#app/routes/guards.server.ts'
import { changeNotifications } from './change.server.ts'
import { pagesAsked, readTold } from './told.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireVisitor(args)
  return Response.json(await readTold(visitor.api, readCurrentUser(args, visitor), pagesAsked(args.request)))
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireVisitor(args)
  const problem = await changeNotifications(api, await args.request.formData())
  return Response.json({ done: problem === null }, { status: problem === null ? 200 : 404 })
}
