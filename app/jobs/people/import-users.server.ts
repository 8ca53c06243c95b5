/** Imports a file of people. After an interruption it continues after the last rows that were kept. */

import { z } from 'zod'
import type { Actor } from '#app/domain/access/actor.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { openTable } from '#app/domain/tables/read-table.server.ts'
import { type TableRow, UnreadableTable } from '#app/domain/tables/table.ts'
import { inTheirName } from '#app/domain/users/beside-erasure.server.ts'
import { type ImportColumn, PEOPLE_TABLE } from '#app/domain/users/imports/import.ts'
import { type ImportScope, readRow } from '#app/domain/users/imports/import-row.server.ts'
import {
  beginImport,
  endImport,
  findImport,
  type ImportVisitor,
  importRows,
  queueImport,
  readImportScope,
  type StoredImport,
} from '#app/domain/users/imports/importing.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  import_id: z.uuid(),
  visitor: z.object({ tenant_id: z.uuid(), user_id: z.number() }).optional(),
  has_given_up: z.boolean().optional(),
})
const AT_ONCE = 500
/** Then the job goes to the end of the queue, so that other jobs, and a shutdown, need not wait for it. */
const AT_A_STRETCH_MS = 5000
const LATER = Symbol('later')

export async function importUsers({ database, isLastTry }: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, import_id, visitor, has_given_up } = Payload.parse(payload)
  const stored = await inScope(database, systemActor(tenant_id), (scope) => findImport(scope, import_id))
  if (!stored?.source || stored.finished_on) return
  const actor = importerOf(stored, visitor)
  const within = <Result>(work: (scope: Scope) => Promise<Result>) =>
    inScope(database, actor, async (scope) => work(await inTheirName(scope)))
  const end = (problem: string | null) => within((scope) => endImport(scope, import_id, { problem, visitor }))
  try {
    const problem = has_given_up ? GIVEN_UP : await carryOut(stored, stored.source, within)
    if (problem === LATER) await within((scope) => queueImport(scope, import_id, visitor))
    else await end(problem)
  } catch (error) {
    if (isLastTry) await end(GIVEN_UP)
    throw error
  }
}

const GIVEN_UP =
  'Something went wrong before the end of the file. Please import it again later: people who are already here are skipped.'

const PLACE_GONE =
  'The sub-tenant was deleted, so nobody more was added to it. Restore it, and import the file again.'

/** Changes are audited as the importer's, even if the importer is a visitor from another tenant. */
function importerOf(
  { tenant_id, created_by, created_by_email: email }: StoredImport,
  visitor?: ImportVisitor,
): Actor {
  const system = systemActor(tenant_id)
  if (!visitor) return { ...system, user_id: created_by, email }
  const { user_id, tenant_id: home_tenant_id } = visitor
  return { ...system, user_id, email, home_tenant_id, is_impersonating: true }
}

type Within = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>

/** Returns why the import cannot be carried out, or null when it was. */
async function carryOut(
  stored: StoredImport,
  source: string,
  within: Within,
): Promise<string | typeof LATER | null> {
  const end = Date.now() + AT_A_STRETCH_MS
  const table = openTable(source, PEOPLE_TABLE)
  const problem = stored.rows_total === null ? await begin(stored.id, table, within) : null
  if (problem !== null) return problem
  const scope = await within((scope) => readImportScope(scope, stored.sub_tenant_id))
  if (isPlaceGone(scope)) return PLACE_GONE
  const seen = new Set<string>()
  let position = 0
  let rows: TableRow<ImportColumn>[] = []
  const flush = async () => {
    if (rows.length === 0) return true
    const batch = { rows, rowsBefore: position - rows.length, columns: table.columns, scope, seen }
    rows = []
    return within((scope) => importRows(scope, stored, batch))
  }
  for await (const row of table.rows()) {
    position += 1
    if (position <= stored.rows_processed) {
      const { person, email } = readRow(row, scope)
      if (person) seen.add(email)
      continue
    }
    rows.push(row)
    if (rows.length < AT_ONCE) continue
    if (!(await flush()) || Date.now() > end) return LATER
  }
  return (await flush()) ? null : LATER
}

/** The whole file is checked before anyone is created: half an import helps nobody. */
async function begin(
  id: string,
  table: ReturnType<typeof openTable>,
  within: Within,
): Promise<string | null> {
  const total = await countRows(table).catch(explain)
  if (typeof total === 'string') return total
  await within((scope) => beginImport(scope, id, total))
  return null
}

async function countRows(table: ReturnType<typeof openTable>): Promise<number> {
  let count = 0
  for await (const _ of table.rows()) count += 1
  return count
}

const isPlaceGone = ({ within, subTenants }: ImportScope): boolean => within !== null && subTenants.size === 0

function explain(error: unknown): string {
  if (error instanceof UnreadableTable) return `Line ${error.line}: ${error.message}`
  throw error
}
