/** The schedule of a journey without JavaScript: looked ahead, paused, resumed, ended; and its learner's view. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
let adam: Visitor
let uri: Visitor
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  uri = await site.visitor('uri@northwind.example')
})
afterAll(() => site?.close())

async function html(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.visit(path)
  expect([path, response.status]).toEqual([path, 200])
  return (await response.text()).replaceAll('<!-- -->', '')
}

describe('A running journey', () => {
  let schedule = ''

  it('is looked at from any day, with the reason of every time', async () => {
    const list = await html(adam, '/lljs/manage?status=active')
    schedule = /\/lljs\/\d+\/schedule/.exec(list)?.[0] ?? ''
    expect(await html(adam, schedule)).toContain('Who gets what, when')
    const page = await html(adam, `${schedule}?preview=true&as_of=2028-02-29&user=`)
    expect(page).toContain('Why at that time')
    expect(page).toMatch(/<option value="\d+"/)
    expect(page).not.toContain('There is no such day')
    for (const day of ['never', '2027-02-29'])
      expect(await html(adam, `${schedule}?preview=true&as_of=${day}&user=x&ask=explode`)).toContain(
        'There is no such day',
      )
  })

  it('is paused, resumed, completed and archived, each after a question', async () => {
    for (const [step, question, fields, state] of [
      ['pause', 'Nothing is sent until it goes on', {}, 'Paused'],
      ['resume', 'What fell into the pause', { mode: 'skip' }, ''],
      ['complete', 'What has not been sent is cancelled', {}, 'Completed'],
      ['archive', 'readable, and never sent again', {}, 'Archived'],
    ] as const) {
      expect(await html(adam, `${schedule}?ask=${step}`)).toContain(question)
      const answer = await adam.submit(schedule, { intent: step, ...fields })
      expect([step, answer.status]).toEqual([step, 302])
      expect(await html(adam, schedule)).toContain(state)
    }
    await adam.submit(schedule, { intent: 'pause' })
    expect(await html(adam, schedule)).toContain('Nothing changed')
  })

  it('is refused to whoever does not write it', async () => {
    expect((await uri.submit(schedule, { intent: 'pause' })).status).toBe(403)
    expect((await uri.visit(`${schedule}?preview=true`)).status).toBe(403)
  })
})

describe('A learner', () => {
  it('sees the whole journey: what came, what waits, what is to come', async () => {
    const { accounts } = site
    for (const { email } of accounts.filter((one) => one.role === 'user')) {
      const learner = await site.visitor(email)
      const id = /\/lljs\/(\d+)\/learner/.exec(await html(learner, '/learner'))?.[1]
      if (!id) continue
      expect(await html(learner, `/lljs/${id}/learner`)).toMatch(/\d+ of\s*\d+ completed/)
      expect((await learner.visit('/lljs/999999/learner')).status).toBe(404)
      return
    }
    throw new Error('No learner of the demo has a journey.')
  })
})
