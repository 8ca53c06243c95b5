import { sql } from 'kysely'
import type { Actor } from '#app/domain/access/actor.ts'
import { may } from '#app/domain/access/permissions.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { forbidden, notFound, Refusal } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { toCsv } from '#app/domain/text/csv.ts'
import type { UserImport } from './import.ts'
import { decode } from './import-file.server.ts'
import { OUTCOME_COLUMNS } from './import-outcomes.server.ts'
import { queueImport } from './importing.server.ts'
import { IS_KEPT, readImport } from './reading-imports.server.ts'

type Sent = { file: File; dry_run: boolean; send_welcome: boolean }

/** A worker reads the file; errors that show immediately are reported here. */
export async function startImport(scope: Scope, { file, ...how }: Sent): Promise<UserImport> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  const source = await decode(new Uint8Array(await file.arrayBuffer()))
  // Only characters that the database can store: no NUL, no unpaired surrogate.
  const file_name = [...file.name.replace(/\p{C}/gu, '_')].slice(-200).join('')
  return begin(scope, { ...how, source, file_name, sub_tenant_id: scope.actor.sub_tenant_id })
}

/**
 * Imports the file of a dry run, once, in the place it was checked for; a repeated request returns the same import.
 */
export async function importChecked(scope: Scope, id: string): Promise<UserImport> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  const stored = await scope.db
    .selectFrom('user_imports')
    .select(['source', 'file_name', 'send_welcome', 'sub_tenant_id', 'imported_as', IS_KEPT.as('is_kept')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!stored) throw notFound()
  const { is_kept, source, imported_as, ...rest } = stored
  if (imported_as) return readImport(scope, imported_as)
  if (!is_kept || source === null)
    throw new Refusal(409, 'This file is no longer kept. Please choose it again.')
  const begun = await begin(scope, { ...rest, source, dry_run: false })
  const done = { source: null, imported_as: begun.id }
  await scope.db.updateTable('user_imports').set(done).where('id', '=', id).execute()
  return begun
}

export async function forgetChecked({ db }: Scope, id: string): Promise<void> {
  await db
    .updateTable('user_imports')
    .set({ source: null })
    .where('id', '=', id)
    .where('finished_on', 'is not', null)
    .execute()
}

type Beginning = Omit<Sent, 'file'> & { source: string; file_name: string; sub_tenant_id: string | null }

async function begin(scope: Scope, { file_name, ...how }: Beginning): Promise<UserImport> {
  const { actor, db } = scope
  const { id } = await db
    .insertInto('user_imports')
    .values({
      tenant_id: actor.tenant_id,
      // A visiting super admin is not a user of this tenant.
      created_by: actor.is_impersonating ? null : actor.user_id,
      created_by_email: actor.email,
      file_name,
      ...how,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { dry_run } = how
  await record(scope, 'users.import_started', { type: 'user_import', id }, { file_name, dry_run })
  await queueImport(scope, id, visitorOf(actor))
  return readImport(scope, id)
}

const visitorOf = ({ is_impersonating, home_tenant_id, user_id }: Actor) =>
  is_impersonating && user_id !== null ? { tenant_id: home_tenant_id, user_id } : undefined

export async function getImport(scope: Scope, id: string): Promise<UserImport> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  return readImport(scope, id)
}

export async function getImportResult({ db, actor }: Scope, id: string): Promise<string> {
  if (!may(actor, 'users:create')) throw forbidden()
  const { rows } = await sql<{ result: string }>`select result from user_imports where id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  return toCsv([[...OUTCOME_COLUMNS]]) + rows[0].result
}
