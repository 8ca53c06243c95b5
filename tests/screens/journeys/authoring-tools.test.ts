/** Tools for authors: trying out another schedule, a phone preview, captions, errors at their fields. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, dateIn, html, LIFT, onDay, openAuthoring, plain, valueIn, words } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let schedule = ''
let first = ''
let second = ''
beforeAll(async () => {
  world = await openAuthoring()
  const made = await world.draft('Tools at hand', [
    { title: 'Dated', ...onDay(20), body: '<div>Shown</div> as typed' },
    { title: 'Second', when: 'after_start', days: '40' },
  ])
  schedule = made.schedule
  ;[first = '', second = ''] = made.lifts
  for (const name of ['uri', 'aya']) {
    const dialog = await html(world.adam, `${beside(schedule, 'people/add')}?people=${name}`)
    const user_ids = /name="user_ids" value="(\d+)"/.exec(dialog)?.[1] ?? ''
    await world.adam.submit(beside(schedule, 'people/add'), { intent: 'add-members', user_ids })
  }
})
afterAll(() => world?.site.close())

const page = (path: string) => html(world.adam, path)
const times = (text: string) => text.match(/<time dateTime="[^"]+">[^<]+\(/g) ?? []
const editor = (more = '') => beside(schedule, `lifts/${first}${more}`)
async function post(path: string, fields: Parameters<typeof world.adam.submit>[1]) {
  const answer = await world.adam.submit(path, fields)
  return { status: answer.status, location: answer.headers.get('location'), text: plain(await answer.text()) }
}

describe('Trying other settings', () => {
  const tried = (values: Record<string, string>) =>
    `${schedule}/preview?${new URLSearchParams({ what_if: 'true', ...values })}`

  it('shows the changed times beside the current ones, and saves nothing', async () => {
    const now = await page(`${schedule}/preview`)
    expect(now).toContain('Try other settings')
    expect(now).not.toContain('instead of')
    const then = words(
      await page(
        tried({ change: first, when: 'date', date: '2048-02-29', time: '12:00', start_on: '2048-01-01' }),
      ),
    )
    expect(then).toMatch(/Dated On Feb 29, 2048 at 12:00 PM (Feb 29|Mar \d), 2048/)
    expect(then.match(/instead of/g)).toHaveLength(2)
    expect(times(await page(`${schedule}/preview`))).toEqual(times(now))
    expect(times(now).length).toBe(2)
  })

  it('says when quiet hours or sending days move a message', async () => {
    const rested = words(await page(tried({ quiet_from: '18:00', quiet_to: '16:00' })))
    expect(rested).toContain('Moved out of the recipient’s quiet hours.')
    const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(
      new Date(dateIn(22)),
    )
    const moved = words(await page(tried({ send_days: weekday })))
    expect(moved).toContain('Moved to the next day on which this journey sends.')
  })

  it('refuses a lift that waits for itself', async () => {
    const itself = await page(tried({ change: first, when: 'after_lift', after_lift_id: first }))
    expect(itself).toContain('A lift cannot wait for itself.')
    expect(itself).not.toContain('instead of')
  })

  it('says what is wrong, and keeps what was typed', async () => {
    const wrong = await page(tried({ change: first, when: 'date', quiet_from: '22:00' }))
    expect(wrong).toContain('Please enter a date')
    expect(wrong).toContain('Please enter a time')
    expect(wrong).toMatch(/name="quiet_from"[^>]*value="22:00"|value="22:00"[^>]*name="quiet_from"/)
    expect((await world.adam.visit(tried({ change: 'x', days: '1e99', time: '99:99' }))).status).toBe(200)
  })
})

describe('The editor of a lift', () => {
  it('shows the page as on a phone, with typed HTML as text', async () => {
    const shown = await page(editor())
    expect(shown).toContain('class="phone-page" inert=""')
    expect(shown).toContain('&lt;div&gt;Shown&lt;/div&gt; as typed')
    expect(words(shown)).toContain('Hi Kim: https://…/lift/')
    expect(shown.match(/<h1/g)).toHaveLength(1)
  })

  it('refuses a message of more than three texts, with its title and emoji counted', async () => {
    const lock_version = valueIn(await page(editor()), 'lock_version')
    const fields = { ...LIFT, ...onDay(20), lock_version }
    expect(await page(editor())).toContain('characters left; max. 3)')
    const long = 'x'.repeat(400)
    const fits = await post(`${schedule}/lifts/new`, {
      ...LIFT,
      title: 'x',
      sms_text: `${long} {{link}}`,
      when: 'by_hand',
      body: 'x',
    })
    expect(fits.location).toBe(schedule)
    const emoji = await post(editor(), { ...fields, title: 'Dated', sms_text: `👩🏽‍🚀 ${long} {{link}}` })
    expect([emoji.status, emoji.text.includes('The message is too long: it can be at most 3 texts')]).toEqual(
      [400, true],
    )
    expect(emoji.text).toContain('max. 3; emoji and special letters leave less room)')
    const title = await post(editor(), {
      ...fields,
      title: '🚀 Dated',
      sms_text: `{{lift}} ${'y'.repeat(200)}`,
    })
    expect([title.status, title.text.includes('The message is too long: it can be at most 3 texts')]).toEqual(
      [400, true],
    )
  })

  it('refuses a title of 81 characters at its field, and states the limit of 80', async () => {
    const shown = await page(editor())
    expect(shown).toContain('up to 80 characters')
    const wrong = await post(editor(), {
      ...LIFT,
      ...onDay(20),
      title: 'x'.repeat(81),
      lock_version: valueIn(shown, 'lock_version'),
    })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toMatch(/id="lift-title-error"[^>]*>.*?Please use at most 80 characters/s)
    expect(wrong.text).toContain('x'.repeat(81))
  })

  it('refuses a lift that waits for itself at its field', async () => {
    const wrong = await post(editor(), {
      ...LIFT,
      title: 'Dated',
      when: 'after_lift',
      after_lift_id: first,
      min_hours: '1',
      lock_version: valueIn(await page(editor()), 'lock_version'),
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/id="lift-after_lift_id-error"[^>]*>.*?A lift cannot wait for itself/s)
  })

  it('shows both versions of every difference to the second of two authors', async () => {
    const lock_version = valueIn(await page(editor()), 'lock_version')
    const save = (more: object) =>
      post(editor(), { ...LIFT, title: 'Dated', lock_version, ...onDay(20), ...more })
    expect((await save({ date: dateIn(21), est_minutes: '7' })).status).toBe(302)
    const late = await save({ date: dateIn(24), est_minutes: '9' })
    expect(late.status).toBe(409)
    const said = words(late.text)
    expect(said).toContain(`Date ${dateIn(21)} ${dateIn(24)}`)
    expect(said).toContain('Minutes 7 9')
    expect(late.text).toContain(`value="${dateIn(24)}"`)
  })
})

describe('A block with a file', () => {
  it('needs a transcript or captions if it is audio, and refuses invalid captions', async () => {
    const address = editor('/blocks/audio')
    const clip = new File([new Uint8Array([0x49, 0x44, 0x33, 4, 0, 0, 0, 0])], 'clip.mp3', {
      type: 'audio/mpeg',
    })
    const fields = { kind: 'audio', title: 'A talk', file: clip }
    const lock = async () => valueIn(await page(address), 'lock_version')
    const silent = await post(address, { ...fields, lock_version: await lock() })
    expect([silent.status, silent.text.includes('Please give a transcript, or captions')]).toEqual([
      400,
      true,
    ])
    const noCaptions = new File(['1\n00:00 --> 00:02\nHello'], 'x.vtt', { type: 'text/vtt' })
    const wrong = await post(address, { ...fields, lock_version: await lock(), captions_file: noCaptions })
    expect([wrong.status, /id="block-captions_file-error"/.test(wrong.text)]).toEqual([422, true])
    expect(wrong.text).toContain('value="A talk"')
    const captions_file = new File(['WEBVTT\n\n00:00.000 --> 00:02.000\nHello'], 'x.vtt', { type: '' })
    const right = await post(address, { ...fields, lock_version: await lock(), captions_file })
    expect(right.status).toBe(302)
    const [, src = ''] = (await page(`/lift/t/${first}`)).match(/<track kind="captions" src="([^"]+)"/) ?? []
    const track = await world.adam.visit(src)
    expect([track.status, track.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/vtt'),
    ])
  })

  it('keeps its file when the lift was changed in the meantime', async () => {
    const address = editor('/blocks/image')
    const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const file = new File([new Uint8Array(png)], 'x.png', { type: 'image/png' })
    const late = await post(address, {
      kind: 'image',
      alt: 'Teal',
      lock_version: '0',
      file,
    })
    expect(late.status).toBe(409)
    expect(late.text).toMatch(/name="src" value="\/files\//)
  })
})

describe('A journey', () => {
  it('saves reminders, and refuses one after more than 720 hours', async () => {
    const path = beside(schedule, 'details')
    const fields = async (hours: string) => ({
      lock_version: valueIn(await page(path), 'lock_version'),
      name: 'Tools at hand',
      category: 'Safety',
      timezone_mode: 'recipient',
      timezone: 'UTC',
      default_send_time: '09:00',
      send_days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      channels: ['email'],
      late_joiners: 'skip',
      'reminders[0].after_hours': '24',
      'reminders[0].channel': 'email',
      'reminders[1].after_hours': hours,
    })
    const wrong = await post(path, await fields('721'))
    expect([wrong.status, wrong.text.includes('Please enter at most 720 hours')]).toEqual([400, true])
    expect((await post(path, await fields('48'))).status).toBe(302)
    const saved = await page(path)
    expect(saved).toMatch(/name="reminders\[0\]\.after_hours"[^>]*value="24"/)
    expect(saved).toMatch(/name="reminders\[1\]\.after_hours"[^>]*value="48"/)
  })

  it('moves a lift to the place of another one', async () => {
    const titles = async () =>
      [...(await page(schedule)).matchAll(/data-lift="(\d+)"/g)].map((found) => found[1])
    const before = await titles()
    await post(schedule, { moved: before[0] ?? '', to: before[2] ?? '' })
    expect(await titles()).toEqual([before[1], before[2], before[0]])
    await post(schedule, { moved: '999999', to: before[0] ?? '' })
    expect(await titles()).toEqual([before[1], before[2], before[0]])
    expect(second).not.toBe('')
  })

  it('is launched only with its current number of learners, and only once', async () => {
    expect(words(await page(`${schedule}/launch`))).toContain('2 learners will take part.')
    const launch = (expected_recipients: string) =>
      post(`${schedule}/launch`, { expected_recipients, skip_past: 'false', send_now: 'true' })
    await launch('3')
    expect(await page(schedule)).toContain('There are 2 learners now, not 3.')
    await Promise.all([launch('2'), launch('2')])
    const told = words(await page(schedule))
    expect(told).toContain('Scheduled')
    expect(told).toContain('0 of 2 sent')
  })
})
