/** The rules for files outside the database, the same for the folder and the bucket. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLIP } from '#tests/support/clip.ts'
import type { FilesWorld } from './files-world.ts'

type Place = {
  /** Sets the configuration, before anything reads it. */
  open(): Promise<void>
  close(): Promise<void>
  /** The bytes of every stored file, under any name. */
  stored(): Buffer[]
  /** Makes the store refuse everything from now on. */
  breakDown(): Promise<void>
}

export function itKeepsFilesElsewhere({ open, close, stored, breakDown }: Place): void {
  let world: FilesWorld
  beforeAll(async () => {
    process.env.LOG_LEVEL = 'silent'
    await open()
    // The configuration is read once, when the first of our modules asks for it.
    world = await (await import('./files-world.ts')).createFilesWorld()
  })
  afterAll(async () => {
    await world?.drop()
    await close()
  })

  async function moveOut() {
    await world.drain()
  }

  it('keeps the bytes outside the database, and sends them whole and in parts', async () => {
    const { status, json } = await world.upload('adam', CLIP, 'audio/mpeg', 'clip.mp3')
    expect(status).toBe(201)
    expect(stored()).toEqual([])
    expect((await world.fetchFile('adam', json.src)).bytes).toEqual(CLIP)
    await moveOut()
    expect(stored()).toEqual([CLIP])
    const { rows } = await world.admin.query('select length(bytes) as length, is_elsewhere from files')
    expect(rows).toEqual([{ length: 0, is_elsewhere: true }])
    expect((await world.fetchFile('adam', json.src)).bytes).toEqual(CLIP)
    const part = await world.fetchFile('adam', json.src, { range: 'bytes=990-' })
    expect([part.status, part.bytes]).toEqual([206, CLIP.subarray(990)])
    expect((await world.fetchFile('uri', json.src)).status).toBe(404)
    expect((await world.fetchFile('greta', json.src)).status).toBe(404)
  })

  it('loses a file that no lift shows', async () => {
    const { json } = await world.upload('adam', Buffer.from('a,b\n1,2'), 'text/csv', 'table.csv')
    await moveOut()
    expect(stored()).toHaveLength(2)
    await world.age(json.src)
    const workers = await world.workers()
    await world.admin.query(`select graphile_worker.add_job('remove-unused-files')`)
    await workers.drain()
    await workers.drain()
    await workers.stop()
    expect(stored()).toEqual([CLIP])
    expect((await world.fetchFile('adam', json.src)).status).toBe(404)
  })

  it('removes a file whose row was deleted while it was being moved', async () => {
    const { json } = await world.upload('adam', CLIP, 'audio/mpeg', 'gone.mp3')
    await moveOut()
    expect(stored()).toHaveLength(2)
    // As if the process had ended after the store took the file, and the file was removed before the next attempt.
    const [tenant_id, file_id] = json.src.split('/').slice(-2)
    await world.admin.query('delete from files where id = $1', [file_id])
    await world.admin.query(`select graphile_worker.add_job('move-file-out', $1)`, [{ tenant_id, file_id }])
    await moveOut()
    expect(stored()).toEqual([CLIP])
  })

  it('receives a file from the nightly job if all earlier attempts to move it failed', async () => {
    const before = stored().length
    const { json } = await world.upload('adam', CLIP, 'audio/mpeg', 'late.mp3')
    await world.admin.query(`update graphile_worker._private_jobs set attempts = max_attempts`)
    await moveOut()
    expect(stored()).toHaveLength(before)
    await world.admin.query(`select graphile_worker.add_job('move-files-out-again')`)
    await moveOut()
    await moveOut()
    expect(stored()).toHaveLength(before + 1)
    expect((await world.fetchFile('adam', json.src)).bytes).toEqual(CLIP)
  })

  it('blocks no upload while it is broken: the database keeps the new file', async () => {
    const { json } = await world.upload('adam', CLIP, 'audio/mpeg', 'before.mp3')
    await moveOut()
    await breakDown()
    const answer = await world.upload('adam', CLIP, 'audio/mpeg', 'after.mp3')
    expect(answer.status).toBe(201)
    await moveOut()
    expect((await world.fetchFile('adam', json.src)).status).toBe(503)
    expect((await world.fetchFile('adam', answer.json.src)).bytes).toEqual(CLIP)
  }, 120_000)
}
