/** Changes by others that authors meet: a setting, a removed category, another person who saves first. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from '#tests/support/visitor.ts'
import { beside, html, LIFT, onDay, openAuthoring, plain, valueIn, words } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let adam: Visitor
let aya: Visitor
let admin: pg.Client
beforeAll(async () => {
  world = await openAuthoring()
  adam = world.adam
  aya = await world.site.visitor('aya@northwind.example')
  admin = await world.site.connectAdmin()
})
afterAll(() => world?.site.close())

const CREATE = '/lljs/manage/new'
const errorsAt = (text: string, id: string) =>
  new RegExp(`id="${id}-error"[^>]*>(.*?)</div>`, 's').exec(plain(text))?.[1] ?? ''
/** Saves the company's form with some changes. */
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

describe('“Authors can create drafts”', () => {
  const begin = (name: string) => aya.submit(CREATE, { name, category: 'Safety' })

  it('on: an author is offered new journeys in the list, and creates one', async () => {
    await settle({ authors: true })
    const list = await html(aya, '/lljs/manage')
    expect(list.match(/href="\/lljs\/manage\/new"/g)?.length).toBeGreaterThan(0)
    expect(await html(aya, CREATE)).toContain('Create journey')
    const made = await begin('Of an author')
    expect(made.headers.get('location')).toMatch(/^\/lljs\/\d+\/schedule$/)
    expect(await html(aya, '/lljs/manage')).toMatch(/\d+\/duplicate"/)
  })

  it('off: drafts are hidden and refused, and an author keeps the journey they had created', async () => {
    const before = await html(aya, CREATE)
    expect(before).toContain('Create journey')
    await settle({ authors: false })
    const list = await html(aya, '/lljs/manage')
    for (const offer of ['create=true', '/lljs/manage/new', '/duplicate', '/lljs/manage/import'])
      expect([offer, list.includes(offer)]).toEqual([offer, false])
    expect(await html(aya, CREATE)).not.toContain('Create journey')
    // An author who still had the form open is refused.
    const late = await begin('Too late')
    const refused = words(await late.text())
    expect([late.status, refused]).toEqual([403, expect.stringContaining('permission')])
    const { rows } = await admin.query(`select name from journeys where name in ('Too late', 'Of an author')`)
    expect(rows).toEqual([{ name: 'Of an author' }])
    const [, own = ''] = /\/lljs\/(\d+)\/schedule"><bdi>Of an author/.exec(list) ?? []
    expect(await html(aya, `/lljs/${own}/schedule`)).toContain('Add lift')
    expect(await html(adam, '/lljs/manage')).toContain('href="/lljs/manage/new"')
  })
})

describe('A category that is deleted', () => {
  it('while a form is open is named at its field, and nothing typed is lost', async () => {
    await settle({ categories: 'Safety\r\nShort-lived' })
    expect(await html(adam, CREATE)).toContain('<option value="Short-lived"')
    const { id } = await world.draft('With a category', [])
    const path = `/lljs/manage/${id}/details`
    const lock_version = valueIn(await html(adam, path), 'lock_version')
    await settle({ categories: 'Safety' })

    const made = await adam.submit(CREATE, { name: 'Kept name', category: 'Short-lived' })
    const created = await made.text()
    expect(made.status).toBe(422)
    expect(created).toContain('value="Kept name"')
    expect(errorsAt(created, 'new-journey-category')).not.toBe('')

    const fields = {
      ...{ name: 'With a category', category: 'Short-lived', description: 'Kept words', lock_version },
      ...{ timezone_mode: 'journey', timezone: 'Europe/Vienna', default_send_time: '09:00' },
      ...{ send_days: ['Mon', 'Tue'], channels: ['sms', 'email'], late_joiners: 'skip' },
    }
    for (const where of [path, `/lljs/${id}/details`]) {
      const saved = await adam.submit(where, fields)
      const text = await saved.text()
      expect([where, saved.status]).toEqual([where, 422])
      expect(text).toContain('Kept words</textarea>')
      expect(text).toMatch(/id="[\w-]+-category-error"/)
    }
  })

  it('between draft and launch prevents the launch, with a link to the details', async () => {
    await settle({ categories: 'Safety\r\nShort-lived' })
    const { schedule, id } = await world.draft('Left behind', [{ title: 'One', ...onDay(9) }])
    const change = await adam.submit(`/lljs/manage/${id}/details`, {
      ...{ name: 'Left behind', category: 'Short-lived' },
      ...{ timezone_mode: 'journey', timezone: 'Europe/Vienna', default_send_time: '09:00' },
      ...{ send_days: ['Mon', 'Tue'], channels: ['sms', 'email'], late_joiners: 'skip' },
      lock_version: valueIn(await html(adam, `/lljs/manage/${id}/details`), 'lock_version'),
    })
    expect(change.status).toBe(302)
    const dialog = await html(adam, `/lljs/${id}/people/add?people=uri`)
    await adam.submit(`/lljs/${id}/people/add`, {
      intent: 'add-members',
      user_ids: /type="checkbox" name="user_ids" value="(\d+)"/.exec(dialog)?.[1] ?? '',
    })
    expect(await html(adam, schedule)).toContain('/schedule/launch"')
    await settle({ categories: 'Safety' })
    const page = await html(adam, schedule)
    expect(words(page)).toContain('categor')
    expect(page).toMatch(new RegExp(`href="/lljs/${id}/details"`))
    expect(page).not.toContain('/schedule/launch"')
    // A person who had the question open is told, and nothing starts.
    const launched = await adam.follow(
      await adam.submit(`${schedule}/launch`, {
        expected_recipients: '1',
        skip_past: 'false',
        send_now: 'true',
      }),
    )
    expect(launched.html).toContain('Not launched')
    const { rows } = await admin.query('select status from journeys where id = $1', [id])
    expect(rows).toEqual([{ status: 'draft' }])
    await settle({ categories: 'Safety\r\nShort-lived' })
    for (const said of ['Journey launched', 'Already launched']) {
      const answer = await adam.submit(`${schedule}/launch`, {
        expected_recipients: '1',
        skip_past: 'false',
        send_now: 'true',
      })
      expect(plain((await adam.follow(answer)).html)).toContain(said)
    }
  })
})

describe('The second of two people who save', () => {
  let schedule = ''
  let lift = ''
  beforeAll(async () => {
    const made = await world.draft('Shared', [{ title: 'One', ...onDay(9) }])
    schedule = made.schedule
    lift = made.lifts[0] ?? ''
  })
  const journey = (more: object, lock_version: string) => ({
    ...{ name: 'Shared', category: 'Safety', lock_version },
    ...{ timezone_mode: 'journey', timezone: 'Europe/Vienna', default_send_time: '09:00' },
    ...{ send_days: ['Mon', 'Tue'], channels: ['sms', 'email'], late_joiners: 'skip' },
    ...more,
  })

  it.each(['manage', 'schedule'])('sees both versions of a journey in the form of the %s', async (where) => {
    const id = schedule.split('/')[2]
    const path = where === 'manage' ? `/lljs/manage/${id}/details` : `/lljs/${id}/details`
    const seen = valueIn(await html(adam, path), 'lock_version')
    const theirs = `Theirs of ${where}`
    expect((await adam.submit(path, journey({ description: theirs }, seen))).status).toBe(302)
    const late = await adam.submit(path, journey({ description: 'Mine' }, seen))
    const text = plain(await late.text())
    expect(late.status).toBe(409)
    expect(text).toContain(`<td>${theirs}</td><td>Mine</td>`)
    expect(text).toContain('Mine</textarea>')
    // Saving again deliberately replaces their version.
    const again = await adam.submit(path, journey({ description: 'Mine' }, valueIn(text, 'lock_version')))
    expect(again.status).toBe(302)
    expect(await html(adam, path)).toContain('Mine</textarea>')
  })

  it('sees both versions of a question', async () => {
    const page = beside(schedule, `lifts/${lift}/prompts/short_text`)
    const asking = { kind: 'short_text', scoring: 'none', visibility: 'admins' }
    await adam.submit(page, { ...asking, text: 'First words' })
    const [, id = ''] =
      /value="prompts\/(\d+)/.exec(await html(adam, beside(schedule, `lifts/${lift}`))) ?? []
    const editor = beside(schedule, `lifts/${lift}/prompts/${id}`)
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
    const editor = beside(schedule, `lifts/${lift}`)
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

describe('Two authors with the same form open', () => {
  let schedule = ''
  let lift = ''
  let learner = ''
  let objective = ''
  let question = ''
  let assessment = ''
  let item = ''
  const idIn = (page: string, name: string) => new RegExp(`${name}s/(\\d+)`).exec(page)?.[1] ?? ''
  beforeAll(async () => {
    const made = await world.draft('Two at it', [
      { title: 'One', ...onDay(9) },
      { title: 'Two', ...onDay(10) },
    ])
    schedule = made.schedule
    lift = made.lifts[0] ?? ''
    const dialog = await html(adam, `/lljs/${made.id}/people/add?people=uri`)
    const user_ids = /name="user_ids" value="(\d+)"/.exec(dialog)?.[1] ?? ''
    await adam.submit(`/lljs/${made.id}/people/add`, { intent: 'add-members', user_ids })
    learner = /people\/(\d+)"/.exec(await html(adam, `/lljs/${made.id}/people`))?.[1] ?? ''
    await adam.submit(beside(schedule, 'objectives'), {
      code: 'LO1',
      text: 'Listens',
    })
    objective = idIn(await html(adam, beside(schedule, 'objectives')), 'objective')
    const asked = { ...ASKING, text: 'First words' }
    await adam.submit(beside(schedule, `lifts/${lift}/prompts/short_text`), asked)
    question = idIn(await html(adam, beside(schedule, `lifts/${lift}`)), 'prompt')
    const list = `/lljs/${made.id}/assessments`
    const begun = await adam.submit(`${list}/new`, { ...ASSESSMENT, name: 'Before' })
    assessment = begun.headers.get('location') ?? ''
    await adam.submit(`${assessment}/items/text`, { ...ITEM, text: 'First item', lock_version: '0' })
    item = /items\/(\d+)/.exec(await html(adam, assessment))?.[1] ?? ''
  })
  const ASKING = { kind: 'short_text', scoring: 'none', visibility: 'admins' }
  const ITEM = { kind: 'text', weight: '1' }
  const ASSESSMENT = {
    ...{ phase: 'pre', raters: 'self', closes_when: 'never' },
    ...{ opens_when: 'date', opens_date: '2031-01-01' },
  }

  /** The address of each form, and the fields that it sends. */
  const FORMS: Record<string, () => { path: string; send: (words: string) => Record<string, string> }> = {
    objective: () => ({
      path: beside(schedule, `objectives/${objective}`),
      send: (text) => ({ code: 'LO1', text }),
    }),
    question: () => ({
      path: beside(schedule, `lifts/${lift}/prompts/${question}`),
      send: (text) => ({ ...ASKING, text }),
    }),
    lift: () => ({
      path: beside(schedule, `lifts/${lift}`),
      send: (title) => ({ ...LIFT, ...onDay(9), title }),
    }),
    block: () => ({
      path: beside(schedule, `lifts/${lift}/blocks/0`),
      send: (markdown) => ({ kind: 'text', markdown }),
    }),
    assessment: () => ({ path: assessment, send: (name) => ({ ...ASSESSMENT, name }) }),
    item: () => ({ path: `${assessment}/items/${item}`, send: (text) => ({ ...ITEM, text }) }),
  }
  const stateOf = (page: string, of: string) =>
    Object.fromEntries(
      ['lock_version', 'version']
        .map((name) => [name, stateIn(page, of, name)])
        .filter(([, value]) => value !== ''),
    )
  /** A value in the given form, since lists around it have forms too. */
  const stateIn = (page: string, of: string, name: string) =>
    new RegExp(`<form[^>]*id="${of}"(?:(?!</form>).)*?name="${name}"[^>]*value="([^"]*)"`, 's').exec(
      page,
    )?.[1] ?? ''
  const formOf = (what: string) => (what === 'question' ? 'prompt' : what)

  it.each(Object.keys(FORMS))(
    'the second sees both versions of the %s, even after a mistake',
    async (what) => {
      const { path, send } = (FORMS[what] as (typeof FORMS)[string])()
      const seen = stateOf(await html(adam, path), formOf(what))
      expect(Object.keys(seen)).toHaveLength(1)
      expect((await adam.submit(path, { ...send('Theirs'), ...seen })).status).toBe(302)

      // Correcting an error first does not turn the form into one of the stored version.
      const wrong = await adam.submit(path, { ...send(''), ...seen })
      const refused = plain(await wrong.text())
      expect([wrong.status, stateOf(refused, formOf(what))]).toEqual([400, seen])

      const late = await adam.submit(path, { ...send('Mine'), ...stateOf(refused, formOf(what)) })
      const text = plain(await late.text())
      expect(late.status).toBe(409)
      expect(words(text)).toContain('Saved now Yours')
      expect(text).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/)
      expect(words(text), 'of a number alone').not.toContain('Tolerance')
      expect(text).toMatch(/value="Mine"|Mine<\/textarea>/)
      const again = { ...send('Mine'), ...stateOf(text, formOf(what)) }
      expect((await adam.submit(path, again)).status).toBe(302)
    },
  )

  it('the second sees both versions of a participant, even after half a sponsor’s name', async () => {
    const path = beside(schedule, `people/${learner}`)
    const seen = stateOf(await html(adam, path), 'member')
    const save = (more: Record<string, string>, state: Record<string, string>) =>
      adam.submit(path, { role: 'learner', ...more, ...state })
    expect((await save({ sponsor: 'aya@northwind.example' }, seen)).status).toBe(302)
    const asked = await save({ sponsor: 'e' }, seen)
    const found = plain(await asked.text())
    expect([asked.status, stateOf(found, 'member')]).toEqual([422, seen])
    const late = await save({ sponsor: 'adam@northwind.example', exclude_data: 'on' }, seen)
    const text = plain(await late.text())
    expect(late.status).toBe(409)
    expect(text).toContain('<td>aya@northwind.example</td><td>adam@northwind.example</td>')
    expect(text).toMatch(/Exclude from analytics<\/th><td>–<\/td><td>yes<\/td>/)
    expect(text).toContain('value="adam@northwind.example"')
    // The refused save changed nothing, and saving the stored values is no conflict.
    expect(await html(adam, path)).toContain('value="aya@northwind.example"')
    expect((await save({ sponsor: 'aya@northwind.example' }, seen)).status).toBe(302)
    const mine = await save({ sponsor: 'adam@northwind.example' }, stateOf(text, 'member'))
    expect(mine.status).toBe(302)
    expect(await html(adam, path)).toContain('value="adam@northwind.example"')
  })

  it('the second reads that the participant was removed, and what they had chosen', async () => {
    const path = beside(schedule, `people/${learner}`)
    const seen = stateOf(await html(adam, path), 'member')
    await adam.submit(`${path}/remove`, {})
    const late = await adam.submit(path, {
      ...{ role: 'learner', sponsor: 'adam@northwind.example' },
      ...seen,
    })
    expect([late.status, words(await late.text())]).toEqual([
      409,
      expect.stringContaining(
        'removed this participant while you were editing. Add them again first; you had chosen: learner, sponsor adam@',
      ),
    ])
  })

  it('the second cannot move a lift or a question', async () => {
    const before = await html(adam, schedule)
    const order_version = valueIn(before, 'order_version')
    const move = (moved: Record<string, string>) => adam.submit(schedule, { order_version, ...moved })
    expect(before).toMatch(/<button[^>]* data-disabled="true" name="up"/)
    expect(before).not.toMatch(/<button(?![^>]* data-disabled)[^>]* disabled/)
    const [, second = ''] = [...before.matchAll(/name="up" value="(\d+)"/g)].map(([, id]) => id)
    expect((await adam.follow(await move({ up: second }))).html).toContain('Moved')
    for (const late of [{ down: second }, { moved: second, to: lift }])
      expect((await adam.follow(await move(late))).html).toContain('Not changed')
    expect((await adam.follow(await move({ up: second, order_version: '1' }))).html).toContain('Moved')

    const editor = beside(schedule, `lifts/${lift}`)
    await adam.submit(`${editor}/prompts/short_text`, { ...ASKING, text: 'Another' })
    const lock_version = stateOf(await html(adam, editor), 'lift').lock_version ?? ''
    const turn = (more: Record<string, string>) => adam.submit(`${editor}/prompts/${question}`, more)
    expect((await adam.follow(await turn({ way: 'down', lock_version }))).html).toContain('Moved')
    expect((await adam.follow(await turn({ way: 'up', lock_version }))).html).toContain('Not changed')
    const removal = { way: 'remove', confirmed: 'true', version: '1' }
    expect((await adam.follow(await turn(removal))).html).toContain('Not changed')
  })

  it('the second cannot reassign the journey, and sees both authors', async () => {
    const id = schedule.split('/')[2]
    const path = `/lljs/manage/${id}/author`
    const page = await html(adam, path)
    const people = [...page.matchAll(/<option value="(\d+)"[^>]*>([^<]+)</g)]
    const isNow = ([option = '']: RegExpMatchArray) => option.includes('selected')
    const [theirs, mine] = [people.find((one) => !isNow(one)), people.find(isNow)]
    const seen = stateOf(page, 'author')
    const give = (author_id = '') => adam.submit(path, { author_id, ...seen })
    expect((await give(theirs?.[1])).status).toBe(302)
    const late = await give(mine?.[1])
    expect(late.status).toBe(409)
    expect(plain(await late.text())).toContain(`<td>${theirs?.[2]}</td><td>${mine?.[2]}</td>`)
  })

  it('the second keeps the text of an item or assessment that the first deleted', async () => {
    const versionNow = async () => stateOf(await html(adam, assessment), 'assessment').lock_version ?? ''
    const move = async (way: string) =>
      adam.submit(`${assessment}/items/${item}`, { way, lock_version: await versionNow() })
    expect((await move('up')).status).toBe(302)
    const lock_version = await versionNow()
    await move('remove')
    const late = await adam.submit(`${assessment}/items/${item}`, {
      ...ITEM,
      text: 'Kept words',
      lock_version,
    })
    const text = plain(await late.text())
    expect([late.status, text.includes('value="Kept words"')]).toEqual([409, true])
    expect(words(text)).toContain('Someone removed it while you were editing')

    await adam.submit(`${assessment}/remove`, {})
    for (const [path, fields] of [
      [`${assessment}/items/text`, { ...ITEM, text: 'Kept words', lock_version }],
      [assessment, { ...ASSESSMENT, name: 'Kept words', lock_version }],
    ] as const) {
      const gone = await adam.submit(path, fields)
      expect([path, gone.status, plain(await gone.text()).includes('value="Kept words"')]).toEqual([
        path,
        404,
        true,
      ])
    }
  })
})

describe('The learner’s view of a journey', () => {
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
    // A learner gets one lift a day, so the others are marked as sent.
    await admin.query(
      `update occurrences set due_at = now() - interval '1 hour', state = 'sent' where journey_id = $1 and lift_id = any($2)`,
      [id, made.lifts.slice(0, 2)],
    )
    const done = await uri.submit(`/lift/${first}`, { complete: 'true' })
    if (done.status >= 400) throw new Error(`${done.status} ${words(await done.text())}`)
  })
  const path = () => `/lljs/${id}/learner`

  it('shows which lifts are completed, waiting or still to come', async () => {
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
    // Locked lifts are not linked.
    expect(page.match(/<h2 class="timeline-title"><a /g)).toHaveLength(2)
  })

  it('is a 404 for people outside the journey, and sends strangers to sign in', async () => {
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
