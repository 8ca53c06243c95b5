/**
 * Lifts that a person sends: after a question, to everyone or some, once however often it is pressed, and as a test.
 */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, html, onDay, openAuthoring, plain, valueIn } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let admin: pg.Client
let running: Awaited<ReturnType<Awaited<ReturnType<typeof openAuthoring>>['draft']>>
beforeAll(async () => {
  world = await openAuthoring()
  admin = await world.site.connectAdmin()
  running = await world.draft('Sent by hand', [
    { title: 'Now or never', ...onDay(9) },
    { title: 'Another one', ...onDay(10) },
  ])
  await world.launch(running.schedule, ['uri', 'aya'])
})
afterAll(() => world?.site.close())

const membersIn = (page: string) => [...page.matchAll(/name="member_ids" value="(\d+)"/g)].map(([, id]) => id)
const sentTurns = async (lift: string | undefined) => {
  const { rows } = await admin.query(
    'select count(*)::int as n from occurrences where lift_id = $1 and by_hand',
    [lift],
  )
  return rows[0].n
}
const audited = async (lift: string | undefined) => {
  const { rows } = await admin.query(
    `select count(*)::int as n from audit_events where action = 'lift.sent' and subject_id = $1`,
    [lift],
  )
  return rows[0].n
}

/** The progress on the card of a lift. */
const progressOf = async (title: string) =>
  new RegExp(`${title}</a><span[^>]*>([^<]+)<`).exec(await html(world.adam, running.schedule))?.[1]

describe('Send now', () => {
  it('is offered for a ready lift, and says how many people it reaches, and how', async () => {
    const { schedule, lifts } = running
    expect(await html(world.adam, schedule)).toContain(`lifts/${lifts[0]}/send`)
    expect(await html(world.adam, beside(schedule, `lifts/${lifts[0]}`))).toContain(`lifts/${lifts[0]}/send`)
    const page = await html(world.adam, beside(schedule, `lifts/${lifts[0]}/send`))
    expect(page).toContain('Send “Now or never” now?')
    expect(page).toContain('2 people have not had it yet.')
    expect(await progressOf('Now or never')).toBe('Planned')
    expect(page).toMatch(/an e-mail, at once|a text/)
    expect(membersIn(page)).toHaveLength(2)
  })

  it('promises no e-mail to people who have stopped e-mails', async () => {
    const url = beside(running.schedule, `lifts/${running.lifts[0]}/send`)
    expect(plain(await html(world.adam, url))).toContain('2 get an e-mail, at once.')
    await admin.query(
      `insert into mail_stops (tenant_id, user_id, source) select u.tenant_id, u.id, 'profile' from users u join members m
        on m.user_id = u.id join lifts l on l.journey_id = m.journey_id where l.id = $1 and m.role = 'learner' limit 1`,
      [running.lifts[0]],
    )
    const page = plain(await html(world.adam, url))
    await admin.query('delete from mail_stops')
    expect(page).toContain('1 gets an e-mail, at once.')
    expect(page).toContain('1 has stopped e-mails, or theirs come back')
  })

  it('says for how many people a lift is held, and why', async () => {
    const { schedule, lifts } = running
    expect(await html(world.adam, schedule)).not.toContain('Held for')
    await admin.query(`update occurrences set state = 'held' where lift_id = $1`, [lifts[1]])
    await admin.query(
      `update dispatches set state = 'expired', error_code = 'too_late' where occurrence_id in
        (select id from occurrences where lift_id = $1)`,
      [lifts[1]],
    )
    await admin.query(`update fact_occurrence set state = 'held' where lift_id = $1`, [lifts[1]])
    expect(await html(world.adam, schedule)).toContain('Held for 2 people until somebody sends it.')
    const url = beside(schedule, `lifts/${lifts[1]}/send`)
    const late = plain(await html(world.adam, url))
    expect(late).toContain('It is held for 2 of them: it could not leave in time')
    expect(late).toContain('Nobody gets this lift twice.')
    await admin.query(`update dispatches set error_code = 'restored' where error_code = 'too_late'`)
    const restored = plain(await html(world.adam, url))
    expect(restored).toContain(
      'A backup was restored: 2 people may have had it before, and would get it again.',
    )
    expect(restored).not.toMatch(/have not had it yet|could not leave in time|Nobody gets this lift twice/)
  })

  it('sends to the selected people, and keeps the selection during a search', async () => {
    const { schedule, lifts } = running
    const url = beside(schedule, `lifts/${lifts[0]}/send`)
    const page = await html(world.adam, url)
    const [first = ''] = membersIn(page)
    const nobody = await world.adam.submit(url, { intent: 'send-chosen', __key__: valueIn(page, '__key__') })
    expect(nobody.status).toBe(422)
    expect(plain(await nobody.text())).toContain('Please select at least one person.')
    const looked = await html(world.adam, `${url}?member_ids=${first}&whom=nobody-is-called-so`)
    expect(looked).toMatch(new RegExp(`checked=""[^>]*value="${first}"|value="${first}"[^>]*checked=""`))
    const sent = await world.adam.submit(url, {
      intent: 'send-chosen',
      __key__: valueIn(page, '__key__'),
      member_ids: first,
    })
    const { html: after } = await world.adam.follow(sent)
    expect(plain(after)).toContain('On its way to 1 person')
    expect(await sentTurns(lifts[0])).toBe(1)
    await expect.poll(() => progressOf('Now or never'), { timeout: 20_000 }).toBe('Sending')
  })

  it.each(['%00', '%E2%80%AEx'])('opens with a search that nobody can match: %s', async (words) => {
    const { schedule, lifts } = running
    for (const page of [`lifts/${lifts[1]}/send?whom=`, 'people/add?people='])
      expect((await world.adam.visit(`${beside(schedule, page)}${words}`)).status).toBe(200)
  })

  it('sends to everyone who is left once, even if it is pressed twice', async () => {
    const { schedule, lifts } = running
    const url = beside(schedule, `lifts/${lifts[1]}/send`)
    const __key__ = valueIn(await html(world.adam, url), '__key__')
    const fields = { intent: 'send-now', __key__ }
    const answers = [await world.adam.submit(url, fields), await world.adam.submit(url, fields)]
    for (const answer of answers) expect(answer.headers.get('location')).toBe(schedule)
    const said = plain((await world.adam.follow(answers[1] as Response)).html)
    expect(said).toContain('On its way to 2 people')
    expect(said).toContain('You pressed twice. It was done once.')
    expect(await sentTurns(lifts[1])).toBe(2)
    expect(await audited(lifts[1])).toBe(1)
    await expect.poll(() => progressOf('Another one'), { timeout: 20_000 }).toBe('Sent')
  })

  it('is not offered while the journey is paused, and says why if it is still pressed', async () => {
    const { schedule, lifts } = running
    const url = beside(schedule, `lifts/${lifts[0]}/send`)
    await world.adam.submit(`${schedule}/pause`, {})
    expect(await html(world.adam, schedule)).not.toContain('/send"')
    expect(await html(world.adam, url)).not.toContain('Send “Now or never” now?')
    const late = await world.adam.submit(url, { intent: 'send-now' })
    expect(late.status).toBe(409)
    expect(plain(await late.text())).toContain('You can send lifts only while their journey is running.')
    await world.adam.submit(`${schedule}/resume`, { mode: 'shift' })
  })

  it('is a 404 for a learner', async () => {
    const uri = await world.site.visitor('uri@northwind.example')
    const url = beside(running.schedule, `lifts/${running.lifts[0]}/send`)
    expect((await uri.submit(url, { intent: 'send-now' })).status).toBe(404)
  })
})

