/** Assessments without JavaScript: writing, filling in and reading them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, onDay, openAuthoring, plain, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import { BY_DAY } from '#tests/support/by-day.ts'
import { listedJourney } from '#tests/support/listed-journey.ts'
import { withAdmin } from '#tests/support/postgres.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let adam: Visitor
let uri: Visitor
let sam: Visitor
let list = ''
let own = ''
beforeAll(async () => {
  world = await openAuthoring()
  adam = world.adam
  uri = await world.site.visitor('uri@northwind.example')
  sam = await world.site.visitor('sam@northwind.example')
  const { schedule, id } = await world.draft('Assessed', [{ title: 'One', ...onDay(9) }])
  await world.launch(schedule, ['Cohen'])
  const dialog = await html(adam, `/lljs/${id}/people?find=Cohen`)
  const [, member = ''] = dialog.match(/people\/(\d+)\?find/) ?? []
  await adam.submit(`/lljs/${id}/people/${member}`, {
    ...{ role: 'learner', sponsor: 'sam@northwind.example' },
  })
  list = `/lljs/${id}/assessments/`
  const { rows } = await withAdmin(world.site.adminUrl, async (admin) => {
    await admin.query('update users set timezone = $1', [BY_DAY])
    return admin.query('select user_id from members where id = $1', [member])
  })
  own = `/lljs/${id}/assessments/${rows[0].user_id}`
})
afterAll(() => world?.site.close())

/** The main part of the page, since notifications in the top bar contain some of the same texts. */
const main = (page: string) => plain(page).split('<main')[1]?.split('</main>')[0] ?? ''

const ASSESSMENT = {
  name: 'Where you start',
  phase: 'pre',
  raters: ['self', 'sponsor'],
  opens_when: 'date',
  opens_date: '2020-01-01',
  closes_when: 'never',
}
let editor = ''

async function until(look: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await look())) {
    if (Date.now() > end) throw new Error('It did not happen within a minute.')
    await new Promise((done) => setTimeout(done, 250))
  }
}

