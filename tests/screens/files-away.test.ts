/** An author uploads while the folder of files takes nothing: the form comes back with what was typed. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, html, onDay, openAuthoring, plain, valueIn } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let editor = ''
beforeAll(async () => {
  // No folder can be made there.
  process.env.FILES_DIR = '/dev/null/files'
  world = await openAuthoring()
  const { schedule, lifts } = await world.draft('Without a place', [{ title: 'One', ...onDay(9) }])
  editor = beside(schedule, `lifts/${lifts[0]}`)
})
afterAll(() => world?.site.close())

describe('An upload without a place to go', () => {
  it('says so at its field, keeps the words, and leaves nothing behind', async () => {
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
    const text = plain(await answer.text())
    expect(answer.status).toBe(503)
    expect(text).toContain('Files cannot be kept right now. Please try again in a while.')
    expect(text).toContain('value="Two people at a table"')
    expect(await html(world.adam, editor)).not.toContain('Two people at a table')
  })
})
