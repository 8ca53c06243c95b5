/** The lift of a page; it has to belong to the journey in the URL. */

import type { ApiClient } from '#app/api/client.server.ts'
import { getLift } from '#app/api/contract/lifts.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { readJourney } from '../journey.server.ts'
import { readLiftPreview } from './lift-preview.server.ts'
import type { Sender } from './message-fields.tsx'

type Params = { readonly journeyId?: string; readonly liftId?: string }

/** Null if it does not exist, or was deleted meanwhile. */
export async function findLift(api: ApiClient, { journeyId, liftId }: Params): Promise<Lift | null> {
  try {
    const lift = await api(getLift, { id: liftId })
    return String(lift.journey_id) === journeyId ? lift : null
  } catch (error) {
    if (error instanceof Response && error.status === 404) return null
    throw error
  }
}

export async function requireLift(api: ApiClient, params: Params): Promise<Lift> {
  const lift = await findLift(api, params)
  if (!lift) throw new Response('Not Found', { status: 404 })
  return lift
}

/** The lift with its journey and its preview. */
export async function readLift(api: ApiClient, params: Params) {
  const [shown, lift] = await Promise.all([readJourney(api, params.journeyId), findLift(api, params)])
  return { ...shown, lift, preview: lift ? await readLiftPreview(api, lift.id) : null }
}

export async function readSender(...asked: Parameters<typeof readCurrentUser>): Promise<Sender> {
  const { current_tenant, sign_in_links } = await readCurrentUser(...asked)
  return { company: current_tenant.name, signsIn: sign_in_links }
}
