/** Loads more notifications for the popover, without leaving the page. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { requireVisitor } from '#app/routes/guards.server.ts'
import { pagesAsked, readTold } from './told.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireVisitor(args)
  const reading = readCurrentUser(args, visitor)
  return Response.json(await readTold(visitor.api, reading, pagesAsked(args.request)))
}
