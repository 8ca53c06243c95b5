/** Importing people from a file; below the path of the people. */

import { z } from 'zod'
import { callsAbout, fileOf } from '#app/api/contract/call.ts'
import { IMPORTS, LIST_BYTES, SENDING } from '#app/api/contract/limits.ts'
import { ImportInput, ImportPage, ImportQuery, UserImport } from '#app/domain/users/imports/import.ts'

const { get, post } = callsAbout('Users')

const Upload = ImportInput.extend({
  file: z.instanceof(File, { error: 'Please choose a file' }).meta({ type: 'string', format: 'binary' }),
}).strict()

export const startImport = post('/users/import', {
  does: 'Import people from a CSV file or an Excel workbook; with dry_run nothing is changed',
  may: 'create users',
  keys: false,
  form: Upload,
  answers: UserImport,
  described: 'Started: ask for it again until it has finished',
  status: 202,
  repeats: 'once',
  bytes: LIST_BYTES,
  perPerson: IMPORTS,
  perAddress: SENDING,
  audited: true,
})

export const listImports = get('/users/imports', {
  does: 'A page of the imports of this company or sub-tenant, newest first',
  may: 'create users',
  query: ImportQuery,
  answers: ImportPage,
})

export const getImport = get('/users/imports/{id}', {
  does: 'How far an import is, and what was wrong',
  may: 'create users',
  ids: z.object({ id: z.uuid() }),
  answers: UserImport,
})

export const carryOutImport = post('/users/imports/{id}/import', {
  does: 'Import the file of a dry run, which is kept for a day',
  may: 'create users',
  keys: false,
  ids: z.object({ id: z.uuid() }),
  answers: UserImport,
  described: 'Started: ask for it again until it has finished',
  status: 202,
  perPerson: IMPORTS,
  perAddress: SENDING,
  audited: true,
})

export const getImportResult = get('/users/imports/{id}/result', {
  does: 'The result of each row, as a CSV file',
  may: 'create users',
  ids: z.object({ id: z.uuid() }),
  answers: fileOf('text/csv', 'CSV'),
})
