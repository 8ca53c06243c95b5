/** Carries out an import in batches of rows, each in its own transaction. */
import { type Selectable, sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import type { UserImports } from '#app/db/schema.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { notify } from '#app/domain/notifications/notifications.server.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import type { TableRow } from '#app/domain/tables/table.ts'
import { figures } from '#app/domain/text/figures.ts'
import { EMAIL_TAKEN } from '#app/domain/unique-violation.server.ts'
import { addPeople, freeOf } from './adding-imported.server.ts'
import { HOURS_KEPT, type ImportColumn } from './import.ts'
import { type Outcome, writeOutcomes } from './import-outcomes.server.ts'
import { type ImportScope, readRow } from './import-row.server.ts'
import { differencesOf, type Imported } from './imported-twice.server.ts'

export type StoredImport = Selectable<UserImports>

const TWICE = 'This address is in the file more than once.'
const MAX_SHOWN = 100

export const findImport = ({ db }: Scope, id: string): Promise<StoredImport | undefined> =>
  db.selectFrom('user_imports').selectAll().where('id', '=', id).executeTakeFirst()

/** Whether the import is running and has reached these rows. */
async function isTheirTurn({ db }: Scope, id: string, rowsBefore: number): Promise<boolean> {
  const open = db
    .selectFrom('user_imports')
    .select('id')
    .where('id', '=', id)
    .where('rows_processed', '=', rowsBefore)
    .where('finished_on', 'is', null)
  return (await open.forUpdate().executeTakeFirst()) !== undefined
}

export async function beginImport({ db }: Scope, id: string, rows_total: number): Promise<void> {
  await db
    .updateTable('user_imports')
    .set({ status: 'running', rows_total })
    .where('id', '=', id)
    .where('finished_on', 'is', null)
    .execute()
}

export async function readImportScope({ db, actor }: Scope, within: string | null): Promise<ImportScope> {
  const rows = await db
    .selectFrom('sub_tenants')
    .select(['id', 'name'])
    .where('tenant_id', '=', actor.tenant_id)
    .where('deleted_on', 'is', null)
    .$if(within !== null, (query) => query.where('id', '=', within ?? ''))
    .execute()
  return { within, subTenants: new Map(rows.map(({ id, name }) => [name.toLowerCase(), id])) }
}

type Batch = {
  rows: readonly TableRow<ImportColumn>[]
  rowsBefore: number
  columns: readonly ImportColumn[]
  scope: ImportScope
  seen: Set<string>
}

/**
 * Called in a tenant-wide scope. `seen`: the addresses of earlier rows. False, with nothing done, if the import was
 * ended or another runner took these rows: the queue reassigns the job of a runner that it lost sight of.
 */
export async function importRows(scope: Scope, job: StoredImport, batch: Batch): Promise<boolean> {
  if (!(await isTheirTurn(scope, job.id, batch.rowsBefore))) return false
  const outcomes: Outcome[] = []
  const people = new Map<string, Imported & { row: number }>()
  for (const tableRow of batch.rows) {
    const { row, email, person, errors } = readRow(tableRow, batch.scope)
    if (!person) outcomes.push({ row, email, result: 'failed', errors })
    else if (batch.seen.has(email)) outcomes.push(skipped(row, email, TWICE))
    else people.set(email, { row, person, cells: tableRow.cells })
    if (person) batch.seen.add(email)
  }
  const free = await freeOf(scope, [...people.keys()])
  const added = job.dry_run ? free : await addPeople(scope, job, people, free)
  const known = await differencesOf(scope, people, added, batch)
  for (const [email, { row }] of people)
    outcomes.push(
      added.has(email)
        ? { row, email, result: 'created', errors: [] }
        : skipped(row, email, `${EMAIL_TAKEN}${known.get(email) ?? ''}`),
    )
  await keepOutcomes(
    scope,
    job,
    batch.rows.length,
    outcomes.sort((one, other) => one.row - other.row),
  )
  return true
}

const skipped = (row: number, email: string, error: string): Outcome => ({
  row,
  email,
  result: 'skipped',
  errors: [{ row, field: 'email', error }],
})

async function keepOutcomes({ db }: Scope, job: StoredImport, rows: number, outcomes: readonly Outcome[]) {
  const count = (result: Outcome['result']) => outcomes.filter((one) => one.result === result).length
  const errors = outcomes.flatMap((one) => one.errors)
  const result = writeOutcomes(outcomes, job.dry_run)
  await sql`update user_imports set rows_processed = rows_processed + ${rows},
      created = created + ${count('created')}, skipped = skipped + ${count('skipped')}, failed = failed + ${count('failed')},
      errors = case when jsonb_array_length(errors) >= ${MAX_SHOWN} then errors
        else errors || ${JSON.stringify(errors.slice(0, MAX_SHOWN))}::jsonb end,
      result = result || ${result} where id = ${job.id}`.execute(db)
}

/** A super admin who imports inside a company that is not their own. */
export type ImportVisitor = { tenant_id: string; user_id: number }

export const queueImport = ({ db }: Scope, import_id: string, visitor?: ImportVisitor): Promise<void> =>
  addJob(db, 'import-users', { import_id, ...(visitor && { visitor }) }, { key: `import-users:${import_id}` })

type End = { problem?: string | null; visitor?: ImportVisitor | undefined }

/** `problem`: why the file, or the rest of it, could not be read. */
export async function endImport(scope: Scope, id: string, { problem = null, visitor }: End): Promise<void> {
  const { db } = scope
  const done = await db
    .updateTable('user_imports')
    .set({
      ...{ status: problem ? 'failed' : 'finished', problem, finished_on: new Date() },
      // The file of a successful dry run is kept, so that it can be imported.
      source: sql`case when dry_run and ${problem}::text is null then source end`,
    })
    .where('id', '=', id)
    .where('finished_on', 'is', null)
    .returning(['created_by', 'created', 'skipped', 'failed', 'dry_run', 'file_name'])
    .executeTakeFirst()
  if (!done) return
  const { created, skipped, failed, dry_run, file_name, created_by } = done
  await record(
    scope,
    'users.imported',
    { type: 'user_import', id },
    { created, skipped, failed, dry_run, problem },
  )
  if (dry_run) await addJob(db, 'forget-import', { import_id: id }, { run_at: inHours(HOURS_KEPT) })
  if (visitor) await tellVisitor(scope, visitor, dry_run ? 'dry run' : 'import')
  if (created_by === null) return
  const isClean = !problem && failed === 0
  const message =
    problem ??
    `${figures(created)} ${dry_run ? 'would be' : created === 1 ? 'was' : 'were'} created, ${figures(skipped)} skipped, ${figures(failed)} failed.`
  await notify(scope, [created_by], {
    notification_type: isClean ? 'success' : 'warning',
    content: {
      title: `${dry_run ? 'Dry run' : 'Import'} of ${file_name} ${problem ? 'failed' : 'finished'}`,
      message,
      path: `/users/import/${id}`,
    },
  })
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** The notification in their home tenant names the company, but contains none of its data. */
async function tellVisitor(scope: Scope, { tenant_id, user_id }: ImportVisitor, work: string): Promise<void> {
  const { name } = await scope.db
    .selectFrom('tenants')
    .select('name')
    .where('id', '=', scope.actor.tenant_id)
    .executeTakeFirstOrThrow()
  const content = {
    title: `The ${work} in ${name} has finished`,
    message: 'Go back to that company to see the result.',
  }
  await withinTenant(scope, tenant_id, (home) =>
    notify(home, [user_id], { notification_type: 'info', content }),
  )
}
