/** An author's text and choices are kept when something else is wrong or was removed in the meantime. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { beside, html, LIFT, onDay, openAuthoring, plain, valueIn } from './authoring-world.ts'

let site: Site
let adam: Visitor
let world: Awaited<ReturnType<typeof openAuthoring>>
beforeAll(async () => {
  world = await openAuthoring()
  ;({ site, adam } = world)
})
afterAll(() => site?.close())

const PROMPT = {
  kind: 'long_text',
  scoring: 'none',
  max_score: '1',
  visibility: 'admins',
}

async function lift(name: string) {
  const { schedule, lifts } = await world.draft(name, [{ title: 'One', when: 'launch' }])
  const editor = (more = '') => beside(schedule, `lifts/${lifts[0]}${more}`)
  return { schedule, id: lifts[0] ?? '', editor }
}
const lockOf = async (path: string) => valueIn(await html(adam, path), 'lock_version')
const promptsOf = async (path: string) =>
  [...(await html(adam, path)).matchAll(/value="prompts\/(\d+)/g)].map((found) => found[1] ?? '')

describe('An edit of something that was removed in the meantime', () => {
  it('keeps the text of a question, which can be added again', async () => {
    const { editor } = await lift('A question goes')
    await adam.submit(editor('/prompts/long_text'), { ...PROMPT, text: 'Before' })
    const [id = ''] = await promptsOf(editor())
    await adam.submit(editor(`/prompts/${id}`), { way: 'remove', confirmed: 'true' })
    const late = await adam.submit(editor(`/prompts/${id}`), { ...PROMPT, version: '1', text: 'Rewritten' })
    const page = plain(await late.text())
    expect(late.status).toBe(404)
    expect(page).toContain('value="Rewritten"')
    expect(page).toContain('Someone removed this question while you were editing')
    const [, action = ''] = page.match(/<form[^>]*action="([^"]*prompts\/long_text)"/) ?? []
    const again = await adam.submit(action.replaceAll('&amp;', '&'), { ...PROMPT, text: 'Rewritten' })
    expect(again.headers.get('location')).toBe(editor())
    expect(await html(adam, editor())).toContain('Rewritten')
  })

  it('keeps the text of a block, which can be added again', async () => {
    const { editor } = await lift('A part goes')
    const lock_version = await lockOf(editor())
    await adam.submit(editor('/blocks/0'), { way: 'remove', lock_version, confirmed: 'true' })
    const typed = { kind: 'text', markdown: 'Rewritten at length' }
    const late = await adam.submit(editor('/blocks/0'), { ...typed, lock_version })
    expect(late.status).toBe(409)
    const page = plain(await late.text())
    expect(page).toContain('Rewritten at length</textarea>')
    const again = await adam.submit(editor('/blocks/0'), {
      ...typed,
      lock_version: valueIn(page, 'lock_version'),
    })
    expect(again.headers.get('location')).toBe(editor())
    expect(await html(adam, editor())).toContain('Rewritten at length')
  })

  it('keeps the text of every form of a lift', async () => {
    const { editor } = await lift('A lift goes')
    const lock_version = await lockOf(editor())
    await adam.submit(editor('/delete'), {})
    for (const [path, fields] of [
      [editor('/prompts/long_text'), { ...PROMPT, text: 'Kept words' }],
      [editor('/blocks/text'), { kind: 'text', lock_version, markdown: 'Kept words' }],
      [editor(), { lock_version, title: 'Kept words', sms_text: '{{link}}', when: 'launch' }],
    ] as const) {
      const late = await adam.submit(path, fields)
      const page = plain(await late.text())
      expect([path, late.status]).toEqual([path, 404])
      expect(page).toContain('Kept words')
      expect(page).toContain('Someone deleted this lift while you were editing')
    }
  })

  it('shows the text of every form of a journey, to be copied', async () => {
    const { editor, schedule } = await lift('A journey goes')
    const id = schedule.split('/')[2]
    const journey = { name: 'A journey goes', category: 'Safety', lock_version: '1' }
    const days = { send_days: ['Mon', 'Tue'], channels: ['sms', 'email'], late_joiners: 'skip' }
    const zone = { timezone_mode: 'journey', timezone: 'Europe/Vienna', default_send_time: '09:00' }
    const typed = 'Rewritten at length'
    const forms = [
      [editor(), { ...LIFT, ...onDay(9), title: typed, lock_version: '1' }],
      [editor('/blocks/0'), { kind: 'text', markdown: typed, lock_version: '1' }],
      [editor('/prompts/long_text'), { ...PROMPT, text: typed }],
      [`/lljs/${id}/details`, { ...journey, ...days, ...zone, description: typed }],
      [`/lljs/${id}/objectives`, { code: 'LO1', text: typed }],
      [`/lljs/${id}/objectives/99999`, { code: 'LO1', text: typed, lock_version: '1' }],
      [
        `/lljs/${id}/assessments/new`,
        {
          name: typed,
          phase: 'pre',
          raters: 'self',
          opens_when: 'after_start',
          opens_days: '1',
          closes_when: 'never',
        },
      ],
      [`/lljs/${id}/assessments/edit/99999/items/text`, { kind: 'text', text: typed, lock_version: '1' }],
    ] as const
    await adam.submit(`/lljs/manage/${id}/delete`, {})
    for (const [path, fields] of forms) {
      const late = await adam.submit(path, fields)
      const page = plain((await late.text()).replace(/<script.*?<\/script>/gs, ''))
      const isKept = page.includes(`>${typed}</textarea>`)
      const isSaid = page.includes('What this belongs to was deleted, or you no longer have access to it.')
      expect([path, late.status, isKept, isSaid]).toEqual([path, 404, true, true])
      if ('code' in fields) expect(page).toContain('>LO1</textarea>')
      expect(page).toContain('<title>This could not be accepted · Liftwell</title>')
    }
  })

  it('is a 404 that says so when an old link leads there', async () => {
    const { editor } = await lift('Old links')
    for (const more of ['/prompts/99999', '/blocks/99']) {
      const answer = await adam.visit(editor(more))
      const page = plain(await answer.text())
      expect([more, answer.status]).toEqual([more, 404])
      expect(page).toContain('no longer exists')
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

  it('is kept while another field is corrected', async () => {
    const { editor, id } = await lift('Kept file')
    const page = editor('/blocks/image')
    const fields = { kind: 'image', lock_version: await lockOf(page) }
    const wrong = await adam.submit(page, { ...fields, file: await png(), alt: '' })
    expect(wrong.status).toBe(400)
    const src = valueIn(plain(await wrong.text()), 'src')
    expect(src).toMatch(/^\/files\//)
    const right = await adam.submit(page, { ...fields, src, alt: 'Teal' })
    expect(right.headers.get('location')).toBe(editor())
    expect(await html(adam, `/lift/t/${id}`)).toContain(`src="${src}" alt="Teal"`)
  })

  it('is kept while its captions are corrected, and captions while the film is corrected', async () => {
    const { editor } = await lift('Kept film')
    const page = editor('/blocks/video')
    const fields = { kind: 'video', lock_version: await lockOf(page), title: 'Film' }
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

  it('is refused when it is not of the kind of its block', async () => {
    const { editor } = await lift('A PDF is no picture')
    const page = editor('/blocks/image')
    const fields = { kind: 'image', lock_version: await lockOf(page), alt: 'A page' }
    const wrong = await adam.submit(page, { ...fields, file: pdf })
    expect(wrong.status).toBe(422)
    expect(await wrong.text()).toContain('Please choose an image')
  })
})

describe('Going from the form of a lift to one of its blocks or questions', () => {
  const typed = { ...LIFT, when: 'launch', title: 'One', sms_text: 'Typed just now: {{link}}' }

  it.each(['blocks/callout', 'blocks/image', 'prompts/scale', 'blocks/0'])(
    'saves the lift first: %s',
    async (part) => {
      const { editor } = await lift(`By way of ${part}`)
      const page = await html(adam, editor())
      expect(page).toMatch(new RegExp(`<button[^>]*form="lift"[^>]*name="open" value="${part}"`))
      const path = editor()
      const open = part
      const lock_version = valueIn(page, 'lock_version')

      const wrong = await adam.submit(path, { ...typed, open, title: '', lock_version })
      expect([wrong.status, plain(await wrong.text()).includes('Typed just now')]).toEqual([400, true])

      const saved = await adam.submit(path, { ...typed, open, lock_version })
      const next = saved.headers.get('location') ?? ''
      expect([saved.status, next]).toEqual([302, editor(`/${part}`)])
      expect(await html(adam, next)).toMatch(/<h1[^>]*>(Add|Edit): /)
      const now = await html(adam, editor())
      expect(now).toContain('Typed just now')

      // Continuing without changes creates no new version of the lift.
      const again = await adam.submit(path, { ...typed, open, lock_version: valueIn(now, 'lock_version') })
      expect(again.headers.get('location')).toBe(next)
      expect(valueIn(await html(adam, editor()), 'lock_version')).toBe(valueIn(now, 'lock_version'))
    },
  )

  it('works from a new lift, while the save button leads back to the schedule', async () => {
    const { schedule, editor } = await lift('Begun with a picture')
    const begun = { ...typed, open: 'blocks/image', title: 'New' }
    const made = await adam.submit(`${schedule}/lifts/new`, begun)
    expect(made.headers.get('location')).toMatch(/\/lifts\/\d+\/blocks\/image$/)
    const lock_version = await lockOf(editor())
    const saved = await adam.submit(editor(), { ...typed, lock_version })
    expect(saved.headers.get('location')).toBe(schedule)
  })

  it('asks before it changes a launched journey, and continues once confirmed', async () => {
    const { schedule, lifts } = await world.draft('Under way, by way of', [{ title: 'One', ...onDay(9) }])
    const editor = (more = '') => beside(schedule, `lifts/${lifts[0]}${more}`)
    await world.launch(schedule, ['uri'])
    const open = 'blocks/callout'
    const lock_version = await lockOf(editor())
    const asked = await adam.submit(editor(), { ...typed, open, ...onDay(9), lock_version })
    const text = plain(await asked.text())
    expect(text).toContain('Nothing is saved yet')
    const confirmed = valueIn(text, 'confirmed')
    const saved = await adam.submit(editor(), { ...typed, open, ...onDay(9), lock_version, confirmed })
    expect(saved.headers.get('location')).toBe(editor('/blocks/callout'))
  })
})
