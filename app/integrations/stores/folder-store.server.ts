import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './file-store.ts'
import { StoreError } from './store-error.ts'

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const KEY = new RegExp(`^${ID}/${ID}$`)
const TENANT = new RegExp(`^${ID}$`)
const FILE = new RegExp(`^(${ID})(\\.${ID}\\.part)?$`)

export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`${key} is not the key of a file`)
    return join(folder, key)
  }
  return {
    tryOut: () =>
      orAway(async () => {
        const path = join(folder, `${randomUUID()}.part`)
        await makeFolder(folder)
        await writeWhole(path, Buffer.alloc(0))
        await rm(path)
      }),
    async put(key, bytes) {
      const path = pathOf(key)
      // Written to a draft first: neither a crash nor a full disk leaves half a file under its name.
      const draft = `${path}.${randomUUID()}.part`
      await orAway(async () => {
        await makeFolder(dirname(path))
        await writeWhole(draft, bytes)
        await rename(draft, path)
      }).catch(async (error) => {
        await rm(draft, { force: true }).catch(() => {})
        throw error
      })
    },
    async get(key, start, end) {
      const path = pathOf(key)
      return orAway(() => readPart(path, start, end))
    },
    async remove(key) {
      const path = pathOf(key)
      await orAway(() => rm(path, { force: true }))
    },
    sweep: (before, known) => orAway(() => sweep(folder, before, known)),
  }
}

/** Creates each folder by itself: Node's recursive call never returns where an existing parent gives ENOENT. */
async function makeFolder(path: string): Promise<void> {
  const above = dirname(path)
  if (above !== path && !existsSync(above)) await makeFolder(above)
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function readPart(path: string, start: number, end: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(Math.max(0, end - start + 1))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Files that are not ours stay. */
async function sweep(
  folder: string,
  before: Date,
  known: Parameters<NonNullable<FileStore['sweep']>>[1],
): Promise<number> {
  let removed = 0
  for (const tenant of (await namesIn(folder)).filter((name) => TENANT.test(name))) {
    const names = (await namesIn(join(folder, tenant))).filter((name) => FILE.test(name))
    const kept = await known(
      tenant,
      names.filter((name) => !name.endsWith('.part')),
    )
    for (const name of names.filter((name) => !kept.has(name))) {
      const path = join(folder, tenant, name)
      const { mtime } = await stat(path).catch(() => ({ mtime: new Date() }))
      if (mtime >= before) continue
      await rm(path, { force: true })
      removed += 1
    }
  }
  return removed
}

const namesIn = (path: string): Promise<string[]> =>
  readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

/** No space, permission or folder is never the caller's fault. */
async function orAway<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (typeof code !== 'string') throw cause
    throw new StoreError(`The folder of files answered with ${code}`, { cause })
  }
}
