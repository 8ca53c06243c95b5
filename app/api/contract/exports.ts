/** Exports of analytics: requested, followed and downloaded by the same person. */
import { z } from 'zod'
import { Export, ExportInput, ExportPage, ExportQuery, StatementsInput } from '#app/domain/exports/export.ts'
import { callsAbout } from './call.ts'
import { EXPORTS } from './limits.ts'
import { oneId } from './parts.ts'

const { get, post } = callsAbout('Exports')
const oneExport = z.object({ id: z.uuid() })

export const startExport = post('/analytics/exports', {
  does: 'Make a file of a table of the reports, with the filters of the screen',
  remark: 'Asked again by the same person while it is being made, it is the same export.',
  may: 'view analytics',
  body: ExportInput,
  answers: Export,
  described: 'Begun: ask for it again until it has finished',
  status: 202,
  repeats: 'once',
  perPerson: EXPORTS,
  audited: true,
})

export const startStatements = post('/lljs/{id}/statements', {
  does: 'Make xAPI 1.0.3 statements of a journey, as a file or for the learning record store of the installation',
  remark: 'The ids of statements are always the same, so that sending them again makes no second ones.',
  may: 'edit journey',
  ids: oneId,
  body: StatementsInput,
  answers: Export,
  described: 'Begun: ask for it again until it has finished',
  status: 202,
  repeats: 'once',
  perPerson: EXPORTS,
  audited: true,
})

export const listExports = get('/exports', {
  does: 'A page of the caller’s exports, newest first; each is kept for a day',
  may: 'view analytics',
  query: ExportQuery,
  answers: ExportPage,
})

export const getExport = get('/exports/{id}', {
  does: 'How far an export of the caller’s is',
  may: 'view analytics',
  ids: oneExport,
  answers: Export,
})

export const getExportFile = get('/exports/{id}/file', {
  does: 'The file of an export of the caller’s, once it has finished',
  may: 'view analytics',
  ids: oneExport,
  answers: {
    files: {
      200: {
        description: 'CSV, an Excel workbook, or statements as JSON',
        content: Object.fromEntries(
          [
            'text/csv',
            'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
            'application/json',
          ].map((type) => [type, { schema: z.string() }]),
        ),
      },
    },
  },
})
