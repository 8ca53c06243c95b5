/** An export: a table of the reports as a file, or the xAPI statements of a journey. */
import { z } from 'zod'
import { FIGURE_NAMES } from '../analytics/definitions.ts'
import { EXPLAIN_ORDERS, OUTCOMES } from '../analytics/explained/explained.ts'
import { AnalyticsFilters, AnalyticsQuery, REPORT_ORDERS } from '../analytics/query.ts'
import { pageOf, pageQuery, pageSearch } from '../page.ts'
import { EXPORT_TABLES, type ExportTable, FILE_FORMATS, type FileFormat } from './export-words.ts'

const TABLES = Object.keys(EXPORT_TABLES) as [ExportTable, ...ExportTable[]]

const NEEDED: Partial<Record<ExportTable, readonly ('journey' | 'user' | 'lift')[]>> = {
  grid: ['journey'],
  learner: ['journey', 'user'],
  questions: ['lift'],
  answers: ['lift'],
}

const { q, order } = AnalyticsQuery.shape

/** A table with the filters, search and order of the screen. */
export const ExportInput = AnalyticsFilters.extend({
  table: z.enum(TABLES, 'Please choose a table'),
  format: z.enum(Object.keys(FILE_FORMATS) as [FileFormat, ...FileFormat[]], 'Please choose a kind of file'),
  figure: z.enum(FIGURE_NAMES).default('response'),
  outcome: z.enum(OUTCOMES).default('all'),
  q,
  order_by: z.enum([...new Set([...REPORT_ORDERS, ...EXPLAIN_ORDERS])]).default('name'),
  order,
}).superRefine((asked, context) => {
  for (const name of NEEDED[asked.table] ?? [])
    if (asked[name] === undefined)
      context.addIssue({ code: 'custom', path: [name], message: `This table is of one ${WORDS[name]}` })
  const orders: readonly string[] = asked.table === 'explain' ? EXPLAIN_ORDERS : REPORT_ORDERS
  if (!orders.includes(asked.order_by))
    context.addIssue({ code: 'custom', path: ['order_by'], message: 'This table has no such order' })
})
export type ExportInput = z.infer<typeof ExportInput>
const WORDS = { journey: 'journey', user: 'learner', lift: 'lift' } as const

/** `record_store`: sent to the learning record store of the installation. */
export const StatementsInput = z.object({
  to: z.enum(['file', 'record_store']).default('file'),
  /** False: learners get pseudonyms that only Liftwell can resolve. */
  with_addresses: z.boolean().default(false),
})
export type StatementsInput = z.infer<typeof StatementsInput>

export const StatementsForm = StatementsInput.extend({
  journey: z.coerce.number('Please choose a journey').int().positive('Please choose a journey'),
})

/** How long an export is kept, and how large one may be. */
export const HOURS_KEPT = 24
export const MAX_ROWS = 100_000

export const Export = z.object({
  id: z.uuid(),
  kind: z.enum([...TABLES, 'statements']),
  format: z.enum(['csv', 'xlsx', 'json', 'sent']),
  /** The names of its subjects; null for deleted ones. */
  journey: z.string().nullable(),
  lift: z.string().nullable(),
  learner: z.string().nullable(),
  figure: z.enum(FIGURE_NAMES).nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  with_addresses: z.boolean(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  as_of: z.string(),
  status: z.enum(['waiting', 'running', 'finished', 'failed']),
  /** Why it failed or waits, or a note about what was sent. */
  problem: z.string().nullable(),
  rows_total: z.number().int().nullable(),
  rows_done: z.number().int(),
  size: z.number().int(),
  created_on: z.string(),
  finished_on: z.string().nullable(),
  kept_until: z.string(),
})
export type Export = z.infer<typeof Export>

export const ExportPage = pageOf(Export).extend({
  /** The host of the learning record store; null without one. */
  record_store: z.string().nullable(),
})

const ORDERS = ['created_on'] as const
export const ExportQuery = pageQuery(ORDERS).pick({ page: true, per_page: true })
export type ExportQuery = z.infer<typeof ExportQuery>
export const ExportSearch = z.object({
  ...z.object(pageSearch(ORDERS)).pick({ page: true }).shape,
  journey: z.coerce.number().int().positive().optional().catch(undefined),
})
