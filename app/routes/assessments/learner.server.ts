import { redirect } from '@remix-run/node'
import { getLearnerAssessments } from '#app/api/contract/assessments.ts'
import { getCurrentUser } from '#app/api/contract/people/users.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { movedLearnerAddress } from './address.ts'

type Params = { readonly [name: string]: string | undefined }

export async function readLearner({ api, actor }: Visitor, params: Params, request: Request) {
  const { journeyId, userId } = params
  // Messages to many lead each to their own.
  if (userId === 'me') throw redirect(`/lljs/${journeyId}/assessments/${actor.user_id}`)
  const moved = movedLearnerAddress(params, request)
  if (moved) throw redirect(moved)
  const [shown, user] = await Promise.all([
    api(getLearnerAssessments, { id: journeyId, userId }),
    api(getCurrentUser),
  ])
  const zone = user.timezone ?? user.current_tenant.timezone
  /** Which of several forms is filled in. */
  const chosen = Number(new URL(request.url).searchParams.get('assessment')) || null
  return { shown, zone, chosen }
}
