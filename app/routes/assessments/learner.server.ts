import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { getLearnerAssessments } from '#app/api/contract/assessments.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { movedLearnerAddress } from './address.ts'

export async function readLearner(args: LoaderFunctionArgs, visitor: Visitor) {
  const { params, request } = args
  const { api, actor } = visitor
  const { journeyId, userId } = params
  // `me` in messages to many people leads each to their own page.
  if (userId === 'me') throw redirect(`/lljs/${journeyId}/assessments/${actor.user_id}`)
  const moved = movedLearnerAddress(params, request)
  if (moved) throw redirect(moved)
  const [shown, user] = await Promise.all([
    api(getLearnerAssessments, { id: journeyId, userId }),
    readCurrentUser(args, visitor),
  ])
  const zone = zoneHere(user)
  /** The form to fill in, if there are several. */
  const chosen = Number(new URL(request.url).searchParams.get('assessment')) || null
  return { shown, zone, chosen }
}