describe('An assessment', () => {
  it('is reached from the schedule, through a list that says when there is none', async () => {
    expect(await html(adam, list.replace('assessments/', 'schedule'))).toContain(`href="${list}"`)
    const page = main(await html(adam, list))
    expect(page).toContain('No assessments yet')
    expect(page).toContain('Uri Cohen')
    const form = await html(adam, `${list}new`)
    expect(form).toContain('New assessment</h1>')
    expect(form.match(/or on a date for 9:00 AM/g)).toHaveLength(2)
  })

  it('has a list that links to adding learners when the journey has none', async () => {
    const { id } = await world.draft('Without learners', [{ title: 'One', ...onDay(9) }])
    const page = main(await html(adam, `/lljs/${id}/assessments/`))
    expect(page).toContain('No learners yet')
    expect(page).toContain(`href="/lljs/${id}/people/add"`)
  })

  it('has the same tabs as the other pages of its journey', async () => {
    for (const side of ['schedule', 'people', 'objectives', 'assessments/', 'details']) {
      const page = main(await html(adam, list.replace('assessments/', side)))
      const tabs = page.split('aria-label="Journey"')[1]?.split('</nav>')[0] ?? ''
      expect([side, tabs.includes(`href="${list}"`)]).toEqual([side, true])
    }
    const page = main(await html(adam, list.slice(0, -1)))
    expect(page).toMatch(/<a[^>]*aria-current[^>]*>Assessments</)
  })

  it('is created step by step, and a mistake loses nothing that was typed', async () => {
    const wrong = await adam.submit(`${list}new`, {
      ...{ ...ASSESSMENT, opens_date: '', closes_when: 'after_start' },
      name: 'Typed already',
    })
    const page = main(await wrong.text())
    expect(wrong.status).toBe(400)
    expect(page).toContain('value="Typed already"')
    expect(page).toContain('Date it opens: Please enter a date')
    expect(page).toContain('Days until it closes: Please enter a number of days')
    const early = await adam.submit(`${list}new`, {
      ...{ ...ASSESSMENT, closes_when: 'date', closes_date: '2019-01-01' },
    })
    expect([early.status, main(await early.text())]).toEqual([
      422,
      expect.stringContaining('It would close before it opens'),
    ])
    const made = await adam.submit(`${list}new`, ASSESSMENT)
    editor = made.headers.get('location') ?? ''
    expect(editor).toMatch(/assessments\/edit\/\d+$/)
    expect(await html(adam, editor)).toContain('No items yet')
  })

  it('gets its items one by one; they can be reordered, and outdated changes are refused', async () => {
    const add = async (kind: string, more: Record<string, string>) => {
      const lock_version = valueIn(await html(adam, `${editor}/items/${kind}`), 'lock_version')
      return adam.submit(`${editor}/items/${kind}`, { kind, lock_version, weight: '1', ...more })
    }
    expect(await html(adam, `${editor}/items/scale`)).toMatch(/<input[^>]*name="weight"[^>]*step="any"/)
    const wrong = await add('scale', { text: 'I listen.', anchors: 'Only one' })
    expect([wrong.status, main(await wrong.text())]).toEqual([
      400,
      expect.stringMatching(/A scale has at least two steps[\s\S]*Only one<\/textarea>/),
    ])
    expect((await add('scale', { text: 'I listen.', anchors: 'Never\n\n\n\nAlways' })).status).toBe(302)
    expect((await add('choice', { text: 'How often?', options: 'Seldom | 0\nDaily | 3' })).status).toBe(302)
    expect((await add('text', { text: 'What <b>would</b> help?' })).status).toBe(302)
    // The second of two presses finds the item already added.
    const lock_version = String(Number(valueIn(await html(adam, editor), 'lock_version')) - 1)
    const again = { kind: 'text', lock_version, weight: '1', text: 'What <b>would</b> help?' }
    expect((await adam.submit(`${editor}/items/text`, again)).status).toBe(302)
    const page = main(await html(adam, editor))
    expect(page).not.toContain('4. ')
    expect(page).toMatch(/1\. I listen\.[\s\S]*2\. How often\?[\s\S]*3\. What &lt;b&gt;would/)
    const [, second = ''] = [...page.matchAll(/action="([^"]*\/items\/\d+)"/g)].map((found) => found[1])
    const move = { way: 'up', lock_version: valueIn(page, 'lock_version') }
    await adam.submit(second, move)
    expect(main(await html(adam, editor))).toMatch(/1\. How often\?[\s\S]*2\. I listen\./)
    // Another window shows an outdated state.
    await adam.submit(second, { ...move, way: 'down' })
    expect(plain(await html(adam, editor))).toContain(
      'This was changed after you opened the page. Here is the latest version.',
    )
    const stale = await adam.submit(editor, { ...ASSESSMENT, name: 'Too late', lock_version: '0' })
    const compared = main(await stale.text())
    expect(stale.status).toBe(409)
    expect(compared).toMatch(/Saved now[\s\S]*Where you start[\s\S]*Too late/)
  })
})

describe('Addresses of assessments', () => {
  it('that were used earlier redirect to the new pages, forms included', async () => {
    const id = editor.split('/').at(-1)
    for (const [search, to] of [
      ['create=true', `${list}new`],
      [`edit=${id}`, editor],
      [`edit=${id}&item=scale`, `${editor}/items/scale`],
      [`remove=${id}`, `${editor}/remove`],
    ] as const)
      expect((await adam.visit(`${list}?${search}`)).headers.get('location')).toBe(to)
    expect((await adam.visit(`${own}?reopen=${id}&rater=sponsor`)).headers.get('location')).toBe(
      `${own}/reopen/${id}/sponsor`,
    )
    const sent = await adam.submit(`${list}?edit=${id}`, ASSESSMENT)
    expect([sent.status, sent.headers.get('location')]).toEqual([307, editor])
    expect((await adam.submit(list, ASSESSMENT)).status).toBe(405)
  })

  it('for editing are 403 for learners, and 404 for unknown assessments and items', async () => {
    for (const path of [`${list}new`, editor, `${editor}/items/scale`, `${editor}/remove`])
      expect([path, (await uri.visit(path)).status]).toEqual([path, 403])
    expect((await adam.visit(`${list}edit/999999`)).status).toBe(404)
    expect((await adam.visit(`${editor}/items/999999`)).status).toBe(404)
  })
})

