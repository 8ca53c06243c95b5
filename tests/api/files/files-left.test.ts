/** What a crash leaves in the folder of files: partial files, and files whose row was never committed. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLIP } from '#tests/support/clip.ts'
import type { FilesWorld } from './files-world.ts'

const ID = '22222222-2222-4222-8222-222222222222'
const OTHER = '33333333-3333-4333-8333-333333333333'
const folder = mkdtempSync(join(tmpdir(), 'liftwell-left-'))
let world: FilesWorld

beforeAll(async () => {
  process.env.LOG_LEVEL = 'silent'
  process.env.FILES_DIR = folder
  world = await (await import('./files-world.ts')).createFilesWorld()
})
afterAll(async () => {
  await world?.drop()
  rmSync(folder, { recursive: true, force: true })
})

function leave(name: string, hours: number): void {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'left')
  const at = Date.now() / 1000 - hours * 3600
  utimesSync(path, at, at)
}
const names = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

it('Partial and unknown files are removed a day after a crash, and no other files', async () => {
  const { json } = await world.upload('adam', CLIP, 'audio/mpeg', 'clip.mp3')
  // Shown in a lift, so that it is in use, and made as old as the rest.
  const { lift } = await world.draft(
    [],
    {},
    { blocks: [{ kind: 'audio', title: 'x', src: json.src, transcript: 'x' }] },
  )
  expect(lift).toBeGreaterThan(0)
  const kept = json.src.slice('/files/'.length)
  const workers = await world.workers()
  await workers.drain()
  const day = Date.now() / 1000 - 48 * 3600
  utimesSync(join(folder, kept), day, day)
  const { acme } = world
  const stay = [
    kept,
    `${acme}/${ID}.${OTHER}.part`,
    `${acme}/${OTHER}`,
    `${acme}/notes.txt`,
    'readme.txt',
    // Of a company that this database does not know.
    `${ID}/${OTHER}`,
  ]
  leave(`${acme}/${ID}.${OTHER}.part`, 1)
  leave(`${acme}/${OTHER}`, 23)
  leave(`${acme}/notes.txt`, 48)
  leave('readme.txt', 48)
  leave(`${ID}/${OTHER}`, 48)
  leave(`${acme}/${ID}`, 25)
  leave(`${acme}/${OTHER}.${ID}.part`, 25)

  await world.admin.query(`select graphile_worker.add_job('remove-unused-files')`)
  await workers.drain()
  await workers.stop()
  expect(names()).toEqual(stay.sort())
  expect((await world.fetchFile('adam', json.src)).bytes).toEqual(CLIP)
})
