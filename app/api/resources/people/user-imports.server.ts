import * as calls from '#app/api/contract/people/user-imports.ts'
import { serve } from '#app/api/serve.server.ts'
import {
  getImport,
  getImportResult,
  importChecked,
  startImport,
} from '#app/domain/users/imports/imports.server.ts'
import { listImports } from '#app/domain/users/imports/reading-imports.server.ts'

export const userImports = serve(calls, {
  startImport: ({ scope, body }) => startImport(scope, body),
  listImports: ({ scope, query }) => listImports(scope, query),
  getImport: ({ scope, ids }) => getImport(scope, ids.id),
  carryOutImport: ({ scope, ids }) => importChecked(scope, ids.id),
  getImportResult: async ({ scope, ids }) =>
    new Response(await getImportResult(scope, ids.id), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="import-result.csv"',
      },
    }),
})
