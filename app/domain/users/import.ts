/** Importing people from a file: what is sent, and what is told of it. */
import { z } from 'zod'

export const IMPORT_COLUMNS = [
  'email',
  'first_name',
  'last_name',
  'mobile_phone',
  'job_title',
  'timezone',
  'role',
  'sub_tenant',
  'roles',
  'activation_status',
] as const
export type ImportColumn = (typeof IMPORT_COLUMNS)[number]

export const MAX_IMPORT_BYTES = 10_000_000
export const MAX_IMPORT_ROWS = 50_000
export const IMPORT_HELP = `CSV with a heading row; email and first_name are needed. At most ${MAX_IMPORT_ROWS.toLocaleString('en-US')} rows and 10 MB.`

/** A form's boxes come as words. */
const Flag = z.union([z.boolean(), z.enum(['true', 'false', 'on']).transform((word) => word !== 'false')])

/** Sent as form data. */
export const ImportInput = z.object({
  file: z.instanceof(File, { error: 'Please choose a file' }),
  dry_run: Flag.default(false),
  send_welcome: Flag.default(true),
})

export const RowError = z.object({ row: z.number().int(), field: z.string(), error: z.string() })
export type RowError = z.infer<typeof RowError>

/** What becomes of a row, or would: `field` and `error` say why it is passed over. */
export const ImportOutcome = z.object({
  row: z.number().int(),
  email: z.string(),
  result: z.string(),
  field: z.string(),
  error: z.string(),
})
export type ImportOutcome = z.infer<typeof ImportOutcome>

/** How long the file of a dry run is kept, to be imported. */
export const HOURS_KEPT = 24

export const UserImport = z.object({
  id: z.uuid(),
  file_name: z.string(),
  dry_run: z.boolean(),
  send_welcome: z.boolean(),
  status: z.enum(['waiting', 'running', 'finished', 'failed']),
  /** Why it failed as a whole. */
  problem: z.string().nullable(),
  rows_total: z.number().int().nullable(),
  rows_processed: z.number().int(),
  created: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  /** The first hundred; the result file has all. */
  errors: z.array(RowError),
  /** Row by row, the first of them; the result file has all. */
  outcomes: z.array(ImportOutcome),
  /** A dry run whose file is still here, and would create somebody. */
  can_be_imported: z.boolean(),
  created_on: z.string(),
  finished_on: z.string().nullable(),
})
export type UserImport = z.infer<typeof UserImport>
