import type { Scope } from '../scope/scope.server.ts'
import type { Letterhead } from '../text/letter.ts'
import { drawForMail } from './logo.server.ts'

/** Cache of rendered logos: a file never changes. */
const drawn = new Map<string, Promise<Buffer>>()
const MAX_DRAWN = 100

export async function readLetterhead({ db, actor }: Scope): Promise<Letterhead> {
  const { name, logo_file_id } = await db
    .selectFrom('tenants')
    .select(['name', 'logo_file_id'])
    .where('id', '=', actor.tenant_id)
    .executeTakeFirstOrThrow()
  // A logo that cannot be rendered must not hold back mail.
  const bytes = logo_file_id && (await draw({ db }, logo_file_id).catch(() => null))
  return { company: name, logo: bytes ? { bytes, content_type: 'image/png' } : null }
}

async function draw({ db }: Pick<Scope, 'db'>, id: string): Promise<Buffer | null> {
  const known = drawn.get(id)
  if (known) return known
  const file = await db.selectFrom('files').select('bytes').where('id', '=', id).executeTakeFirst()
  if (!file?.bytes) return null
  const picture = drawForMail(file.bytes)
  if (drawn.size >= MAX_DRAWN) drawn.clear()
  drawn.set(id, picture)
  picture.catch(() => drawn.delete(id))
  return picture
}
