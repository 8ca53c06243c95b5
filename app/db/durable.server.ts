/** Copies files and syncs them to the disk before anything relies on them. */
import { constants, type Dirent } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

type Choice = {
  signal?: AbortSignal | undefined
  takes?(entry: Dirent): boolean
  fills?(entry: Dirent): boolean
}

/** Copies files and folders only, and creates the target folder. */
export async function copyFolder(from: string, to: string, choice: Choice = {}): Promise<void> {
  const { signal, takes = () => true, fills = () => true } = choice
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal?.throwIfAborted()
    if (!takes(entry)) continue
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isFile()) await copyIfThere(source, copy)
    else if (entry.isDirectory() && fills(entry)) await copyFolder(source, copy, choice)
    else if (entry.isDirectory()) await mkdir(copy, { mode: 0o700 })
  }
}

/** A file that vanishes while its folder is copied is no loss. */
async function copyIfThere(source: string, copy: string): Promise<void> {
  try {
    await copyFile(source, copy, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (await lstat(source).catch(() => null)) throw error
  }
}

/** Syncs a file, or a folder and everything in it, and restricts it to its owner. */
export async function keep(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const isFolder = (await lstat(path)).isDirectory()
  await chmod(path, isFolder ? 0o700 : 0o600)
  if (isFolder) for (const name of await readdir(path)) await keep(join(path, name), signal)
  await sync(path)
}

export async function sync(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
