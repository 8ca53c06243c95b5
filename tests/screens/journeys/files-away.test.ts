/** An author uploads while the folder of files cannot be written: the database keeps the file. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, html, onDay, openAuthoring, valueIn } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let editor = ''
beforeAll(async () => {
  // No folder can be created here.
  process.env.FILES_DIR = '/dev/null/files'
  world = await openAuthoring()
  const { schedule, lifts } = await world.draft('Without a place', [{ title: 'One', ...onDay(9) }])
  editor = beside(schedule, `lifts/${lifts[0]}`)
})
afterAll(() => world?.site.close())

describe('An upload while the folder of files cannot be written', () => {
  it('is kept and shown like any other', async () => {
    const page = `${editor}/blocks/image`
    const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const answer = await world.adam.submit(page, {
      kind: 'image',
      lock_version: valueIn(await html(world.adam, page), 'lock_version'),
      alt: 'Two people at a table',
      file: new File([new Uint8Array(png)], 'two.png', { type: 'image/png' }),
    })
    expect(answer.status).toBe(302)
    const block = await html(world.adam, `${editor}/blocks/0`)
    const [src = ''] = /\/files\/[0-9a-f-]+\/[0-9a-f-]+(?="[^>]*alt="Two people)/.exec(block) ?? []
    const shown = await world.adam.visit(src)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })
})
