/** Messages to authors: what was saved, what is wrong and where, what can no longer be changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, html, LIFT, openAuthoring, plain, valueIn } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
beforeAll(async () => {
  world = await openAuthoring()
})
afterAll(() => world?.site.close())

const ASK = {
  kind: 'single_choice',
  scoring: 'none',
  max_score: '1',
  visibility: 'admins',
}

describe('The pages of authors', () => {
  it('say that a question, a block or an objective is saved, or that nobody was selected', async () => {
    const { adam, draft } = world
    const { schedule, lifts } = await draft('Told', [{ title: 'One', when: 'launch' }])
    const editor = beside(schedule, `lifts/${lifts[0]}`)
    const text = plain(await html(adam, `${editor}/prompts/scale`))
    expect(text).toContain('Add: ')
    const said = async (path: string, fields: Record<string, string>) =>
      plain((await adam.follow(await adam.submit(path, fields))).html)
    const question = { ...ASK, kind: 'scale', text: 'How?' }
    expect(await said(`${editor}/prompts/scale`, question)).toContain('Question saved')
    const next = await adam.submit(`${editor}/prompts/scale`, { ...question, intent: 'another' })
    expect(next.headers.get('location')).toBe(`${editor}/prompts/scale`)
    expect(plain(await html(adam, `${editor}/prompts/scale`))).toContain('Save and add another')
    const lock_version = valueIn(await html(adam, `${editor}/blocks/text`), 'lock_version')
    const block = { kind: 'text', lock_version, markdown: 'Read this.' }
    expect(await said(`${editor}/blocks/text`, block)).toContain('Page saved')
    const objective = { code: 'LO1', text: 'Listens' }
    expect(await said(beside(schedule, 'objectives'), objective)).toContain('Objective saved')
    expect(await said(beside(schedule, 'people/add'), { intent: 'add-members' })).toContain(
      'Please select at least one person',
    )
  })

  it('say what is wrong at its field, by the names on the screen', async () => {
    const { adam, draft } = world
    const { schedule, lifts } = await draft('Wrong', [{ title: 'One', when: 'launch' }])
    const editor = beside(schedule, `lifts/${lifts[0]}`)
    const few = await adam.submit(`${editor}/prompts/single_choice`, {
      ...ASK,
      text: 'Few?',
      'options[0].text': 'A',
      'options[1].text': '',
    })
    expect(plain(await few.text())).toMatch(
      /<input[^>]*name="options\[1\]\.text"[^>]*aria-invalid="true"|<input[^>]*aria-invalid="true"[^>]*name="options\[1\]\.text"/,
    )
    const unseen = await adam.submit(`${editor}/prompts/scale`, { ...ASK, kind: 'scale', visibility: 'x' })
    expect(plain(await unseen.text())).toContain('Who sees the answer: ')
    const late = { ...LIFT, title: 'Two', when: 'after_lift', closes_after_hours: '0' }
    const words = plain(await (await adam.submit(`${schedule}/lifts/new`, late)).text())
    expect(words).not.toContain('After lift id')
    expect(words).toContain('Closes after (hours): Please enter at least 1')
    await adam.submit(beside(schedule, 'people/import'), {
      text: 'email,role\nuri@northwind.example,learner',
      sure: 'true',
    })
    const people = await html(adam, beside(schedule, 'people'))
    const [, member = ''] = people.match(/people\/(\d+)"/) ?? []
    const own = await adam.submit(beside(schedule, `people/${member}`), {
      role: 'learner',
      sponsor: 'uri@northwind.example',
    })
    const page = plain(await own.text())
    expect(page).not.toContain('Sponsor id')
    expect(page).toMatch(
      /<input[^>]*name="sponsor"[^>]*aria-invalid="true"|<input[^>]*aria-invalid="true"[^>]*name="sponsor"/,
    )
  })

  it('say that the day of a lift is past, with its year', async () => {
    const { adam, draft } = world
    const past = { title: 'Old', when: 'date', date: '2020-01-01', time: '12:00' }
    const { schedule } = await draft('Past', [past])
    expect(await html(adam, schedule)).toMatch(/Wed, Jan 1, 2020/)
    expect(await html(adam, schedule)).toContain('in the past')
  })

  it('offer nothing that an archived journey would refuse', async () => {
    const { adam, draft } = world
    const { schedule } = await draft('Put away', [
      { title: 'One', when: 'launch' },
      { title: 'Two', when: 'launch' },
    ])
    await adam.submit(`${schedule}/archive`, {})
    const page = await html(adam, schedule)
    for (const offer of ['Add lift', '/lifts/', '/delete"', 'name="up"']) expect(page).not.toContain(offer)
    expect(await html(adam, `${schedule}/lifts/new`)).not.toContain('Save lift')
    expect(await html(adam, beside(schedule, 'people'))).not.toContain('people/add')
    for (const closed of ['people/add', 'people/import'])
      expect((await adam.visit(beside(schedule, closed))).headers.get('location')).toBe(schedule)
    expect(await html(adam, beside(schedule, 'objectives'))).not.toContain('Add objective')
    const details = beside(schedule, 'details')
    for (const choice of ['Save journey', 'Pacific/Kiritimati'])
      expect(await html(adam, details)).not.toContain(choice)
    // Typed before the journey was archived, and sent afterwards.
    const late = await adam.submit(details, {
      ...{ name: 'Typed late', category: 'Safety', timezone_mode: 'journey', timezone: 'Asia/Tokyo' },
      ...{ default_send_time: '09:00', send_days: ['Mon'], channels: ['email'], late_joiners: 'skip' },
      lock_version: '0',
    })
    const typed = plain(await late.text())
    expect(late.status).toBe(409)
    expect(typed).toContain('value="Typed late"')
    expect(typed).toMatch(/<option value="Asia\/Tokyo" selected="">/)
    expect(typed).not.toContain('Pacific/Kiritimati')
  })
})

describe('The learner’s view of a journey', () => {
  it('is shown to its author, and a 404 for people who do not take part', async () => {
    const { adam, draft, site } = world
    const { schedule, id, lifts } = await draft('Seen', [{ title: 'The first of all', when: 'launch' }])
    expect(await html(adam, schedule)).toContain(`href="/lljs/${id}/learner"`)
    const page = await html(adam, `/lljs/${id}/learner`)
    expect(page).toContain('This is what a learner sees')
    expect(page).toContain('The first of all')
    expect(page).toContain(`/lift/t/${lifts[0]}`)
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.visit(`/lljs/${id}/learner`)).status).toBe(404)
  })

  it('is closed when its learners can no longer answer', async () => {
    const page = await html(world.adam, '/lljs/1/learner')
    expect(page).toContain('Your first week')
    expect(page).toContain('Closed')
    expect(page).not.toContain('Waiting for you')
  })

  it('shows the description under the name, as the form of the details says', async () => {
    const { adam, draft, launch, site } = world
    const { schedule, id } = await draft('Described', [{ title: 'Begin', when: 'launch' }])
    const details = beside(schedule, 'details')
    const form = await html(adam, details)
    expect(form).toContain('Learners see it under the name.')
    // The tabs are in the same place as on the other pages of the journey.
    expect(form).toContain('<div class="page">')
    const saved = await adam.submit(details, {
      ...{ name: 'Described', category: 'Safety', description: 'Thirty days to the first deal.' },
      ...{ timezone_mode: 'recipient', timezone: 'Europe/Berlin', default_send_time: '09:00' },
      ...{ send_days: ['Mon', 'Tue'], channels: ['email'], late_joiners: 'skip' },
      lock_version: valueIn(await html(adam, details), 'lock_version'),
    })
    expect(saved.status).toBe(302)
    await launch(schedule, ['uri'])
    const uri = await site.visitor('uri@northwind.example')
    expect(await html(uri, `/lljs/${id}/learner`)).toMatch(
      /<h1[^>]*>Described<\/h1>.{0,200}Thirty days to the first deal\./s,
    )
  })

  it('says when each lift comes: by its rule, or on the days of the first learner', async () => {
    const { adam, draft } = world
    const { schedule, id } = await draft('Timed', [
      { title: 'By date', when: 'date', date: '2031-05-07', time: '10:00', closes_after_hours: '48' },
      { title: 'After it', when: 'after_previous', days: '2', is_optional: 'on', est_minutes: '7' },
      { title: 'Long ago', when: 'date', date: '2020-01-02', time: '10:00' },
    ])
    const rows = async () =>
      [...(await html(adam, `/lljs/${id}/learner`)).matchAll(/timeline-facts">(.*?)<\/p>/gs)].map(
        ([, row = '']) => row.replace(/<[^>]*>/g, ''),
      )
    expect(await rows()).toEqual([
      expect.stringContaining('On May 7, 2031 at 10:00 AM'),
      '7 min · optional · 2 days after completing the lift before',
      expect.stringContaining('On Jan 2, 2020 at 10:00 AM'),
    ])
    await world.addLearner(schedule, 'uri')
    expect(await rows()).toEqual([
      expect.stringMatching(/comes May 7, 2031 · closes May 9, 2031, 10:00\sAM$/),
      '7 min · optional · 2 days after completing the lift before',
      expect.stringContaining('its time is past'),
    ])
    expect(await html(adam, `/lljs/${id}/learner`)).toContain('The days are those of Uri')
  })
})

describe('A lift of a draft with a date in the past', () => {
  it('is marked as past in its editor, on its card and before the launch', async () => {
    const { adam, draft } = world
    const { schedule, lifts } = await draft('Copied', [
      { title: 'Last year’s', when: 'date', date: '2020-01-01', time: '10:00' },
      { title: 'To come', when: 'date', date: '2031-05-07', time: '10:00' },
    ])
    const page = await html(adam, schedule)
    expect(page).not.toContain('weeks without lifts')
    expect(page).toMatch(
      /Wed, Jan 1, 2020<\/time>(<!-- -->)? at 10:00 AM(<!-- -->)? · (<!-- -->)?<strong>in the past/,
    )
    expect(page).toMatch(/Wed, May 7, 2031<\/time>(<!-- -->)? at 10:00 AM/)
    expect(page).toMatch(
      new RegExp(`<li><a[^>]*href="[^"]*lifts/${lifts[0]}"[^>]*>The time of “Last year’s” has passed`),
    )
    expect(page).not.toContain('The time of “To come” has passed')
    const field = /<input[^>]*id="lift-date"[^>]*aria-describedby="([^"]*)"/
    const editor = await html(adam, beside(schedule, `lifts/${lifts[0]}`))
    expect(editor).toContain('This day is past.')
    expect(field.exec(editor)?.[1]).toContain('lift-date-help')
    expect(await html(adam, beside(schedule, `lifts/${lifts[1]}`))).not.toContain('This day is past.')
  })
})
