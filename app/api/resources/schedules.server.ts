import * as calls from '#app/api/contract/schedules.ts'
import { serve } from '#app/api/serve.server.ts'
import { previewSchedule } from '#app/domain/planning/preview/preview.server.ts'
import {
  archiveJourney,
  completeJourney,
  pauseJourney,
  resumeJourney,
} from '#app/domain/running/lifecycle.server.ts'

export const schedules = serve(calls, {
  previewSchedule: ({ scope, ids, query }) => previewSchedule(scope, ids.id, { ...query, changes: {} }),
  previewChanges: ({ scope, ids, body }) => previewSchedule(scope, ids.id, body),
  pauseJourney: ({ scope, ids }) => pauseJourney(scope, ids.id),
  resumeJourney: ({ scope, ids, body }) => resumeJourney(scope, ids.id, body),
  completeJourney: ({ scope, ids }) => completeJourney(scope, ids.id),
  archiveJourney: ({ scope, ids }) => archiveJourney(scope, ids.id),
})
