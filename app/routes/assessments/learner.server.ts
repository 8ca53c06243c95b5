/** What the page of one learner's assessments shows. */

import { redirect } from '@remix-run/node'
import { getLearnerAssessments } from '#app/api/contract/assessments.ts'
import { getCurrentUser } from '#app/api/contract/people/users.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { readShowSearch } from './search.ts'

type Params = { readonly [name: string]: string | undefined }

export async function readLearner({ api, actor }: Visitor, params: Params, request: Request) {
  const { journeyId, userId } = params
  // Messages to many lead each to their own.
  if (userId === 'me') throw redirect(`/lljs/${journeyId}/assessments/${actor.user_id}`)
  const [shown, user] = await Promise.all([
    api(getLearnerAssessments, { id: journeyId, userId }),
    api(getCurrentUser),
  ])
  const zone = user.timezone ?? user.current_tenant.timezone
  return { shown, zone, search: readShowSearch(request) }
}
