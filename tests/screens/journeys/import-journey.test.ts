/** A journey's file as selected in the dialog: in other encodings, broken, or not text at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAuthoring, plain } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
beforeAll(async () => {
  world = await openAuthoring()
})
afterAll(() => world?.site.close())

const TEXT = `---
liftwell: 1
name: Übung für alle
---

# Lift: One

~~~settings
sms_text: "Hi: {{link}}"
schedule:
  kind: weekly
  week: 1
  weekday: Wed
~~~
`
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

async function choose(bytes: Uint8Array<ArrayBuffer> | string, more: Record<string, string> = {}) {
  const answer = await world.adam.submit('/lljs/manage/import', {
    text: '',
    file: new File([bytes], 'journey.md'),
    ...more,
  })
  return { status: answer.status, text: plain(await answer.text()) }
}

describe('Importing a journey', () => {
  it('reads a file in UTF-8, UTF-16 or Latin-1, and keeps its text for the confirmation', async () => {
    for (const bytes of [TEXT, TEXT.replaceAll('\n', '\r\n'), utf16(TEXT), latin(TEXT)]) {
      const { status, text } = await choose(bytes)
      expect(status).toBe(200)
      expect(text).toContain(
        '<strong>Übung für alle</strong>: 1 lift, 0 questions, 0 learning objectives, 0 assessments',
      )
      expect(text).toMatch(/<textarea[^>]*>---\nliftwell: 1\nname: Übung für alle/)
      expect(text).toContain('Create the draft')
    }
    const made = await world.adam.submit('/lljs/manage/import', {
      text: TEXT,
      sure: 'true',
    })
    expect(made.headers.get('location')).toMatch(/^\/lljs\/\d+\/schedule$/)
  })

  it('names the line of an error and what to do, and creates nothing', async () => {
    const broken = await choose(TEXT.replace('weekday: Wed', 'weekday: [Wed'), { sure: 'true' })
    expect(broken.status).toBe(422)
    expect(broken.text).toContain('Nothing was created. Please correct the text below:')
    expect(broken.text).toContain('<strong>Line 13: </strong>What begins here with [ cannot be read.')
    const open = await choose(TEXT.replace('Wed\n~~~', 'Wed'))
    expect(open.text.match(/<strong>Line \d+/g)).toEqual(['<strong>Line 8'])
    expect(open.text).toContain('weekday: Wed')
  })

  it('refuses a file that is not text, or is too long', async () => {
    const picture = await choose(new Uint8Array([137, 80, 78, 71, 0, 0, 1, 255]))
    expect(picture.status).toBe(422)
    expect(picture.text).toContain('journey.md: This is not a text file.')
    const long = await choose('x'.repeat(8_000_001))
    expect(long.status).toBe(422)
    expect(long.text).toContain('This file is too long: at most 8,000,000 characters.')
  })

  it('keeps the text when it is checked too often, and says how long to wait', async () => {
    const again = () => world.adam.submit('/lljs/manage/import', { text: TEXT })
    let last = await again()
    for (let n = 0; n < 12 && last.status !== 429; n++) last = await again()
    expect(last.status).toBe(429)
    const page = plain(await last.text())
    expect(page).toContain('Please try again in a minute.')
    expect(page).toMatch(/<textarea[^>]*>---\nliftwell: 1\nname: Übung für alle/)
  })
})
