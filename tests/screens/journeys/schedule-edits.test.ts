/** Before an edit of a launched journey is saved, the page announces its effect; typed text is kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, dateIn, html, LIFT, onDay, openAuthoring, plain, valueIn, words } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let schedule = ''
let id = ''
let first = ''
let follower = ''
beforeAll(async () => {
  world = await openAuthoring()
  const made = await world.draft('Running journeys', [
    { title: 'Dated', ...onDay(20) },
    { title: 'Later', ...onDay(30) },
    { title: 'Follower', when: 'after_previous', days: '1' },
  ])
  schedule = made.schedule
  id = made.id
  first = made.lifts[0] ?? ''
  follower = made.lifts[2] ?? ''
  await world.launch(schedule, ['uri', 'aya'])
})
afterAll(() => world?.site.close())

const page = (path: string) => html(world.adam, path)
async function post(path: string, fields: Record<string, string | string[]>) {
  const answer = await world.adam.submit(path, fields)
  const text = plain(await answer.text())
  return { answer, text, words: words(text), confirmed: valueIn(text, 'confirmed') }
}

describe('A lift of a launched journey', () => {
  const editor = () => beside(schedule, `lifts/${first}`)
  const lift = async (more: Record<string, string>) => ({
    ...LIFT,
    title: 'Dated',
    ...onDay(20),
    lock_version: valueIn(await page(editor()), 'lock_version'),
    ...more,
  })

  it('is saved at a new time only after the number of moved messages was confirmed', async () => {
    const fields = await lift({ date: dateIn(25), email_subject: 'Kept words' })
    const question = await post(editor(), fields)
    expect(question.answer.status).toBe(200)
    expect(question.words).toContain('2 messages move to another time')
    expect(question.words).toContain('0 stay when they are')
    expect(question.words).toContain('0 are canceled')
    expect(question.text).toContain('value="Kept words"')
    expect(question.text).toContain(`value="${dateIn(25)}"`)
    expect(await page(editor())).toContain(`value="${dateIn(20)}"`)

    const other = await post(editor(), { ...fields, confirmed: '7-0-0-0-0' })
    expect([other.answer.status, other.confirmed]).toEqual([200, question.confirmed])
    const saved = await post(editor(), { ...fields, confirmed: question.confirmed })
    expect(saved.answer.headers.get('location')).toBe(schedule)
    expect(await page(editor())).toContain(`value="${dateIn(25)}"`)
  })

  it('is saved with a new text only after a confirmation', async () => {
    const fields = await lift({ date: dateIn(25), sms_text: 'Other words: {{link}}' })
    const question = await post(editor(), fields)
    expect(question.words).toContain(
      '2 stay when they are; 2 of them have not been sent yet and will go out as changed',
    )
    expect(question.text).toContain('Other words: {{link}}</textarea>')
    const saved = await post(editor(), { ...fields, confirmed: question.confirmed })
    expect(saved.answer.status).toBe(302)
  })

  it('is refused without a question when it was changed in the meantime', async () => {
    const fields = await lift({ date: dateIn(27), lock_version: '1' })
    const { answer, words, confirmed } = await post(editor(), fields)
    expect([answer.status, confirmed]).toEqual([409, ''])
    expect(words).not.toContain('under way. Save')
  })

  it('is saved at once when nothing changes', async () => {
    const fields = await lift({
      date: dateIn(25),
      sms_text: 'Other words: {{link}}',
    })
    expect((await post(editor(), fields)).answer.headers.get('location')).toBe(schedule)
  })

  it('asks before its page or its questions change', async () => {
    const block = `${editor()}/blocks/text`
    const fields = {
      kind: 'text',
      markdown: 'More text',
      lock_version: valueIn(await page(block), 'lock_version'),
    }
    const question = await post(block, fields)
    expect(question.text).toContain('More text</textarea>')
    expect(await page(editor())).not.toContain('More text')
    expect((await post(block, { ...fields, confirmed: question.confirmed })).answer.status).toBe(302)

    const removal = {
      way: 'remove',
      lock_version: valueIn(await page(editor()), 'lock_version'),
    }
    const asked = await post(`${editor()}/blocks/1`, removal)
    expect(asked.words).toContain('Remove this block from Dated?')
    expect(asked.text).toContain('type="hidden" name="way" value="remove"')
    await post(`${editor()}/blocks/1`, { ...removal, confirmed: asked.confirmed })
    expect(await page(editor())).not.toContain('More text')

    const prompt = `${editor()}/prompts/scale`
    const asking = {
      kind: 'scale',
      text: 'How was it?',
      scoring: 'none',
      visibility: 'admins',
    }
    const written = await post(prompt, asking)
    expect(written.text).toContain('value="How was it?"')
    expect((await post(prompt, { ...asking, confirmed: written.confirmed })).answer.status).toBe(302)

    const [, id = ''] = /prompts\/(\d+)/.exec(await page(editor())) ?? []
    const late = await post(`${editor()}/prompts/${id}`, { ...asking, text: 'Mine', version: '99' })
    expect([late.answer.status, late.confirmed]).toEqual([409, ''])
    for (const [path, seen] of [
      [`${editor()}/prompts/${id}`, { version: '99' }],
      [`${editor()}/blocks/0`, { lock_version: '1' }],
    ] as const) {
      const { answer } = await post(path, { way: 'remove', ...seen })
      expect([path, answer.headers.get('location')]).toEqual([path, editor()])
    }
    expect(await page(editor())).toContain('How was it?')
  })
})

describe('A launched journey', () => {
  it.each(['schedule', 'manage'])('asks before its times change in the form of the %s', async (where) => {
    const path = where === 'manage' ? `/lljs/manage/${id}/details` : `/lljs/${id}/details`
    const fields = {
      lock_version: valueIn(await page(path), 'lock_version'),
      name: 'Running journeys',
      category: 'Safety',
      description: `Kept words of ${where}`,
      timezone_mode: 'journey',
      timezone: where === 'manage' ? 'Asia/Tokyo' : 'America/New_York',
      default_send_time: '09:00',
      send_days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      channels: ['sms', 'email'],
      late_joiners: 'skip',
    }
    const question = await post(path, fields)
    expect(question.words).toMatch(/4 messages move to another time/)
    expect(question.text).toContain(`Kept words of ${where}</textarea>`)
    const late = await post(path, { ...fields, lock_version: '99' })
    expect([late.answer.status, late.confirmed]).toEqual([409, ''])
    expect((await post(path, { ...fields, confirmed: question.confirmed })).answer.status).toBe(302)
    expect(await page(path)).toContain(`Kept words of ${where}`)
  })
})

describe('Order and removal', () => {
  it('refuse to put a lift first that waits for the one before it, and say why', async () => {
    const { answer } = await post(schedule, { moved: follower, to: first })
    const { html: refused } = await world.adam.follow(answer)
    for (const told of ['Not changed', '“Follower” waits for the lift before it, and there is none.'])
      expect(plain(refused)).toContain(told)
    expect(refused.indexOf('>Dated<')).toBeLessThan(refused.indexOf('>Follower<'))
  })

  it('ask before a lift with planned messages is deleted', async () => {
    const order = { up: follower }
    // Nobody has completed the lift before it yet, so nothing moves and there is no question.
    expect((await post(schedule, order)).answer.headers.get('location')).toBe(schedule)
    const removal = words(await page(beside(schedule, `lifts/${first}/delete`)))
    expect(removal).toContain('2 are canceled')
    await post(beside(schedule, `lifts/${first}/delete`), {})
    expect(await page(schedule)).not.toContain('Dated')
  })
})

describe('A new lift', () => {
  it('that is ready is added only after a confirmation, and a draft at once', async () => {
    const path = `${schedule}/lifts/new`
    const fields = { ...LIFT, title: 'One more', body: 'Some text.', ...onDay(40) }
    const { is_ready: _, ...draft } = fields
    const question = await post(path, fields)
    expect(question.answer.status).toBe(200)
    expect(question.words).toContain('2 are added to the plan')
    expect(question.text).toContain('value="One more"')
    expect(await page(schedule)).not.toContain('One more')
    expect((await post(path, { ...fields, confirmed: question.confirmed })).answer.status).toBe(302)
    expect(await page(schedule)).toContain('One more')
    expect((await post(path, { ...draft, title: 'A draft' })).answer.status).toBe(302)
  })
})
