import * as calls from '#app/api/contract/exports.ts'
import { serve } from '#app/api/serve.server.ts'
import { getConfig } from '#app/config.server.ts'
import { openExportFile } from '#app/domain/exports/export-file.server.ts'
import { getExport, listExports, startExport, startStatements } from '#app/domain/exports/exports.server.ts'

const recordStore = (): string | null => {
  const { LRS_URL } = getConfig()
  return LRS_URL === undefined ? null : new URL(LRS_URL).host
}

export const exports = serve(calls, {
  startExport: ({ scope, body }) => startExport(scope, body),
  startStatements: ({ scope, ids, body }) => startStatements(scope, ids.id, body, recordStore()),
  listExports: async ({ scope, query }) => ({
    ...(await listExports(scope, query)),
    record_store: recordStore(),
  }),
  getExport: ({ scope, ids }) => getExport(scope, ids.id),
  getExportFile: ({ scope, ids, database }) => openExportFile(scope, database, ids.id),
})
