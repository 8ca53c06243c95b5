/** Imports as their importers follow them. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { may } from '#app/domain/access/permissions.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { toCsv } from '#app/domain/csv.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { UserImport } from './import.ts'
import { decode, readHeading } from './import-file.server.ts'

type Sent = { file: File; dry_run: boolean; send_welcome: boolean }

/** A worker reads it to its end; what can be said at once is said at once. */
export async function startImport(scope: Scope, { file, dry_run, send_welcome }: Sent): Promise<UserImport> {
  const { actor, db } = scope
  if (!may(actor, 'users:create')) throw forbidden()
  const source = decode(new Uint8Array(await file.arrayBuffer()))
  readHeading(source)
  const { id } = await db
    .insertInto('user_imports')
    .values({
      tenant_id: actor.tenant_id,
      sub_tenant_id: actor.sub_tenant_id,
      // Whoever works here from outside is no person of this tenant.
      created_by: actor.is_impersonating ? null : actor.user_id,
      created_by_email: actor.email,
      file_name: file.name.slice(-200),
      dry_run,
      send_welcome,
      source,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(scope, 'users.import_started', { type: 'user_import', id }, { file_name: file.name, dry_run })
  const payload = { import_id: id, ...(actor.is_impersonating ? { visitor: visitorOf(actor) } : {}) }
  await addJob(db, 'import-users', payload, { key: `import-users:${id}` })
  return readImport(scope, id)
}

/** Who is told in their own company when it is over. */
const visitorOf = ({ home_tenant_id, user_id }: Actor) => ({ tenant_id: home_tenant_id, user_id })

const SHOWN = [
  'id',
  'file_name',
  'dry_run',
  'send_welcome',
  'status',
  'problem',
  'rows_total',
  'rows_processed',
  'created',
  'skipped',
  'failed',
  'errors',
  'created_on',
  'finished_on',
] as const

export async function getImport(scope: Scope, id: string): Promise<UserImport> {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  return readImport(scope, id)
}

async function readImport({ db }: Scope, id: string): Promise<UserImport> {
  const stored = await db.selectFrom('user_imports').select(SHOWN).where('id', '=', id).executeTakeFirst()
  if (!stored) throw notFound()
  return UserImport.parse({
    ...stored,
    created_on: stored.created_on.toISOString(),
    finished_on: stored.finished_on?.toISOString() ?? null,
  })
}

/** What became of each row, as a file. */
export async function getImportResult({ db, actor }: Scope, id: string): Promise<string> {
  if (!may(actor, 'users:create')) throw forbidden()
  const { rows } = await sql<{ result: string }>`select result from user_imports where id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  return toCsv([['row', 'email', 'result', 'field', 'error']]) + rows[0].result
}
