/** The journey that a page is about, and whether its visitor may still change it. */

import type { ApiClient } from '#app/api/client.server.ts'
import { getJourney } from '#app/api/contract/journeys.ts'
import { isClosed } from '#app/domain/journeys/journey-status.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission } from '#app/routes/guards.server.ts'

export async function readJourney(api: ApiClient, id: string | undefined) {
  const journey = await api(getJourney, { id })
  return { journey, mayEdit: journey.may_edit && !isClosed(journey.status) }
}

type Shown = Awaited<ReturnType<typeof readJourney>>

/** For pages that only change a journey. Visitors who could change it until it ended are led to its schedule, which says so. */
export async function requireMayEdit({ journey, mayEdit }: Shown): Promise<void> {
  if (mayEdit) return
  if (!journey.may_edit) throw noPermission()
  throw await redirectWithToast(`/lljs/${journey.id}/schedule`, {
    title: `This journey is ${journey.status}`,
    message: 'You can read it, but not change it.',
    variant: 'info',
  })
}
