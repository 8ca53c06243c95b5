/** Questions, messages and typed text on the pages of journeys: no action ends on an unrelated screen. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, html, onDay, openAuthoring, plain, valueIn } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let admin: pg.Client
let draft: Awaited<ReturnType<Awaited<ReturnType<typeof openAuthoring>>['draft']>>
beforeAll(async () => {
  world = await openAuthoring()
  admin = await world.site.connectAdmin()
  draft = await world.draft('Said on the page', [{ title: 'Only one', ...onDay(9) }])
})
afterAll(() => world?.site.close())

describe('An objective', () => {
  it('is deleted after a question, and a second deletion says that it was already removed', async () => {
    const { adam } = world
    const list = beside(draft.schedule, 'objectives')
    await adam.submit(list, { code: 'LO9', text: 'Say no kindly' })
    const page = await html(adam, list)
    expect(page.match(/<form[^>]*method="post"[^>]*objectives/g) ?? []).toHaveLength(1)
    const id = /objectives\/(\d+)\/remove/.exec(page)?.[1] ?? ''
    const question = await html(adam, `${list}/${id}/remove`)
    expect(question).toContain('Delete LO9?')
    const fields = { lock_version: valueIn(question, 'lock_version') }
    const gone = await adam.follow(await adam.submit(`${list}/${id}/remove`, fields))
    expect(plain(gone.html)).toContain('Objective deleted')
    const again = await adam.follow(await adam.submit(`${list}/${id}/remove`, fields))
    expect(plain(again.html)).toContain('Already removed')
  })
})

describe('A draft that was launched in the meantime', () => {
  it('is not deleted, and the list says so', async () => {
    const { adam } = world
    const other = await world.draft('Launched meanwhile', [{ title: 'One', ...onDay(9) }])
    await html(adam, `/lljs/manage/${other.id}/delete`)
    await world.launch(other.schedule, ['uri'])
    const answer = await adam.submit(`/lljs/manage/${other.id}/delete`, {})
    expect(answer.headers.get('location')).toBe('/lljs/manage')
    expect(plain((await adam.follow(answer)).html)).toContain('Not deleted')
  })
})

describe('The author of a journey', () => {
  const offered = (page: string) =>
    [...page.matchAll(/<option value="\d+"[^>]*>([^<]+)</g)].map(([, name]) => name)

  it('is found by name among authors and administrators, and the current one stays offered', async () => {
    const { adam } = world
    const dialog = `/lljs/manage/${draft.id}/author`
    const [present = '', ...others] = offered(await html(adam, dialog))
    expect(others.length).toBeGreaterThan(0)
    await admin.query(
      `insert into users (tenant_id, email, first_name, last_name)
       select tenant_id, 'many' || n || '@northwind.example', 'Aa', 'Aaa' || n
       from journeys, generate_series(1, 101) n where id = $1`,
      [draft.id],
    )
    await admin.query(
      `insert into user_general_roles (tenant_id, user_id, role)
       select tenant_id, id, 'author' from users where email like 'many%@northwind.example'`,
    )
    const many = await html(adam, dialog)
    expect(offered(many)[0]).toBe(present)
    expect(many).toContain('Find an author')
    expect(offered(await html(adam, `${dialog}?writer=Aaa101`))).toEqual([present, 'Aa Aaa101'])
    await admin.query(
      `update users set activation_status = 'disabled' where email = 'many101@northwind.example'`,
    )
    expect(offered(await html(adam, `${dialog}?writer=Aaa101`))).toEqual([present])
    const nobody = await html(adam, `${dialog}?writer=no-such-person`)
    expect(nobody).toContain('No author or administrator matches “no-such-person”.')
    expect(offered(nobody)).toEqual([present])
  })
})

describe('A preview of the schedule for an unknown learner', () => {
  it('says that nobody matches, and shows no other learner', async () => {
    const { adam } = world
    const other = await world.draft('Looked at', [{ title: 'Seen by one', ...onDay(9) }])
    await world.launch(other.schedule, ['uri'])
    const page = await html(adam, `${other.schedule}/preview?who=no-such-person`)
    expect(page).toContain('Nobody matches “no-such-person”')
    expect(page).not.toContain('>Reason<')
    expect(await html(adam, `${other.schedule}/preview?who=uri`)).toContain('>Reason<')
  })
})

describe('The schedule', () => {
  it('says how lifts are sent, when quiet hours are, and where to change them', async () => {
    const page = await html(world.adam, draft.schedule)
    expect(page).toMatch(/3 min · by [^<]*e\u2011mail/)
    expect(page).toMatch(
      /Quiet hours are 8:00 PM to 9:00 AM[^.]*longer for learners who have not set a time zone/,
    )
    expect(page).toMatch(/href="\/settings\/company">Change the quiet hours/)
    await admin.query(
      `update journeys set status = 'completed', start_on = '2026-03-09', default_send_time = '14:30' where id = $1`,
      [draft.id],
    )
    expect(await html(world.adam, draft.schedule), 'nothing leaves any more').not.toContain('Quiet hours are')
    const facts = await html(world.adam, `/lljs/${draft.id}/details`)
    for (const name of ['Learners are reached by', 'Reminders', 'New learners', 'Time zone'])
      expect(facts).toContain(name)
    expect(facts).toContain('<dt>Starts on</dt><dd>Mar 9, 2026</dd>')
    expect(facts).toContain('<dt>Usual time of day</dt><dd>2:30 PM</dd>')
  })
})

describe('An answer to a lift that is not the learner’s', () => {
  it('is a 404 that shows what was typed', async () => {
    const uri = await world.site.visitor('uri@northwind.example')
    // A lift that is not theirs, or no longer, answers 404.
    const answer = await uri.submit(`/lift/${draft.lifts[0]}`, { 'answer:1:long_text': 'My long thought' })
    const page = plain(await answer.text())
    expect(answer.status).toBe(404)
    expect(page).toContain('This could not be accepted')
    expect(page).toContain('>My long thought</textarea>')
  })
})

it('The details of a journey name errors by the labels of their fields', async () => {
  const wrong = { name: 'Said', lock_version: '0', grace_days: '0', 'reminders[0].after_hours': '0' }
  const answer = await world.adam.submit(beside(draft.schedule, 'details'), wrong)
  expect(answer.status).toBe(400)
  const page = plain(await answer.text())
  for (const name of ['Sending days', 'Learners are reached by', 'Reminder 1, hours after the lift'])
    expect(page.split(name).length - 1, name).toBe(2)
})

it('The learner’s view of a journey without lifts does not promise its author any', async () => {
  const { schedule } = await world.draft('Without lifts', [])
  const page = plain(await html(world.adam, beside(schedule, 'learner')))
  expect(page).toContain('Lifts that are ready appear here.')
  expect(page).not.toContain('planned for you')
})
