/** From the database to where files stand: a file is whole in one of the two at any time, and may be in both. */
import type { Scope } from '../scope/scope.server.ts'

/** Null for one that is gone, or out already. */
export async function bytesHere({ db }: Scope, id: string): Promise<Buffer | null> {
  const file = await db
    .selectFrom('files')
    .select('bytes')
    .where('id', '=', id)
    .where('is_elsewhere', '=', false)
    .executeTakeFirst()
  return file?.bytes ?? null
}

/** Once they are there; false where the file was removed meanwhile. */
export async function leaveElsewhere({ db }: Scope, id: string): Promise<boolean> {
  const left = await db
    .updateTable('files')
    .set({ bytes: Buffer.alloc(0), is_elsewhere: true })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return left !== undefined
}
