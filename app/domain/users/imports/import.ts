/** Importing people from a file: input and answers. */

import { z } from 'zod'
import { labelsOf } from '#app/domain/fields.ts'
import { pageOf, pageQuery, pageSearch } from '#app/domain/page.ts'
import type { TableShape } from '#app/domain/tables/table.ts'
import { figures } from '#app/domain/text/figures.ts'
import { EXAMPLES, PERSON } from '#app/domain/users/person.ts'

/** The columns of a file; headings can be these names or labels, in any spelling. */
export const IMPORT_LABELS = {
  ...labelsOf(PERSON),
  role: 'Role',
  sub_tenant: 'Sub-tenant',
  roles: 'Roles',
  activation_status: 'Status',
} as const
export type ImportColumn = keyof typeof IMPORT_LABELS

/** The template for beginners: the simple columns Role and Sub-tenant replace the combined Roles. */
export const IMPORT_TEMPLATE: Partial<Record<ImportColumn, string>> = {
  ...EXAMPLES,
  role: 'user',
  sub_tenant: '',
}

/** The file types that can be chosen, by extension and by MIME type. */
export const IMPORT_ACCEPT =
  '.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,.csv,text/csv'

export const MAX_IMPORT_BYTES = 10_000_000

/** Further columns of exports are ignored, and so are columns without a name, which spreadsheets leave behind. */
export const PEOPLE_TABLE: TableShape<ImportColumn> = {
  labels: IMPORT_LABELS,
  needed: ['email', 'first_name'],
  ignored: ['created_on', ''],
  maxRows: 50_000,
}
export const IMPORT_HELP = `Excel (.xlsx, the first sheet) or CSV, with a heading row; E-mail and First name are needed. At most ${figures(PEOPLE_TABLE.maxRows)} rows and 10 MB.`

const Flag = z.union([z.boolean(), z.enum(['true', 'false', 'on']).transform((word) => word !== 'false')])

export const ImportInput = z.object({
  file: z.instanceof(File, { error: 'Please choose a file' }),
  dry_run: Flag.default(false),
  send_welcome: Flag.default(true),
})

export const RowError = z.object({ row: z.number().int(), field: z.string(), error: z.string() })
export type RowError = z.infer<typeof RowError>

/** The outcome of a row; in a dry run, what it would be. `field` and `error` say why it is skipped. */
export const ImportOutcome = z.object({
  row: z.number().int(),
  email: z.string(),
  result: z.string(),
  field: z.string(),
  error: z.string(),
})
export type ImportOutcome = z.infer<typeof ImportOutcome>

/** How long the file of a dry run is kept for importing it. */
export const HOURS_KEPT = 24

export const UserImport = z.object({
  id: z.uuid(),
  file_name: z.string(),
  dry_run: z.boolean(),
  send_welcome: z.boolean(),
  status: z.enum(['waiting', 'running', 'finished', 'failed']),
  problem: z.string().nullable(),
  rows_total: z.number().int().nullable(),
  rows_processed: z.number().int(),
  created: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  /** The first hundred; the result file has all. */
  errors: z.array(RowError),
  outcomes: z.array(ImportOutcome),
  /** A dry run whose file still exists and would create somebody. */
  can_be_imported: z.boolean(),
  /** Until when the file of such a dry run is kept. */
  kept_until: z.string().nullable(),
  /** The import that this dry run became. */
  imported_as: z.uuid().nullable(),
  /** Their name, or e-mail address; null once they are erased. */
  created_by: z.string().nullable(),
  created_on: z.string(),
  finished_on: z.string().nullable(),
})
export type UserImport = z.infer<typeof UserImport>

/** An import in the list, with its totals. */
export const ImportSummary = UserImport.omit({ errors: true, outcomes: true })
export type ImportSummary = z.infer<typeof ImportSummary>
export const ImportPage = pageOf(ImportSummary)

const ORDERS = ['created_on'] as const
export const ImportQuery = pageQuery(ORDERS).pick({ page: true, per_page: true })
export type ImportQuery = z.infer<typeof ImportQuery>
export const ImportSearch = z.object(pageSearch(ORDERS)).pick({ page: true })