describe('A learner', () => {
  it('is addressed as "you" on their own page, which calls them "the learner" to others', async () => {
    const past = listedJourney(await html(adam, '/lljs/manage?status=completed'))
    const own = await uri.follow(await uri.visit(`/lljs/${past}/assessments/me`))
    const mine = main(own.html.replaceAll('<!-- -->', ''))
    expect(mine).toContain('Before: you')
    expect(mine).toContain('you see yourself than your sponsor does')
    expect(mine).toMatch(/Your sponsor: (<[^>]+>)*Submitted/)
    expect(mine).not.toMatch(/themselves/i)
    const theirs = main(await html(adam, own.path))
    expect(theirs).toContain('the learner sees themselves than the sponsor does')
    expect(theirs).toMatch(/Themselves: (<[^>]+>)*Submitted/)
  })
})

describe('People who are asked', () => {
  it('find the assessment on the dashboard, in the to-do list and in notifications', async () => {
    await until(async () => (await html(uri, '/todo')).includes('Where you start'))
    expect(main(await html(uri, list.replace('assessments/', 'learner')))).toMatch(
      /href="[^"]*assessments\/me"[^>]*>Your assessments/,
    )
    for (const place of ['/', '/todo', list])
      expect(main(await html(uri, place))).toContain('Where you start: how you see yourself')
    expect(main(await html(sam, '/todo'))).toContain('Where you start: how you see Uri Cohen')
    const told = await html(uri, '/notifications')
    const [, path = ''] = told.match(/href="([^"]*\/assessments\/me)"/) ?? []
    const { path: end, html: page } = await uri.follow(await uri.visit(path))
    expect(end).toBe(own)
    expect(plain(page)).toContain('Your assessments')
  })

  it('save a part, lose nothing through mistakes or an outdated window, and submit once', async () => {
    const asked = await html(uri, own)
    expect(asked).toContain('<title>Your assessments · Liftwell</title>')
    const page = main(asked)
    expect(page).toContain('and so can your sponsor if you have one, after submitting theirs.')
    const [scale = '', choice = '', text = ''] = ['scale', 'choice', 'text'].map(
      (kind) => new RegExp(`name="(${kind}:\\d+)"`).exec(page)?.[1] ?? '',
    )
    const form = {
      assessment: valueIn(page, 'assessment'),
      rater: 'self',
      revision: valueIn(page, 'revision'),
    }
    const wrong = await uri.submit(own, {
      ...{ ...form, intent: 'save', [scale]: '9', [text]: 'Time & quiet' },
    })
    const again = main(await wrong.text())
    expect(wrong.status).toBe(422)
    expect(again).toContain('Nothing has been saved yet')
    expect(again).toContain('Time &amp; quiet</textarea>')
    expect(again).toContain('up to 2,000 characters')
    expect((await uri.submit(own, { ...form, intent: 'save', is_admin: 'true' })).status).toBe(400)

    const half = await uri.follow(
      await uri.submit(own, { ...form, intent: 'save', [scale]: '4', [text]: '' }),
    )
    expect(plain(half.html)).toContain('Not submitted yet.')
    expect(main(half.html)).toMatch(/<input[^>]*checked=""[^>]*value="4"|<input[^>]*value="4"[^>]*checked=""/)
    expect(main(await html(uri, '/todo'))).toContain('Go on')
    // In a window that was opened earlier, a blank field removes no answer.
    const before = { ...form, answers_version: valueIn(page, 'answers_version') }
    const old = await uri.submit(own, { ...before, intent: 'submit', [scale]: '', [text]: 'A few words' })
    const both = main(await old.text())
    expect([old.status, both]).toEqual([409, expect.stringContaining('Other answers were saved')])
    expect(both).toMatch(/<input[^>]*checked=""[^>]*value="4"|<input[^>]*value="4"[^>]*checked=""/)
    expect(both).toContain('A few words</textarea>')
    const other = await uri.submit(own, { ...before, intent: 'submit', [scale]: '2' })
    expect(main(await other.text())).toContain('Saved in the meantime: 4')
    const seen = { ...form, answers_version: valueIn(both, 'answers_version') }
    const done = await uri.follow(
      await uri.submit(own, {
        ...seen,
        intent: 'submit',
        [scale]: '4',
        [choice]: 'b',
        [text]: 'Time & quiet',
      }),
    )
    expect(main(done.html)).toMatch(/4 of 5[\s\S]*Time &amp; quiet/)
    expect(main(await html(uri, '/todo'))).not.toContain('Where you start')
    const late = await uri.submit(own, { ...form, intent: 'submit', [scale]: '1' })
    expect([late.status, main(await late.text())]).toEqual([
      409,
      expect.stringContaining('submitted this already'),
    ])
  })

  it('read the learner’s answers only after submitting their own, if they are the sponsor', async () => {
    const before = main(await html(sam, own))
    expect(before).not.toContain('Time &amp; quiet')
    const scale = /name="(scale:\d+)"/.exec(before)?.[1] ?? ''
    const form = { assessment: valueIn(before, 'assessment'), rater: 'sponsor', revision: '1' }
    const done = await sam.follow(await sam.submit(own, { ...form, intent: 'submit', [scale]: '2' }))
    expect(main(done.html)).toMatch(/4 of 5[\s\S]*2 of 5[\s\S]*\+50/)
    expect(main(done.html)).toContain('Time &amp; quiet')
    expect(main(await html(sam, list))).toContain('Nothing to do right now')
    expect(main(await html(sam, list))).not.toContain('Assessed')
  })
})

