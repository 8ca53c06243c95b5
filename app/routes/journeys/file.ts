/** A journey as a file to keep, to read and to bring in elsewhere. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { encodePath } from '#app/api/path.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const answer = await api.getRaw(encodePath`/lljs/${args.params.journeyId}/file`)
  const headers = ['content-type', 'content-disposition'].map((name): [string, string] => [
    name,
    answer.headers.get(name) ?? '',
  ])
  return new Response(answer.body, { headers })
}
