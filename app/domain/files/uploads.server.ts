/**
 * Stores uploads of authors: the type is detected from the bytes, images are re-encoded, and the quota is checked.
 */
import { createHash, randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { mayManageJourneys } from '../access/journeys.ts'
import { may } from '../access/permissions.ts'
import { record } from '../audit/audit.server.ts'
import { forbidden, invalid } from '../errors.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { type Scope, withinTenant } from '../scope/scope.server.ts'
import { filePath } from './files.server.ts'
import { recognize } from './signatures.ts'
import type { FileStore } from './store.ts'
import { MAX_UPLOAD_BYTES, TENANT_QUOTA_BYTES, UNKNOWN_TYPE, type Upload } from './upload.ts'

const MAX_SIDE = 1600
const MAX_PIXELS = 50_000_000

type Given = { bytes: Buffer; type: string; name: string }
const refused = (why: string) => invalid({ file: [why] })

export async function uploadFile(scope: Scope, given: Given, store: FileStore | null): Promise<Upload> {
  const { actor, db } = scope
  if (!mayManageJourneys(actor) && !may(actor, 'journeys:edit')) throw forbidden()
  if (given.bytes.length === 0) throw refused('This file is empty')
  if (given.bytes.length > MAX_UPLOAD_BYTES) throw refused('This file is larger than 25 MB')
  const known = recognize(given.bytes, given.type)
  if (!known) throw refused(UNKNOWN_TYPE)
  const drawn = known.kind === 'image' ? await drawAnew(given.bytes) : given.bytes
  const content_type = known.kind === 'image' ? 'image/webp' : known.content_type

  const id = randomUUID()
  await requireRoom(scope, drawn.length)
  const file_name = nameOf(given.name, content_type)
  await db
    .insertInto('files')
    .values({
      ...{ id, tenant_id: actor.tenant_id, kind: known.kind, content_type, file_name, size: drawn.length },
      sub_tenant_id: actor.sub_tenant_id,
      created_by: actor.user_id,
      sha256: createHash('sha256').update(drawn).digest(),
      bytes: drawn,
    })
    .execute()
  // A job moves the file to the store later, so that no transaction waits for it.
  if (store) await addJob(db, 'move-file-out', { file_id: id }, { key: `move-file:${id}` })
  await record(scope, 'file.uploaded', { type: 'file', id }, { file_name, size: drawn.length })
  const src = filePath(actor.tenant_id, id) ?? ''
  return { id, src, kind: known.kind, content_type, file_name, size: drawn.length }
}

/** Rotates by the EXIF orientation, and drops all metadata of the camera: places, names, times. */
async function drawAnew(bytes: Buffer): Promise<Buffer> {
  try {
    const { default: sharp } = await import('sharp')
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 10 })
      .webp({ quality: 82 })
      .toBuffer()
  } catch (error) {
    const isHuge = error instanceof Error && /pixel limit/i.test(error.message)
    throw refused(isHuge ? 'The image has too many pixels' : 'The image cannot be read')
  }
}

/** The quota is for the whole company, in every sub-tenant; concurrent uploads take a lock. */
async function requireRoom(scope: Scope, size: number): Promise<void> {
  const { tenant_id } = scope.actor
  await takeTurns(scope, 'files')
  const { used } = await withinTenant(scope, tenant_id, ({ db }) =>
    db
      .selectFrom('files')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('used'))
      .executeTakeFirstOrThrow(),
  )
  if (Number(used) + size > TENANT_QUOTA_BYTES)
    throw refused('Your company’s file storage is full. Remove some files first')
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/webp': 'webp',
  'audio/mpeg': 'mp3',
  'text/plain': 'txt',
}

function nameOf(name: string, content_type: string): string {
  const plain = name.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N} _-]/gu, '_')
  return `${[...plain].slice(0, 100).join('') || 'file'}.${EXTENSIONS[content_type] ?? content_type.split('/')[1]}`
}
