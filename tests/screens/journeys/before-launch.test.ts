/** The steps between a draft and its launch, and who can create a draft: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asAdmin } from '#tests/support/postgres.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { beside, dateIn, html, onDay, openAuthoring, valueIn, words } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let adam: Visitor
beforeAll(async () => {
  world = await openAuthoring()
  adam = world.adam
})
afterAll(() => world?.site.close())

async function addLearner(schedule: string, name: string) {
  const dialog = await html(adam, `${beside(schedule, 'people/add')}?people=${name}`)
  const [, user = ''] = dialog.match(/name="user_ids" value="(\d+)"/) ?? []
  await adam.submit(beside(schedule, 'people/add'), { intent: 'add-members', user_ids: user })
}
const launch = (schedule: string, skip_past: boolean) =>
  adam.submit(`${schedule}/launch`, {
    expected_recipients: '1',
    skip_past: String(skip_past),
    send_now: 'true',
  })

describe('A lift whose time is past', () => {
  it('is named with the others that are past, with a choice to skip or send them', async () => {
    const { schedule } = await world.draft('Both past', [
      { title: 'First', ...onDay(-3) },
      { title: 'Second', ...onDay(-2) },
    ])
    await addLearner(schedule, 'uri')
    const page = await html(adam, schedule)
    expect(page).toContain('The time of “First”, “Second” has passed. Skip them, or send them?')
    for (const choice of ['Launch and skip them', 'Launch and send them']) expect(page).toContain(choice)
  })

  it('is not listed among what is missing before the launch', async () => {
    const { schedule } = await world.draft('Nobody yet', [{ title: 'Past', ...onDay(-3) }])
    const page = await html(adam, schedule)
    const [, missing = '', more = ''] = /Before you can launch:<\/p>(<ul.*?<\/ul>)(.*)/s.exec(page) ?? []
    expect([missing.match(/<li>/g)?.length, missing.includes('Add at least one learner.')]).toEqual([1, true])
    expect(more).toMatch(/or decide at the launch.*The time of “Past” has passed\./s)
  })

  it('is skipped or sent now, as the author chooses', async () => {
    for (const skip of [true, false]) {
      const name = skip ? 'Skips the past' : 'Sends the past'
      const lifts = [
        { title: `${name} A`, ...onDay(-2) },
        { title: `${name} B`, ...onDay(9) },
      ]
      const { schedule, id } = await world.draft(name, lifts)
      await addLearner(schedule, 'uri')
      const page = await html(adam, schedule)
      expect(page).toContain(`The time of “${name} A” has passed. Skip it, or send it?`)
      expect(page).toContain('Launch and skip it')
      expect(page).toContain('Launch and send it')
      expect(valueIn(await html(adam, `${schedule}/launch?past=skip`), 'skip_past')).toBe('true')
      expect(valueIn(await html(adam, `${schedule}/launch`), 'skip_past')).toBe('false')
      await launch(schedule, skip)
      const uri = await world.site.visitor('uri@northwind.example')
      const own = await html(uri, `/lljs/${id}/learner`)
      expect([name, own.includes(`${name} A`)]).toEqual([name, !skip])
      expect(own).toContain(`${name} B`)
    }
  })
})

describe('The question before the launch', () => {
  it('says that lifts do not wait for the journey’s start, and how many learners have no time zone', async () => {
    const { schedule, id } = await world.draft('Starts later', [{ title: 'Welcome', when: 'launch' }])
    await addLearner(schedule, 'uri')
    await asAdmin(world.site.adminUrl, `update users set timezone = null where email like 'uri@%'`)
    const said = async () => words(await html(adam, `${schedule}/launch`))
    expect(await said()).not.toContain('do not wait')
    const start = `update journeys set start_on = '${dateIn(9)}' where id = ${id}`
    await asAdmin(world.site.adminUrl, start)
    expect(await said()).toMatch(/They do not wait for the journey’s start on \w+ \d+, \d+\./)
    expect(await said()).toContain(
      '1 learner has no time zone: the company’s is used, with longer quiet hours.',
    )
  })
})

describe('A lift on a day without sending', () => {
  it('shows the day on which it comes, beside its own date and time', async () => {
    const saturday = dateIn(20 - new Date().getUTCDay())
    const { schedule, id, lifts } = await world.draft('Weekdays', [
      { title: 'Weekend', when: 'date', date: saturday, time: '12:00' },
    ])
    const days = `update journeys set send_days = '{Mon,Tue,Wed,Thu,Fri}' where id = ${id}`
    await asAdmin(world.site.adminUrl, days)
    expect(words(await html(adam, schedule))).toMatch(/Sat, \w+ \d+(, \d+)? at 12:00 PM · 0 questions/)
    const kept = 'People who have this lift already keep it as it was sent; changes reach everyone else.'
    const page = beside(schedule, `lifts/${lifts[0]}`)
    expect(await html(adam, page)).not.toContain(kept)
    await world.launch(schedule, ['uri'])
    expect(await html(adam, page)).toContain(kept)
    expect(words(await html(adam, schedule))).toMatch(
      /Mon, \w+ \d+(, \d+)? · On \w+ \d+, \d+ at 12:00 PM · 0 questions/,
    )
  })
})
