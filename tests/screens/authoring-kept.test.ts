/** What an author typed or chose stays, whatever else is wrong or was taken away meanwhile. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { html, openAuthoring, plain, valueIn } from './authoring-world.ts'

let site: Site
let adam: Visitor
let world: Awaited<ReturnType<typeof openAuthoring>>
beforeAll(async () => {
  world = await openAuthoring()
  ;({ site, adam } = world)
})
afterAll(() => site?.close())

const PROMPT = {
  intent: 'save-prompt',
  kind: 'long_text',
  scoring: 'none',
  max_score: '1',
  visibility: 'admins',
}

async function lift(name: string) {
  const { schedule, lifts } = await world.draft(name, [{ title: 'One', when: 'launch' }])
  const editor = (more = '') => `${schedule}?lift=${lifts[0]}${more}`
  return { schedule, id: lifts[0] ?? '', editor }
}
const lockOf = async (path: string) => valueIn(await html(adam, path), 'lock_version')
const promptsOf = async (path: string) =>
  [...(await html(adam, path)).matchAll(/prompt=(\d+)/g)].map((found) => found[1] ?? '')

describe('What was removed meanwhile', () => {
  it('a question comes back with what was typed, to be added anew', async () => {
    const { editor } = await lift('A question goes')
    await adam.submit(editor('&prompt=long_text'), { ...PROMPT, text: 'Before' })
    const [id = ''] = await promptsOf(editor())
    await adam.submit(editor(), { intent: 'change-prompts', id, way: 'remove', confirmed: 'true' })
    const late = await adam.submit(editor(`&prompt=${id}`), { ...PROMPT, version: '1', text: 'Rewritten' })
    const page = plain(await late.text())
    expect(late.status).toBe(404)
    expect(page).toContain('value="Rewritten"')
    expect(page).toContain('removed meanwhile')
    const [, action = ''] = page.match(/<form[^>]*action="([^"]*prompt=long_text[^"]*)"/) ?? []
    const again = await adam.submit(action.replaceAll('&amp;', '&'), { ...PROMPT, text: 'Rewritten' })
    expect(again.headers.get('location')).toBe(editor())
    expect(await html(adam, editor())).toContain('Rewritten')
  })

  it('a part of the page comes back, to be added at its end', async () => {
    const { editor } = await lift('A part goes')
    const lock_version = await lockOf(editor())
    await adam.submit(editor(), {
      intent: 'change-blocks',
      place: '0',
      way: 'remove',
      lock_version,
      confirmed: 'true',
    })
    const typed = { intent: 'save-block', kind: 'text', markdown: 'Rewritten at length' }
    const late = await adam.submit(editor('&block=0'), { ...typed, lock_version })
    expect(late.status).toBe(409)
    const page = plain(await late.text())
    expect(page).toContain('Rewritten at length</textarea>')
    const again = await adam.submit(editor('&block=0'), {
      ...typed,
      lock_version: valueIn(page, 'lock_version'),
    })
    expect(again.headers.get('location')).toBe(editor())
    expect(await html(adam, editor())).toContain('Rewritten at length')
  })

  it('a whole lift leaves what was typed in each of its forms', async () => {
    const { schedule, id, editor } = await lift('A lift goes')
    const lock_version = await lockOf(editor())
    await adam.submit(schedule, { intent: 'remove-lift', lift_id: id })
    for (const [path, fields] of [
      [editor('&prompt=long_text'), { ...PROMPT, text: 'Kept words' }],
      [editor('&block=text'), { intent: 'save-block', kind: 'text', lock_version, markdown: 'Kept words' }],
      [
        editor(),
        { intent: 'save-lift', lock_version, title: 'Kept words', sms_text: '{{link}}', when: 'launch' },
      ],
    ] as const) {
      const late = await adam.submit(path, fields)
      const page = plain(await late.text())
      expect([path, late.status]).toEqual([path, 404])
      expect(page).toContain('Kept words')
      expect(page).toContain('deleted meanwhile')
    }
  })

  it('is said where a link leads to it', async () => {
    const { editor } = await lift('Old links')
    for (const more of ['&prompt=99999', '&block=99']) {
      const page = await html(adam, editor(more))
      expect(page).toContain('not there any more')
      expect(page).not.toContain('Add: ')
    }
  })
})

describe('A file that was chosen', () => {
  const png = async () => {
    const create = { width: 40, height: 30, channels: 3 as const, background: 'teal' }
    const bytes = await sharp({ create }).png().toBuffer()
    return new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' })
  }
  const pdf = new File(['%PDF-1.4 nothing'], 'a.pdf', { type: 'application/pdf' })

  it('is kept while another field is put right', async () => {
    const { editor, id } = await lift('Kept file')
    const page = editor('&block=image')
    const fields = { intent: 'save-block', kind: 'image', lock_version: await lockOf(page) }
    const wrong = await adam.submit(page, { ...fields, file: await png(), alt: '' })
    expect(wrong.status).toBe(400)
    const src = valueIn(plain(await wrong.text()), 'src')
    expect(src).toMatch(/^\/files\//)
    const right = await adam.submit(page, { ...fields, src, alt: 'Teal' })
    expect(right.headers.get('location')).toBe(editor())
    expect(await html(adam, `/lift/t/${id}`)).toContain(`src="${src}" alt="Teal"`)
  })

  it('is kept while the captions are put right, and the other way round', async () => {
    const { editor } = await lift('Kept film')
    const page = editor('&block=video')
    const fields = { intent: 'save-block', kind: 'video', lock_version: await lockOf(page), title: 'Film' }
    const film = new File([Buffer.from('0000001866747970', 'hex')], 'a.mp4', { type: 'video/mp4' })
    const bad = new File(['not timed'], 'a.vtt', { type: 'text/vtt' })
    const wrong = await adam.submit(page, { ...fields, file: film, captions_file: bad })
    const said = plain(await wrong.text())
    expect(valueIn(said, 'src')).toMatch(/^\/files\//)
    expect(said).toContain('Please choose captions: a WebVTT file (.vtt)')
    const timed = new File(['WEBVTT\n'], 'a.vtt', { type: 'text/vtt' })
    const other = await adam.submit(page, { ...fields, title: '', file: pdf, captions_file: timed })
    const words = plain(await other.text())
    expect(valueIn(words, 'captions')).toMatch(/^\/files\//)
    expect(valueIn(words, 'src')).toBe('')
    expect(words).toContain('Please choose a video')
  })

  it('is of the kind of its part', async () => {
    const { editor } = await lift('A PDF is no picture')
    const page = editor('&block=image')
    const fields = { intent: 'save-block', kind: 'image', lock_version: await lockOf(page), alt: 'A page' }
    const wrong = await adam.submit(page, { ...fields, file: pdf })
    expect(wrong.status).toBe(422)
    expect(await wrong.text()).toContain('Please choose an image')
  })
})
