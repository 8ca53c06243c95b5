/** Messages that may or may not have arrived: linked from their counts, and decided one by one or together. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  beside,
  html,
  onDay,
  openAuthoring,
  plain,
  valueIn,
} from '#tests/screens/journeys/authoring-world.ts'

const SCREEN = '/messages/unconfirmed'
const LEARNERS = ['uri', 'aya', 'eva']

let world: Awaited<ReturnType<typeof openAuthoring>>
let admin: pg.Client
let journey: Awaited<ReturnType<typeof world.draft>>
let lift: string
beforeAll(async () => {
  world = await openAuthoring()
  admin = await world.site.connectAdmin()
  journey = await world.draft('Lost at night', [{ title: 'Say it twice', ...onDay(9) }])
  lift = journey.lifts[0] ?? ''
  await world.launch(journey.schedule, LEARNERS)
})
afterAll(() => world?.site.close())

/** Makes the fate of all three messages unknown. */
beforeEach(async () => {
  const of = 'occurrence_id in (select id from occurrences where lift_id = $1)'
  await admin.query(`delete from dispatches where resend_of is not null and ${of}`, [lift])
  await admin.query(
    `update dispatches set state = 'planned', address = null, error_code = 'smtp:closed', sent_at = now(),
      next_attempt_at = '9999-12-31', attempts = 1 where ${of}`,
    [lift],
  )
  await admin.query(`update dispatches set state = 'unknown' where ${of}`, [lift])
  await admin.query(`update occurrences set due_at = now() - interval '1 minute' where lift_id = $1`, [lift])
  await admin.query(
    `update fact_occurrence set delivery = 'unknown', accepted_at = null, due_at = now() - interval '1 minute' where lift_id = $1`,
    [lift],
  )
})

const states = async () => {
  const { rows } = await admin.query(
    `select d.state from dispatches d join occurrences o on o.id = d.occurrence_id
      where o.lift_id = $1 and d.resend_of is null order by d.id`,
    [lift],
  )
  return rows.map(({ state }) => state)
}
const resent = async () => {
  const { rows } = await admin.query(
    `select d.state from dispatches d join occurrences o on o.id = d.occurrence_id
      where o.lift_id = $1 and d.resend_of is not null`,
    [lift],
  )
  return rows.map(({ state }) => state)
}
const idsIn = (page: string) => [
  ...new Set([...page.matchAll(/name="message_ids" value="(\d+)"/g)].map((found) => found[1] ?? '')),
]
const list = () => html(world.adam, beside(SCREEN, `lifts/${lift}`))
const decide = async (fields: Record<string, string | string[]>, query = `?lift=${lift}`) => {
  const answer = await world.adam.follow(await world.adam.submit(`${SCREEN}${query}`, fields))
  return plain(answer.html)
}

