/** The configured store for authors' files outside the database: a folder or a bucket. */
import { getConfig } from '#app/config.server.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder-store.server.ts'
import { createS3Store } from './s3-store.server.ts'

/** Null when the database keeps them. */
export function fileStore(): FileStore | null {
  const { FILES_DIR, FILES_S3_URL, FILES_S3_REGION, ...keys } = getConfig()
  const { FILES_S3_ACCESS_KEY_ID, FILES_S3_SECRET_ACCESS_KEY } = keys
  if (FILES_S3_URL && FILES_S3_ACCESS_KEY_ID && FILES_S3_SECRET_ACCESS_KEY)
    return createS3Store({
      url: FILES_S3_URL,
      region: FILES_S3_REGION,
      accessKeyId: FILES_S3_ACCESS_KEY_ID,
      secretAccessKey: FILES_S3_SECRET_ACCESS_KEY,
    })
  return FILES_DIR ? createFolderStore(FILES_DIR) : null
}
