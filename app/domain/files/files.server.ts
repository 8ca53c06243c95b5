/** Uploaded files, stored beside the rows that show them. A file never changes: a new one replaces it. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { enterableSubTenants } from '#app/domain/access/tenancy.ts'
import { notFound, Refusal } from '#app/domain/errors.ts'
import { asParticipant, atHome, type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { maySeeFile } from './file-access.server.ts'
import { type FileStore, storeKey } from './store.ts'

type NewFile = { kind: 'logo'; content_type: string; file_name: string; bytes: Buffer }
type StoredFile = { content_type: string; file_name: string; bytes: Buffer; size: number; start: number }
export type Range = { start: number; end?: number | undefined }

/** Where the file is found: on the site, and below the base path of the API. */
export const filePath = (tenantId: string, fileId: string | null): string | null =>
  fileId === null ? null : `/files/${tenantId}/${fileId}`

export const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

export async function storeFile({ db, actor }: Scope, file: NewFile, sub_tenant_id: string | null) {
  const sha256 = digestOf(file.bytes)
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

/** Super admins may read the logos of every tenant they may enter, others only files of their own tenant. */
export async function getFile(
  scope: Scope,
  tenantId: string,
  id: string,
  range: Range = { start: 0 },
  store: FileStore | null = null,
): Promise<StoredFile> {
  const { actor } = scope
  if (tenantId === actor.tenant_id) {
    const file = await findWritten(scope, id)
    if (file) return readFile(scope, file, range, store)
    return asParticipant(scope, async (own) => {
      const shown = await selectFile(own, id).executeTakeFirst()
      if (!shown) throw notFound()
      return readFile(own, shown, range, store)
    })
  }
  if (actor.is_super_admin) {
    return atHome(scope, (home) =>
      withinTenant(home, tenantId, async (inner) => {
        const logo = await selectFile(inner, id).where('kind', '=', 'logo').executeTakeFirst()
        if (!logo) throw notFound()
        return readFile(inner, logo, range, store)
      }),
    )
  }
  throw notFound()
}

const selectFile = ({ db }: Scope, id: string) =>
  db
    .selectFrom('files')
    .select(['id', 'tenant_id', 'sub_tenant_id', 'kind', 'created_by'])
    .select(['content_type', 'file_name', 'size', 'is_elsewhere'])
    .where('id', '=', id)
type File = Awaited<ReturnType<ReturnType<typeof selectFile>['executeTakeFirstOrThrow']>>

async function findWritten(scope: Scope, id: string): Promise<File | null> {
  // Before a sub-tenant is chosen, the scope is not limited to one: members of sub-tenants may read those
  // sub-tenants' files.
  const subTenants = enterableSubTenants(scope.actor)
  const file = await selectFile(scope, id)
    .$if(subTenants !== null, (query) =>
      query.where(sql<boolean>`(sub_tenant_id is null or sub_tenant_id = any(${subTenants}::uuid[]))`),
    )
    .executeTakeFirst()
  return file && (await maySeeFile(scope, file)) ? file : null
}

async function readFile(
  { db }: Scope,
  { id, tenant_id, is_elsewhere, content_type, file_name, size }: File,
  range: Range,
  store: FileStore | null,
): Promise<StoredFile> {
  const about = { content_type, file_name, size }
  const start = range.start < 0 ? Math.max(0, about.size + range.start) : range.start
  const end = Math.min(range.end ?? about.size - 1, about.size - 1)
  if (start > end) throw new Refusal(416, 'The file has no such part.')
  if (is_elsewhere) {
    if (!store)
      throw new Error('A file is outside the database, but neither FILES_DIR nor FILES_S3_URL is set')
    return { ...about, start, bytes: await store.get(storeKey(tenant_id, id), start, end) }
  }
  const { bytes } = await db
    .selectFrom('files')
    .select(sql<Buffer>`substring(bytes from ${start + 1} for ${end - start + 1})`.as('bytes'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...about, start, bytes }
}
