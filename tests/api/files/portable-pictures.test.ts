/** A journey's file contains its pictures, which another company that imports it can then show. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFilesWorld, type FilesWorld } from './files-world.ts'

let world: FilesWorld
let text = ''
let src = ''
beforeAll(async () => {
  world = await createFilesWorld()
  const red = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  src = (await world.upload('adam', red, 'image/png', 'red.png')).json.src
  const image = { kind: 'image', src, alt: 'A red field' }
  const { id } = await world.draft([], { category: null }, { blocks: [image, { ...image, alt: 'The same' }] })
  text = (await world.call('adam', 'GET', `/lljs/${id}/file`)).text
})
afterAll(() => world?.drop())

const bring = (who: 'adam' | 'greta', file: string, dry_run: boolean) =>
  world.must(who, 'POST', '/lljs/import', { text: file, dry_run })
async function shownBy(who: 'adam' | 'greta', journey: number): Promise<string[]> {
  const { data } = await world.must(who, 'GET', `/lljs/${journey}/lifts`)
  const lift = await world.must(who, 'GET', `/lifts/${data[0].id}`)
  return lift.blocks.map((block: { src: string }) => block.src)
}

it('A journey’s file contains each picture once', () => {
  expect(text.match(/^src: /gm)).toHaveLength(2)
  expect(text.match(/^data: /gm)).toHaveLength(1)
})

it('A company that imports the file gets its own copies of the pictures', async () => {
  expect(await bring('greta', text, true)).toMatchObject({ problems: [], journey_id: null })
  const { journey_id } = await bring('greta', text, false)
  const [first = '', second] = await shownBy('greta', journey_id)
  expect([first === src, second === first]).toEqual([false, true])
  const { status, bytes } = await world.fetchFile('greta', first)
  expect([status, (await sharp(bytes).metadata()).width]).toEqual([200, 60])
  expect((await world.fetchFile('adam', first)).status).toBe(404)
})

it('Importing the file where a picture already exists does not upload it again', async () => {
  const { journey_id } = await bring('adam', text, false)
  expect(await shownBy('adam', journey_id)).toEqual([src, src])
})

it('Importing a file with a missing or invalid picture names the line', async () => {
  for (const data of ['', 'data: aGVsbG8=\n', 'data: 1\n']) {
    const { problems } = await bring('greta', text.replace(/^data: .*\n/m, data), true)
    const line = text.split('\n').indexOf('~~~image') + 1
    expect([data, problems[0]?.severity, problems[0]?.line >= line]).toEqual([data, 'error', true])
  }
})
