/** What authors meet that is not of their making: a setting, a category that goes, somebody who saves first. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from '#tests/support/visitor.ts'
import { html, LIFT, onDay, openAuthoring, plain, valueIn } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let adam: Visitor
let aya: Visitor
let admin: pg.Client
beforeAll(async () => {
  world = await openAuthoring()
  adam = world.adam
  aya = await world.site.visitor('aya@northwind.example')
  admin = new pg.Client({ connectionString: world.site.adminUrl })
  await admin.connect()
})
afterAll(async () => {
  await admin?.end()
  await world?.site.close()
})

const CREATE = '/lljs/manage?create=true'
const words = (text: string) =>
  plain(text)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
const errorsAt = (text: string, id: string) =>
  new RegExp(`id="${id}-error"[^>]*>(.*?)</div>`, 's').exec(plain(text))?.[1] ?? ''
/** What the company's form sends, with some of it changed. */
async function settle(change: { categories?: string; authors?: boolean }): Promise<void> {
  const page = await html(adam, '/settings/company')
  const categories = /name="categories"[^>]*>([^<]*)<\/textarea>/.exec(page)?.[1] ?? ''
  const saved = await adam.submit('/settings/company', {
    name: 'Northwind Logistics',
    categories: change.categories ?? categories,
    timezone: 'Europe/Vienna',
    'quiet_hours.from': '20:00',
    'quiet_hours.to': '09:00',
    lock_version: valueIn(page, 'lock_version'),
    ...(change.authors ? { authors_may_create_drafts: 'on' } : {}),
  })
  if (saved.status !== 302) throw new Error(`${saved.status} ${words(await saved.text()).slice(0, 2000)}`)
}

describe('“Authors may create drafts”', () => {
  const begin = (name: string) => aya.submit(CREATE, { intent: 'create', name, category: 'Safety' })

  it('on: an author is offered it in the list and the menu, and does it', async () => {
    await settle({ authors: true })
    const list = await html(aya, '/lljs/manage')
    expect(list.match(/href="\/lljs\/manage\?create=true"/g)?.length).toBeGreaterThan(0)
    expect(await html(aya, CREATE)).toContain('Create journey')
    const made = await begin('Of an author')
    expect(made.headers.get('location')).toMatch(/^\/lljs\/\d+\/schedule$/)
    expect(await html(aya, '/lljs/manage')).toMatch(/duplicate=\d+/)
  })

  it('off: nothing of it is there, and its addresses refuse; what was begun stays theirs', async () => {
    const before = await html(aya, CREATE)
    expect(before).toContain('Create journey')
    await settle({ authors: false })
    const list = await html(aya, '/lljs/manage')
    for (const offer of ['create=true', 'duplicate=', 'import=true'])
      expect([offer, list.includes(offer)]).toEqual([offer, false])
    expect(await html(aya, CREATE)).not.toContain('Create journey')
    // Who had the form open still is told so.
    const late = await begin('Too late')
    const refused = words(await late.text())
    expect([late.status, refused]).toEqual([403, expect.stringContaining('permission')])
    const { rows } = await admin.query(`select name from journeys where name in ('Too late', 'Of an author')`)
    expect(rows).toEqual([{ name: 'Of an author' }])
    const [, own = ''] = /\/lljs\/(\d+)\/schedule">Of an author/.exec(list) ?? []
    expect(await html(aya, `/lljs/${own}/schedule`)).toContain('Add lift')
    expect(await html(adam, '/lljs/manage')).toContain('create=true')
  })
})

