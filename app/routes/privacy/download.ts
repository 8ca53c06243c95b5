/** All that is stored about a person, as a file: one's own, or anybody's for administrators. */

import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportPersonalData } from '#app/api/contract/people/privacy.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api, principal } = await requireDashboard(args)
  const id = args.params.userId ?? principal.user_id
  const answer = await api(exportPersonalData, { id })
  return new Response(answer.body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': answer.headers.get('content-disposition') ?? 'attachment',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
