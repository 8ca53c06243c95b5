import * as calls from '#app/api/contract/audit.ts'
import { serve } from '#app/api/serve.server.ts'
import { exportAuditEvents } from '#app/domain/audit/export-events.server.ts'
import { listAuditEvents } from '#app/domain/audit/list-events.server.ts'

export const audit = serve(calls, {
  listAuditEvents: ({ scope, query }) => listAuditEvents(scope, query),
  exportAuditEvents: async ({ scope, query }) =>
    new Response(await exportAuditEvents(scope, query), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit-log.csv"',
        'x-content-type-options': 'nosniff',
      },
    }),
})
