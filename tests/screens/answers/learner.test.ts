/** A learner's pages before, between and after their lifts: without JavaScript. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dateIn, html, onDay, openAuthoring } from '#tests/screens/journeys/authoring-world.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const READ = { completion_rule: 'viewed_and_confirmed' }

let world: Awaited<ReturnType<typeof openAuthoring>>
let admin: pg.Client
let uri: Visitor
let id = ''
let lifts: string[] = []

beforeAll(async () => {
  world = await openAuthoring()
  admin = await world.site.connectAdmin()
  uri = await world.site.visitor('uri@northwind.example')
  const made = await world.draft('Listening well', [
    { title: 'Look up', ...onDay(-3), ...READ },
    { title: 'Say it back', ...onDay(-2), ...READ },
    { title: 'Name the feeling', ...onDay(9), ...READ },
  ])
  id = made.id
  lifts = made.lifts
  await admin.query(`update users set timezone = 'Asia/Tokyo' where email = 'uri@northwind.example'`)
  await world.launch(made.schedule, ['uri'])
  await moved(0, '2 hours')
  await moved(1, '4 days')
})
afterAll(() => world?.site.close())

const moved = (lift: number, by: string) =>
  admin.query(`update occurrences set state = 'sent', due_at = now() - $2::interval where lift_id = $1`, [
    lifts[lift],
    by,
  ])

async function confirm(lift: string): Promise<string> {
  const { html: page } = await uri.follow(await uri.submit(`/lift/${lift}`, { complete: 'true' }))
  return words(page)
}
/** Noon in the learner's zone, on the day for which the lift was scheduled. */
const noon = (days: number) =>
  `${new Date(`${dateIn(days)}T12:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })}, 12:00 PM`
const words = (page: string) =>
  page
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
/** The text of a section of a page. */
const section = (page: string, name: string) =>
  words(new RegExp(`aria-labelledby="${name}">(.*?)</section>`, 's').exec(page)?.[1] ?? '')

describe('A learner', () => {
  it('sees waiting and overdue lifts, and what comes next in their own time zone', async () => {
    const page = await html(uri, '/learner')
    const waiting = section(page, 'waiting')
    expect(waiting).toMatch(/Look up\s*Listening well, about 3 minutes\s*(Go on|Start)/)
    expect(waiting).toMatch(/Say it back\s*Listening well, about 3 minutes Overdue/)
    const running = section(page, 'running')
    expect(running).toContain('Times are those of Asia/Tokyo.')
    expect(running).toMatch(new RegExp(`Listening well.*0 of 3.*Name the feeling, ${noon(9)}`))
    const home = await html(uri, '/')
    expect(section(home, 'waiting')).toMatch(/Say it back\s*Listening well, about 3 minutes Overdue/)
    expect(section(home, 'journeys')).toContain(`Next: Name the feeling, ${noon(9)}`)
    expect(words(await html(uri, '/todo'))).toContain('Overdue')
  })

  it('is led from a completed lift to the waiting one, then told when the next one comes', async () => {
    const first = await confirm(lifts[0] ?? '')
    expect(first).toContain('Done. Next: Say it back. Open it')
    expect(await html(uri, `/lift/${lifts[0]}`)).toMatch(new RegExp(`href="/lift/${lifts[1]}"[^>]*>Open it`))
    expect(await confirm(lifts[1] ?? '')).toContain(`Done. Next: Name the feeling, ${noon(9)}.`)
  })

  it('sees no time of the next lift while the journey is paused', async () => {
    await admin.query(`update journeys set status = 'paused' where id = $1`, [id])
    expect(words(await html(uri, `/lift/${lifts[1]}`))).toContain('Next: Name the feeling, later.')
    expect(section(await html(uri, '/learner'), 'running')).toMatch(/Listening well.*Paused at the moment/)
    await admin.query(`update journeys set status = 'active' where id = $1`, [id])
  })

  it('finds a journey among the finished ones once all its lifts are done, or it is over', async () => {
    expect(section(await html(uri, '/learner'), 'past')).not.toContain('Listening well')
    await moved(2, '1 hour')
    expect(await confirm(lifts[2] ?? '')).toContain('Done. Nothing else is waiting in this journey.')
    const page = await html(uri, '/learner')
    expect(section(page, 'past')).toMatch(/Listening well.*3 of 3.*Finished/)
    expect(section(page, 'running')).not.toContain('Listening well')
    await admin.query(`update occurrences set state = 'sent', completed_at = null where lift_id = $1`, [
      lifts[2],
    ])
    expect(section(await html(uri, '/learner'), 'running')).toContain('Listening well')
    await admin.query(`update journeys set status = 'completed', answers_until = now() where id = $1`, [id])
    expect(section(await html(uri, '/learner'), 'past')).toMatch(
      /Listening well.*2 of 3.*Closed: the rest can no longer be answered/,
    )
  })
})
