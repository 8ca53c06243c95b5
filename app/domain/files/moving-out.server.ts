/** Moves files from the database to the file store. At any time a file is complete in at least one of the two. */
import type { Scope } from '../scope/scope.server.ts'

/** Null if the file is gone, or moved already. */
export async function bytesHere({ db }: Scope, id: string): Promise<Buffer | null> {
  const file = await db
    .selectFrom('files')
    .select('bytes')
    .where('id', '=', id)
    .where('is_elsewhere', '=', false)
    .executeTakeFirst()
  return file?.bytes ?? null
}

/** Called once the bytes are in the store; false if the file was removed meanwhile. */
export async function leaveElsewhere({ db }: Scope, id: string): Promise<boolean> {
  const left = await db
    .updateTable('files')
    .set({ bytes: Buffer.alloc(0), is_elsewhere: true })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return left !== undefined
}