describe('A category that is deleted meanwhile', () => {
  it('between the opening of a form and its saving, is said at its field, and nothing typed is lost', async () => {
    await settle({ categories: 'Safety\r\nShort-lived' })
    expect(await html(adam, CREATE)).toContain('<option value="Short-lived"')
    const { schedule, id } = await world.draft('With a category', [])
    const path = `/lljs/manage?edit=${id}`
    const lock_version = valueIn(await html(adam, path), 'lock_version')
    await settle({ categories: 'Safety' })

    const made = await adam.submit(CREATE, { intent: 'create', name: 'Kept name', category: 'Short-lived' })
    const created = await made.text()
    expect(made.status).toBe(422)
    expect(created).toContain('value="Kept name"')
    expect(errorsAt(created, 'new-journey-category')).not.toBe('')

    const fields = {
      ...{ name: 'With a category', category: 'Short-lived', description: 'Kept words', lock_version },
      ...{ timezone_mode: 'journey', timezone: 'Europe/Vienna', default_send_time: '09:00' },
      ...{ send_days: ['Mon', 'Tue'], channels: ['sms', 'email'], late_joiners: 'skip' },
    }
    for (const [where, intent] of [
      [path, 'save-journey'],
      [`${schedule}?journeyModal=true`, 'save-journey'],
    ] as const) {
      const saved = await adam.submit(where, { intent, ...fields })
      const text = await saved.text()
      expect([where, saved.status]).toEqual([where, 422])
      expect(text).toContain('Kept words</textarea>')
      expect(text).toMatch(/id="[\w-]+-category-error"/)
    }
  })

  it('between draft and launch, stands in the way as a link to where it is mended', async () => {
    await settle({ categories: 'Safety\r\nShort-lived' })
    const { schedule, id } = await world.draft('Left behind', [{ title: 'One', ...onDay(9) }])
    const change = await adam.submit(`/lljs/manage?edit=${id}`, {
      ...{ intent: 'save-journey', name: 'Left behind', category: 'Short-lived' },
      ...{ timezone_mode: 'journey', timezone: 'Europe/Vienna', default_send_time: '09:00' },
      ...{ send_days: ['Mon', 'Tue'], channels: ['sms', 'email'], late_joiners: 'skip' },
      lock_version: valueIn(await html(adam, `/lljs/manage?edit=${id}`), 'lock_version'),
    })
    expect(change.status).toBe(302)
    const dialog = await html(adam, `${schedule}?participantsModal=true&people=uri`)
    await adam.submit(`${schedule}?participantsModal=true`, {
      intent: 'add-members',
      user_ids: /type="checkbox" name="user_ids" value="(\d+)"/.exec(dialog)?.[1] ?? '',
    })
    expect(await html(adam, schedule)).toContain('launch=send')
    await settle({ categories: 'Safety' })
    const page = await html(adam, schedule)
    expect(words(page)).toContain('categor')
    expect(page).toMatch(/href="[^"]*journeyModal=true/)
    expect(page).not.toContain('launch=send')
    // Whoever had the question open is told so, and nothing begins.
    const launched = await adam.follow(
      await adam.submit(schedule, { intent: 'launch', expected_recipients: '1', skip_past: 'false' }),
    )
    expect(launched.html).toContain('Not launched')
    const { rows } = await admin.query('select status from journeys where id = $1', [id])
    expect(rows).toEqual([{ status: 'draft' }])
  })
})

describe('The second of two who save at once', () => {
  let schedule = ''
  let lift = ''
  beforeAll(async () => {
    const made = await world.draft('Shared', [{ title: 'One', ...onDay(9) }])
    schedule = made.schedule
    lift = made.lifts[0] ?? ''
  })
  const journey = (more: object, lock_version: string) => ({
    ...{ intent: 'save-journey', name: 'Shared', category: 'Safety', lock_version },
    ...{ timezone_mode: 'journey', timezone: 'Europe/Vienna', default_send_time: '09:00' },
    ...{ send_days: ['Mon', 'Tue'], channels: ['sms', 'email'], late_joiners: 'skip' },
    ...more,
  })

  it.each(['manage', 'schedule'])('sees both versions of a journey in the form of the %s', async (where) => {
    const path =
      where === 'manage' ? `/lljs/manage?edit=${schedule.split('/')[2]}` : `${schedule}?journeyModal=true`
    const seen = valueIn(await html(adam, path), 'lock_version')
    const theirs = `Theirs of ${where}`
    expect((await adam.submit(path, journey({ description: theirs }, seen))).status).toBe(302)
    const late = await adam.submit(path, journey({ description: 'Mine' }, seen))
    const text = plain(await late.text())
    expect(late.status).toBe(409)
    expect(text).toContain(`<td>${theirs}</td><td>Mine</td>`)
    expect(text).toContain('Mine</textarea>')
    // Saving again, on purpose, replaces theirs.
    const again = await adam.submit(path, journey({ description: 'Mine' }, valueIn(text, 'lock_version')))
    expect(again.status).toBe(302)
    expect(await html(adam, path)).toContain('Mine</textarea>')
  })

  it('sees both versions of a question', async () => {
    const page = `${schedule}?lift=${lift}&prompt=short_text`
    const asking = { intent: 'save-prompt', kind: 'short_text', scoring: 'none', visibility: 'admins' }
    await adam.submit(page, { ...asking, text: 'First words' })
    const [, id = ''] = /prompt=(\d+)/.exec(await html(adam, `${schedule}?lift=${lift}`)) ?? []
    const editor = `${schedule}?lift=${lift}&prompt=${id}`
    const version = valueIn(await html(adam, editor), 'version')
    const save = (text: string, version: string) => adam.submit(editor, { ...asking, text, version })
    expect((await save('Theirs', version)).status).toBe(302)
    const late = await save('Mine', version)
    const text = plain(await late.text())
    expect(late.status).toBe(409)
    expect(text).toContain('<td>Theirs</td><td>Mine</td>')
    expect(text).toContain('value="Mine"')
    expect((await save('Mine', valueIn(text, 'version'))).status).toBe(302)
  })

  it('sees both versions of a lift', async () => {
    const editor = `${schedule}?lift=${lift}`
    const lock_version = valueIn(await html(adam, editor), 'lock_version')
    const save = (title: string) =>
      adam.submit(editor, { ...LIFT, ...onDay(9), title, lock_version, email_subject: 'Kept subject' })
    expect((await save('Theirs')).status).toBe(302)
    const late = await save('Mine')
    const text = plain(await late.text())
    expect(late.status).toBe(409)
    expect(text).toContain('<td>Theirs</td><td>Mine</td>')
    expect(text).toContain('value="Kept subject"')
  })
})

