/** Authors' files in a folder. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolderStore } from '#app/integrations/stores/folder-store.server.ts'
import { itKeepsFilesElsewhere } from './files-elsewhere.ts'

const TENANT = '11111111-1111-4111-8111-111111111111'
const FILE = '22222222-2222-4222-8222-222222222222'
const makeFolder = () => mkdtempSync(join(tmpdir(), 'liftwell-files-'))
const namesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )

describe('A folder of files', () => {
  const folder = makeFolder()
  itKeepsFilesElsewhere({
    async open() {
      process.env.FILES_DIR = folder
    },
    async close() {
      rmSync(folder, { recursive: true, force: true })
    },
    stored: () => namesIn(folder).map((name) => readFileSync(join(folder, name))),
    async breakDown() {
      rmSync(folder, { recursive: true })
      writeFileSync(folder, 'no folder')
    },
  })
})

describe('The store in a folder', () => {
  it('rejects keys that lead out of its folder', async () => {
    const store = createFolderStore(makeFolder())
    for (const key of ['../../etc/passwd', `${TENANT}/../${FILE}`, `/${FILE}`, `${TENANT}/${FILE}/x`, ''])
      for (const work of [store.put(key, Buffer.from('x')), store.get(key, 0, 1), store.remove(key)])
        await expect(work).rejects.toThrow('is not the key of a file')
  })

  it('is created if it is missing, and tested without leaving a file', async () => {
    const folder = join(makeFolder(), 'files')
    await createFolderStore(folder).tryOut?.()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['/dev/null/liftwell', 'ENOTDIR'],
    ['/sys/kernel/liftwell', 'EPERM'],
    ['/proc/nowhere/liftwell', 'ENOENT'],
  ])('answers 503 when its folder cannot be written: %s', async (place, code) => {
    const store = createFolderStore(place)
    const away = { name: 'StoreError', status: 503 }
    await expect(store.tryOut?.()).rejects.toMatchObject(away)
    await expect(store.put(`${TENANT}/${FILE}`, Buffer.from('x'))).rejects.toMatchObject(away)
    const said = await store.put(`${TENANT}/${FILE}`, Buffer.from('x')).catch(({ message }) => message)
    expect(said).toMatch(new RegExp(`^The folder of files answered with (${code}|EACCES|EROFS)$`))
    await expect(store.get(`${TENANT}/${FILE}`, 0, 1)).rejects.toMatchObject(away)
  })

  it('lets no other user of the machine read the files, and leaves no partial file after a failure', async () => {
    const folder = makeFolder()
    const store = createFolderStore(folder)
    await store.put(`${TENANT}/${FILE}`, Buffer.from('0123456789'))
    const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8)
    expect([mode(TENANT), mode(`${TENANT}/${FILE}`)]).toEqual(['700', '600'])
    expect((await store.get(`${TENANT}/${FILE}`, 2, 4)).toString()).toBe('234')
    // A folder is in the file's place, so the last step fails.
    const other = '33333333-3333-4333-8333-333333333333'
    await store.put(`${other}/${FILE}`, Buffer.from('x'))
    rmSync(join(folder, other, FILE))
    await createFolderStore(join(folder, other)).put(`${FILE}/${TENANT}`, Buffer.from('x'))
    await expect(store.put(`${other}/${FILE}`, Buffer.from('y'))).rejects.toThrow()
    expect(namesIn(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    await store.remove(`${TENANT}/${FILE}`)
    await store.remove(`${TENANT}/${FILE}`)
    rmSync(folder, { recursive: true })
  })
})
