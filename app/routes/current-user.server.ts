/** The signed-in person, read once for all parallel loaders of a page. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { getCurrentUser } from '#app/api/contract/people/users.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import type { Visitor } from './guards.server.ts'

export function readCurrentUser(
  { context }: Pick<LoaderFunctionArgs, 'context'>,
  { api }: Pick<Visitor, 'api'>,
  isFramed = false,
): Promise<CurrentUser> {
  const known = context.found.get('current_user') as Promise<CurrentUser> | undefined
  const asked = known ?? api(getCurrentUser, { isFramed })
  context.found.set('current_user', asked)
  return asked
}