describe('A journey as its learner sees it', () => {
  let id = ''
  let uri: Visitor
  beforeAll(async () => {
    const made = await world.draft('For its learner', [
      { title: 'Before', ...onDay(-3), completion_rule: 'viewed_and_confirmed' },
      { title: 'Now', ...onDay(-2), completion_rule: 'viewed_and_confirmed' },
      { title: 'Later', ...onDay(9) },
      { title: 'After that', when: 'after_previous', days: '1' },
    ])
    id = made.id
    await world.launch(made.schedule, ['uri'])
    uri = await world.site.visitor('uri@northwind.example')
    const [first = ''] = made.lifts
    // A learner gets one lift a day: the others of these have come as well.
    await admin.query(
      `update occurrences set due_at = now() - interval '1 hour', state = 'sent' where journey_id = $1 and lift_id = any($2)`,
      [id, made.lifts.slice(0, 2)],
    )
    const key = valueIn(await html(uri, `/lift/${first}`), 'key')
    const done = await uri.submit(`/lift/${first}`, { complete: 'true', key })
    if (done.status >= 400) throw new Error(`${done.status} ${words(await done.text())}`)
  })
  const path = () => `/lljs/${id}/learner`

  it('tells what is done, what is next and what is still locked', async () => {
    const page = await html(uri, path())
    const rows = [...page.matchAll(/<li class="timeline-lift">(.*?)<\/li>/gs)].map(([, row = '']) =>
      words(row).trim(),
    )
    expect(rows.map((row) => row.replace(/ \d+ min.*/, ''))).toEqual([
      'Before Completed',
      'Now Waiting for you',
      'Later To come',
      'After that To come',
    ])
    expect(words(page)).toContain('1 of 4 completed')
    expect(page).toMatch(/href="\/lift\/\d+"[^>]*>Go on: Now/)
    expect(rows[0]).toContain('done')
    expect(rows[2]).toContain('comes')
    // What is locked is no link.
    expect(page.match(/<h2 class="timeline-title"><a /g)).toHaveLength(2)
  })

  it('is not there for people of the company who neither learn in it nor write it, nor for others', async () => {
    for (const email of ['aya@northwind.example', 'grace@harbor.example']) {
      const visitor = await world.site.visitor(email)
      expect([email, (await visitor.visit(path())).status]).toEqual([email, 404])
    }
    for (const wrong of ['/lljs/999999/learner', '/lljs/x/learner'])
      expect([wrong, (await uri.visit(wrong)).status]).toEqual([wrong, 404])
    const stranger = await world.site.visitor()
    expect((await stranger.visit(path())).headers.get('location')).toMatch(/^\/login\?redirect=/)
  })
})