describe('Authors', () => {
  it('see all learners side by side, and one learner item by item', async () => {
    const page = main(await html(adam, list))
    expect(page).toMatch(/Before: themselves[\s\S]*Before: sponsor/)
    expect(page).toContain('1 of 1 submitted, 88% on average')
    expect(page).toContain('data-label="Before: sponsor"')
    expect(main(await html(adam, own))).toMatch(
      /Item by item[\s\S]*4 of 5[\s\S]*Comments[\s\S]*Time &amp; quiet/,
    )
    expect((await uri.visit(`${own}9999`)).status).toBe(403)
  })

  it('open a form again with a reason, which the learner reads', async () => {
    const page = await html(adam, own)
    const [, reopen = ''] = page.match(/href="([^"]*\/reopen\/\d+\/self)"/) ?? []
    const empty = await adam.submit(reopen, { reason: ' ' })
    expect([empty.status, main(await empty.text())]).toEqual([
      400,
      expect.stringContaining('This field is required'),
    ])
    await adam.submit(reopen, { reason: 'You asked for it.' })
    const again = main(await html(uri, own))
    expect(again).toContain('Opened again: You asked for it.')
    expect(again).toContain('Time &amp; quiet</textarea>')
  })

  it('close an answered assessment after a question; late answers are refused, but shown', async () => {
    const page = main(await html(uri, own))
    const form = {
      assessment: valueIn(page, 'assessment'),
      rater: 'self',
      revision: valueIn(page, 'revision'),
    }
    const text = /name="(text:\d+)"/.exec(page)?.[1] ?? ''
    expect(main(await html(adam, `${editor}/remove`))).toContain('Close Where you start?')
    await adam.submit(`${editor}/remove`, {})
    expect(main(await html(adam, list))).toMatch(/Where you start[\s\S]*Closed/)
    expect(main(await html(uri, '/todo'))).not.toContain('Where you start')
    const late = await uri.submit(own, { ...form, intent: 'save', [text]: 'Too late & long' })
    const refused = main(await late.text())
    expect([late.status, refused.includes('answers are no longer taken')]).toEqual([409, true])
    expect(refused).toMatch(/<textarea[^>]*readonly[^>]*>Too late &amp; long<\/textarea>/)
  })
})
