/** Files that people gave us, kept beside the rows that show them. A file never changes: a new one replaces it. */
import { createHash } from 'node:crypto'
import { notFound } from '#app/domain/errors.ts'
import { atHome, type Scope, withinTenant } from '#app/domain/scope.server.ts'

type NewFile = { kind: 'logo'; content_type: string; file_name: string; bytes: Buffer }
type StoredFile = { content_type: string; file_name: string; bytes: Buffer }

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
export async function getFile(scope: Scope, tenantId: string, id: string): Promise<StoredFile> {
  const { actor } = scope
  if (tenantId === actor.tenant_id) return readFile(scope, id)
  if (actor.is_super_admin) {
    return atHome(scope, (home) => withinTenant(home, tenantId, (inner) => readFile(inner, id)))
  }
  throw notFound()
}

async function readFile({ db }: Scope, id: string): Promise<StoredFile> {
  const file = await db
    .selectFrom('files')
    .select(['content_type', 'file_name', 'bytes'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!file) throw notFound()
  return file
}
