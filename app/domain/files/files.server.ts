/** Files that people gave us, kept beside the rows that show them. A file never changes: a new one replaces it. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { enterableSubTenants } from '#app/domain/access/tenancy.ts'
import { notFound, Refusal } from '#app/domain/errors.ts'
import { atHome, type Scope, withinTenant } from '#app/domain/scope.server.ts'
import { maySeeFile } from './sight.server.ts'
import { type FileStore, storeKey } from './store.ts'

type NewFile = { kind: 'logo'; content_type: string; file_name: string; bytes: Buffer }
type StoredFile = { content_type: string; file_name: string; bytes: Buffer; size: number; start: number }
/** Which part is asked for; bytes from the end when `start` is negative. */
export type Range = { start: number; end?: number | undefined }

/** Where the file is found: on the site, and below the base path of the API. */
export const filePath = (tenantId: string, fileId: string | null): string | null =>
  fileId === null ? null : `/files/${tenantId}/${fileId}`

export async function storeFile({ db, actor }: Scope, file: NewFile, sub_tenant_id: string | null) {
  const sha256 = createHash('sha256').update(file.bytes).digest()
  const { id } = await db
    .insertInto('files')
    .values({ ...file, tenant_id: actor.tenant_id, sub_tenant_id, sha256, size: file.bytes.length })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteFile({ db }: Scope, id: string): Promise<void> {
  await db.deleteFrom('files').where('id', '=', id).execute()
}

/** Super admins see the logos of every tenant they may enter; the others see what is their tenant's. */
export async function getFile(
  scope: Scope,
  tenantId: string,
  id: string,
  range: Range = { start: 0 },
  store: FileStore | null = null,
): Promise<StoredFile> {
  const { actor } = scope
  if (tenantId === actor.tenant_id) return readFile(scope, id, range, store)
  if (actor.is_super_admin) {
    return atHome(scope, (home) =>
      withinTenant(home, tenantId, (inner) => readFile(inner, id, range, store, true)),
    )
  }
  throw notFound()
}

async function readFile(
  scope: Scope,
  id: string,
  range: Range,
  store: FileStore | null,
  logosOnly = false,
): Promise<StoredFile> {
  const { db, actor } = scope
  // Before one is chosen no scope narrows: whoever belongs to parts sees those parts' files.
  const parts = enterableSubTenants(actor)
  const file = await db
    .selectFrom('files')
    .select(['tenant_id', 'kind', 'created_by', 'content_type', 'file_name', 'size', 'is_elsewhere'])
    .where('id', '=', id)
    .$if(parts !== null, (query) =>
      query.where(sql<boolean>`(sub_tenant_id is null or sub_tenant_id = any(${parts}::uuid[]))`),
    )
    .executeTakeFirst()
  if (!file || (logosOnly && file.kind !== 'logo')) throw notFound()
  const { tenant_id, kind, created_by, is_elsewhere, ...about } = file
  if (!(await maySeeFile(scope, { id, kind, created_by }))) throw notFound()
  const start = range.start < 0 ? Math.max(0, about.size + range.start) : range.start
  const end = Math.min(range.end ?? about.size - 1, about.size - 1)
  if (start > end) throw new Refusal(416, 'The file has no such part.')
  if (is_elsewhere) {
    if (!store)
      throw new Error('A file stands outside the database, but neither FILES_DIR nor FILES_S3_URL is set')
    return { ...about, start, bytes: await store.get(storeKey(tenant_id, id), start, end) }
  }
  const { bytes } = await db
    .selectFrom('files')
    .select(sql<Buffer>`substring(bytes from ${start + 1} for ${end - start + 1})`.as('bytes'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...about, start, bytes }
}
