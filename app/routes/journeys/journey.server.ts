/** The journey that a page is about, and whether its visitor may still change it. */

import type { ApiClient } from '#app/api/client.server.ts'
import { getJourney } from '#app/api/contract/journeys.ts'
import { isClosed } from '#app/domain/journeys/journey-status.ts'

export async function readJourney(api: ApiClient, id: string | undefined) {
  const journey = await api(getJourney, { id })
  return { journey, mayEdit: journey.may_edit && !isClosed(journey.status) }
}
