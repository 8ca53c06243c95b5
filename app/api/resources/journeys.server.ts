import * as calls from '#app/api/contract/journeys.ts'
import { serve } from '#app/api/serve.server.ts'
import { changeAuthor } from '#app/domain/journeys/authorship.server.ts'
import { listJourneyChoices } from '#app/domain/journeys/choices.server.ts'
import { createJourney, deleteJourney } from '#app/domain/journeys/journeys.server.ts'
import { listJourneys } from '#app/domain/journeys/listing.server.ts'
import { duplicateJourney, importJourney } from '#app/domain/running/documents/documents.server.ts'
import { writeJourneyFile } from '#app/domain/running/documents/export-journey.server.ts'
import { changeJourney } from '#app/domain/running/edit-journey.server.ts'
import { launchJourney } from '#app/domain/running/launch.server.ts'
import { getTimeline } from '#app/domain/running/timeline.server.ts'
import { fileStore } from '#app/integrations/stores/files.server.ts'

export const journeys = serve(calls, {
  listJourneys: ({ scope, query }) => listJourneys(scope, query),
  createJourney: ({ scope, body }) => createJourney(scope, body),
  listJourneyChoices: ({ scope }) => listJourneyChoices(scope),
  getJourney: async ({ found }) => found,
  updateJourney: ({ scope, ids, body }) => changeJourney(scope, ids.id, body),
  deleteJourney: async ({ scope, ids }) => {
    await deleteJourney(scope, ids.id)
    return {}
  },
  launchJourney: ({ scope, ids, body }) => launchJourney(scope, ids.id, body),
  getTimeline: ({ scope, ids, query }) => getTimeline(scope, ids.id, query),
  importJourney: ({ scope, body }) => importJourney(scope, body, fileStore()),
  changeAuthor: ({ scope, ids, body }) => changeAuthor(scope, ids.id, body),
  duplicateJourney: ({ scope, ids, body }) => duplicateJourney(scope, ids.id, body),
  getJourneyFile: async ({ scope, ids }) => {
    const { name, text } = await writeJourneyFile(scope, ids.id, fileStore())
    const fileName = encodeURIComponent(`${name}.md`)
    const headers = {
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${fileName}`,
    }
    return new Response(text, { headers })
  },
})
