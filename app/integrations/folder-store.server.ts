/** Files in a folder. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './file-store.ts'

const KEY = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/

export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`${key} is no key of a file`)
    return join(folder, key)
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Whole or not at all: neither a crash nor a lack of room leaves half a file under its name.
      const draft = `${path}.${randomUUID()}.part`
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
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
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}
