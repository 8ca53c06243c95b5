/** A journey as a file to keep, read and import elsewhere. */

import type { LoaderFunctionArgs } from '@remix-run/node'
import { getJourneyFile } from '#app/api/contract/journeys.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const answer = await api(getJourneyFile, { id: args.params.journeyId })
  const headers = ['content-type', 'content-disposition'].map((name): [string, string] => [
    name,
    answer.headers.get(name) ?? '',
  ])
  return new Response(answer.body, { headers })
}