describe('Sending to thousands of people', () => {
  it('says to how many people the lift is being sent', async () => {
    const { schedule, lifts } = await world.draft('A whole town', [{ title: 'For all', ...onDay(9) }])
    await world.launch(schedule, ['uri'])
    await admin.query(
      `with people as (insert into users (tenant_id, email, activation_status)
         select tenant_id, n || '@town.example', 'active' from journeys, generate_series(1, 2000) n
         where id = (select journey_id from lifts where id = $1) returning tenant_id, id)
       insert into members (tenant_id, journey_id, user_id, role, state)
       select p.tenant_id, l.journey_id, p.id, 'learner', 'active' from people p, lifts l where l.id = $1`,
      [lifts[0]],
    )
    const url = beside(schedule, `lifts/${lifts[0]}/send`)
    const __key__ = valueIn(await html(world.adam, url), '__key__')
    const answer = await world.adam.submit(url, { intent: 'send-now', __key__ })
    const page = plain((await world.adam.follow(answer)).html)
    expect(page).toContain('Sending to 2,001 people')
    expect(page).not.toContain('On its way')
  })
})

describe('A test of a lift', () => {
  const url = () => beside(running.schedule, `lifts/${running.lifts[0]}/test`)

  it('is sent to each number once when its form is sent twice', async () => {
    expect(await html(world.adam, beside(running.schedule, `lifts/${running.lifts[0]}`))).toContain(
      'Send a test',
    )
    const __key__ = valueIn(await html(world.adam, url()), '__key__')
    const fields = { __key__, phones: '+43 664 1234567\n+41 79 123 45 67' }
    const other = await world.adam.submit(url(), { __key__, phones: '+43 664 7654321' })
    expect(plain(await other.text())).toContain('+436647654321: on its way.')
    for (const answer of [await world.adam.submit(url(), fields), await world.adam.submit(url(), fields)]) {
      const page = plain(await answer.text())
      expect([answer.status, page.includes('+436641234567: on its way.')]).toEqual([200, true])
      expect(page).toContain('+41791234567: on its way.')
    }
    const { rows } = await admin.query(
      `select count(*)::int as n from audit_events where action = 'lift.test_sent' and subject_id = $1`,
      [running.lifts[0]],
    )
    expect(rows[0].n).toBe(2)
  })

  it('keeps the typed numbers when one is invalid, there are too many, or tests are too frequent', async () => {
    const wrong = await world.adam.submit(url(), { phones: '+436641234567\n12 34' })
    const page = plain(await wrong.text())
    expect(wrong.status).toBe(400)
    expect(page).toContain('“12 34” is not a phone number')
    expect(page).toContain('+436641234567\n12 34</textarea>')
    const many = await world.adam.submit(url(), {
      phones: Array.from({ length: 6 }, (_, n) => `+43664123456${n}`).join('\n'),
    })
    expect(plain(await many.text())).toContain('Please use at most 5 numbers')
    let last = many
    for (let n = 0; n < 12 && last.status !== 429; n++)
      last = await world.adam.submit(url(), { phones: '+436641234567' })
    expect(last.status).toBe(429)
    const refused = plain(await last.text())
    expect(refused).toContain('Too many requests.')
    expect(refused).toContain('+436641234567</textarea>')
  })
})