describe('Unconfirmed messages', () => {
  it('are counted on the schedule and in analytics, with links to their list', async () => {
    const card = await html(world.adam, journey.schedule)
    expect(card).toContain('0 of 3 sent · 3 unconfirmed')
    expect(card).toContain('3 messages may not have arrived.')
    expect(card).toContain(`href="${SCREEN}?lift=${lift}"`)
    const report = await html(world.adam, `/analytics?journey=${journey.id}`)
    expect(report).toMatch(new RegExp(`href="${SCREEN}\\?journey=${journey.id}"[^>]*>3 unconfirmed<`))
    expect(report).not.toMatch(/\d waiting/)
  })

  it('show recipient, lift, journey, channel and reason, but no number or address', async () => {
    const page = await list()
    for (const words of [
      'Uri ',
      'Say it twice',
      'Lost at night',
      'by e-mail',
      'The mail server gave no answer.',
    ])
      expect(page).toContain(words)
    expect(idsIn(page)).toHaveLength(3)
    expect(page.match(/name="intent" value="send_again"/g)).toHaveLength(3)
    expect(page.slice(page.indexOf('<table'), page.indexOf('</table>'))).not.toMatch(/@|\+43/)
    expect(await html(world.adam, `${SCREEN}?lift=999999`)).toContain('Every message is accounted for')
  })

  it('are counted as sent one by one, and only once', async () => {
    const [id = ''] = idsIn(await list())
    expect(await decide({ intent: 'arrived', message_ids: id })).toContain('1 message counted as sent')
    expect((await states()).toSorted()).toEqual(['accepted', 'unknown', 'unknown'])
    expect(await decide({ intent: 'arrived', message_ids: id })).toContain('Nothing changed')
  })

  it('are sent again one by one, and only once', async () => {
    const [id = ''] = idsIn(await list())
    expect(await decide({ intent: 'send_again', message_ids: id })).toContain('1 message sent again')
    expect(await decide({ intent: 'send_again', message_ids: id })).toContain('Nothing changed')
    await expect.poll(resent, { timeout: 20_000 }).toEqual(['delivered'])
  })

  it('are sent again together after a question that says what will happen', async () => {
    const [one = '', two = ''] = idsIn(await list())
    const question = `?lift=${lift}&ask=send_again&message_ids=${one}&message_ids=${two}`
    const page = await html(world.adam, `${SCREEN}${question}`)
    expect(page).toContain('Send 2 messages again?')
    expect(page).toContain('2 go out by e-mail.')
    expect(page).toContain('People who did get the first one get it twice.')
    expect(await states()).toEqual(['unknown', 'unknown', 'unknown'])
    expect(await decide({ intent: 'send_again', message_ids: [one, two] }, question)).toContain(
      '2 messages sent again',
    )
    expect((await states()).toSorted()).toEqual(['failed', 'failed', 'unknown'])
  })

  it('are decided all at once, except those that came after the question', async () => {
    const question = `?lift=${lift}&ask=arrived&all=true`
    const page = await html(world.adam, `${SCREEN}${question}`)
    expect(page).toContain('Did all 3 arrive?')
    const until = valueIn(page, 'until')
    await admin.query(`update dispatches set unknown_since = now() + interval '1 minute' where id = $1`, [
      idsIn(await list())[0],
    ])
    const said = await decide({ intent: 'arrived', all: 'true', until }, question)
    expect(said).toContain('2 messages counted as sent')
    expect((await states()).toSorted()).toEqual(['accepted', 'accepted', 'unknown'])
  })

  it('require a selection before they are decided together', async () => {
    const nothing = await world.adam.follow(await world.adam.visit(`${SCREEN}?ask=arrived`))
    expect(plain(nothing.html)).toContain('Please select at least one message')
    expect(await decide({ intent: 'arrived' })).toContain('Please select at least one message')
    expect((await world.adam.submit(SCREEN, { intent: 'burn', message_ids: '1' })).status).toBe(400)
  })

  it('can be counted as failed, but not sent again, when their journey is over', async () => {
    await admin.query(`update journeys set status = 'archived' where id = $1`, [journey.id])
    try {
      const page = await list()
      expect(page).toContain('The journey is over')
      expect(page).toContain('It did not arrive')
      expect(page).not.toMatch(/name="intent" value="send_again"/)
      const [id = ''] = idsIn(page)
      const question = await html(world.adam, `${SCREEN}?ask=send_again&message_ids=${id}`)
      expect(question).toContain('1 stays in the list: the journey is over.')
      expect(await decide({ intent: 'not_arrived', message_ids: id })).toContain(
        '1 message counted as failed',
      )
    } finally {
      await admin.query(`update journeys set status = 'active' where id = $1`, [journey.id])
    }
  })

  it('cannot be decided while the carrier is still being asked', async () => {
    await admin.query(
      `update dispatches set next_attempt_at = now() + interval '1 hour' where state = 'unknown'
        and occurrence_id in (select id from occurrences where lift_id = $1)`,
      [lift],
    )
    const page = await list()
    expect(page).toContain('The carrier is still being asked')
    expect(idsIn(page)).toEqual([])
  })

  it('are only for people who look after journeys', async () => {
    const uri = await world.site.visitor('uri@northwind.example')
    expect((await uri.visit(SCREEN)).status).toBe(403)
    expect((await uri.submit(SCREEN, { intent: 'arrived', message_ids: '1' })).status).toBe(403)
    const aya = await world.site.visitor('aya@northwind.example')
    expect(idsIn(await html(aya, SCREEN))).toEqual([])
    const stranger = await world.site.visitor()
    expect((await stranger.visit(SCREEN)).headers.get('location')).toContain('/login')
  })

  it('that failed are counted on the page that sends their lift again', async () => {
    await decide({ intent: 'not_arrived', all: 'true' })
    const page = await html(world.adam, beside(journey.schedule, `lifts/${lift}/send`))
    expect(page).toContain('3 people have not had it yet.')
    expect(page).toContain('Sending to 3 of them failed before.')
    const sent = await world.adam.submit(beside(journey.schedule, `lifts/${lift}/send`), {
      intent: 'send-now',
      key: valueIn(page, 'key'),
    })
    expect(plain((await world.adam.follow(sent)).html)).toContain('On its way to 3 people')
    await expect.poll(resent, { timeout: 20_000 }).toEqual(['delivered', 'delivered', 'delivered'])
  })
})
