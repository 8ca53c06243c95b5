/** Files in a folder, where one is configured; otherwise they stand in the database. */
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getConfig } from '#app/config.server.ts'

export type FolderStore = {
  put(key: string, bytes: Buffer): Promise<void>
  get(key: string, start: number, end: number): Promise<Buffer>
}

/** Keys are ids that the domain made: a tenant's and a file's, nothing a visitor wrote. */
const KEY = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/

export function createFolderStore(folder: string): FolderStore {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`${key} is no key of a file`)
    return join(folder, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      // Whole or not at all: a crash leaves no half file under its name.
      await writeFile(`${path}.part`, bytes, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
    async get(key, start, end) {
      const file = await open(pathOf(key))
      try {
        const bytes = Buffer.alloc(Math.max(0, end - start + 1))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
        return bytes.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
  }
}

/** Null: the database keeps them. */
export function fileStore(): FolderStore | null {
  const { FILES_DIR } = getConfig()
  return FILES_DIR ? createFolderStore(FILES_DIR) : null
}
