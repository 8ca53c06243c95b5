/** Importing people from a file; below the path of the people. */
import { createRoute, z } from '@hono/zod-openapi'
import { ImportInput, ImportPage, ImportQuery, UserImport } from '#app/domain/users/import.ts'
import { getImport, getImportResult, importChecked, startImport } from '#app/domain/users/imports.server.ts'
import { listImports } from '#app/domain/users/reading-imports.server.ts'
import { answer, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Users']
const one = { params: z.object({ id: z.uuid() }) }

const Upload = ImportInput.extend({
  file: z.instanceof(File, { error: 'Please choose a file' }).openapi({ type: 'string', format: 'binary' }),
}).strict()

const start = createRoute({
  method: 'post',
  path: '/import',
  tags,
  summary: 'Import people from a CSV file or an Excel workbook; with dry_run nothing is changed',
  request: { body: { content: { 'multipart/form-data': { schema: Upload } }, required: true } },
  responses: { 202: answer(UserImport, 'Begun: ask for it again until it has finished'), ...refusals },
})

const list = createRoute({
  method: 'get',
  path: '/imports',
  tags,
  summary: 'A page of the imports of this place, newest first',
  request: { query: ImportQuery },
  responses: { 200: answer(ImportPage), ...refusals },
})

const show = createRoute({
  method: 'get',
  path: '/imports/{id}',
  tags,
  summary: 'How far an import is, and what was wrong',
  request: one,
  responses: { 200: answer(UserImport), ...refusals },
})

const result = createRoute({
  method: 'get',
  path: '/imports/{id}/result',
  tags,
  summary: 'What became of each row, as a CSV file',
  request: one,
  responses: { 200: { description: 'CSV', content: { 'text/csv': { schema: z.string() } } }, ...refusals },
})

const carryOut = createRoute({
  method: 'post',
  path: '/imports/{id}/import',
  tags,
  summary: 'Import the file of a dry run, which is kept for a day',
  request: one,
  responses: { 202: answer(UserImport, 'Begun: ask for it again until it has finished'), ...refusals },
})

export const userImportsApi = createRouter()
  .openapi(start, async (c) => c.json(await startImport(c.var.scope, c.req.valid('form')), 202))
  .openapi(list, async (c) => c.json(await listImports(c.var.scope, c.req.valid('query')), 200))
  .openapi(show, async (c) => c.json(await getImport(c.var.scope, c.req.valid('param').id), 200))
  .openapi(carryOut, async (c) => c.json(await importChecked(c.var.scope, c.req.valid('param').id), 202))
  .openapi(result, async (c) =>
    c.body(await getImportResult(c.var.scope, c.req.valid('param').id), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="import-result.csv"',
    }),
  )
