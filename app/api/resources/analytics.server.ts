import * as calls from '#app/api/contract/analytics.ts'
import { serve } from '#app/api/serve.server.ts'
import { getOverview } from '#app/domain/analytics/analytics.server.ts'
import { getByLift } from '#app/domain/analytics/by-lift.server.ts'
import { getByUser } from '#app/domain/analytics/by-user.server.ts'
import { explainFigure } from '#app/domain/analytics/explained/explain.server.ts'
import { readFilterChoices } from '#app/domain/analytics/filter-choices.server.ts'
import { getPictures } from '#app/domain/analytics/pictures/all-pictures.server.ts'
import { getFailures } from '#app/domain/analytics/pictures/failures.server.ts'
import { getGrid } from '#app/domain/analytics/pictures/grid.server.ts'
import { getTiming } from '#app/domain/analytics/pictures/timing.server.ts'
import { getTrend } from '#app/domain/analytics/pictures/trend.server.ts'

export const analytics = serve(calls, {
  getOverview: ({ scope, query }) => getOverview(scope, query),
  listByUser: ({ scope, query }) => getByUser(scope, query),
  listByLift: ({ scope, query }) => getByLift(scope, query),
  listFilterChoices: ({ scope, query }) => readFilterChoices(scope, query),
  explainFigure: ({ scope, query }) => explainFigure(scope, query),
  getTrend: ({ scope, query }) => getTrend(scope, query),
  getTiming: ({ scope, query }) => getTiming(scope, query),
  getFailures: ({ scope, query }) => getFailures(scope, query),
  getPictures: ({ scope, query }) => getPictures(scope, query),
  getGrid: ({ scope, ids, query }) => getGrid(scope, ids.id, query),
})
