/** The schedule of a journey without JavaScript: preview, pause, resume, end; and its learner's view. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listedJourney } from '#tests/support/listed-journey.ts'
import { withAdmin } from '#tests/support/postgres.ts'
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

describe('The schedule of a journey', () => {
  let schedule = ''

  it('is previewed from any day, with the reason for every time', async () => {
    schedule = `/lljs/${listedJourney(await html(adam, '/lljs/manage?status=active'))}/schedule`
    expect(await html(adam, schedule)).toContain('Preview schedule')
    const page = await html(adam, `${schedule}/preview?as_of=2028-02-29&user=`)
    expect(page).toContain('>Reason<')
    expect(page).toMatch(/<option value="\d+"/)
    expect(page).not.toContain('There is no such day')
    // Three of its four lifts have been sent.
    expect(await html(adam, `${schedule}/preview`)).toContain('1 lift goes by e-mail')
    for (const day of ['never', '2027-02-29'])
      expect(await html(adam, `${schedule}/preview?as_of=${day}&user=x&ask=explode`)).toContain(
        'There is no such day',
      )
  })

  it('pauses, resumes, completes and archives the journey, each after a question', async () => {
    for (const [step, question, fields, state] of [
      ['pause', 'No lift or reminder is sent until you resume it', {}, 'Paused'],
      ['resume', 'moves by as long as the pause lasted', { mode: 'skip' }, ''],
      ['complete', 'what they got for another 7 days; then its lifts close', {}, 'Completed'],
      ['archive', 'Archived journeys are read-only: nothing more is sent', {}, 'Archived'],
    ] as const) {
      expect(await html(adam, `${schedule}/${step}`)).toContain(question)
      const answer = await adam.submit(`${schedule}/${step}`, fields)
      expect([step, answer.status]).toEqual([step, 302])
      expect(await html(adam, schedule)).toContain(state)
      const again = await adam.follow(await adam.submit(`${schedule}/${step}`, fields))
      expect(again.html).toContain(`Already ${step === 'resume' ? 'resumed' : state.toLowerCase()}`)
      expect(again.html).not.toContain('Nothing changed')
    }
    // These actions are no longer possible, even from a page that was open before.
    const told = await adam.follow(await adam.visit(schedule.replace('schedule', 'people/add')))
    expect(told.path).toBe(schedule)
    expect(told.html).toContain('This journey is archived')
    const [, lift] = /\/lift\/t\/(\d+)/.exec(told.html) ?? []
    for (const page of ['send', 'remind'])
      expect(await html(adam, schedule.replace('schedule', `lifts/${lift}/${page}`))).toContain(
        'while the journey is running',
      )
    // Only people who can create journeys can copy one, even if they are its author.
    const copy = schedule.replace(/lljs\/(\d+)\/schedule/, 'lljs/manage/$1/duplicate')
    expect(await html(adam, schedule)).toContain(`href="${copy}"`)
    const aya = await site.visitor('aya@northwind.example')
    await withAdmin(site.adminUrl, async (admin) => {
      await admin.query(
        `update journeys set author_id = (select id from users where email = 'aya@northwind.example') where id = $1`,
        [schedule.split('/')[2]],
      )
      await admin.query(`update tenants set settings = settings || '{"authors_may_create_drafts": false}'`)
    })
    const own = await html(aya, schedule)
    expect([own.includes('read-only'), own.includes('copy it')]).toEqual([true, false])
    await adam.submit(`${schedule}/pause`, {})
    expect(await html(adam, schedule)).toContain('Nothing changed')
  })

  it('says of a draft that it can only be copied once it is archived', async () => {
    const draft = listedJourney(await html(adam, '/lljs/manage?status=draft'))
    const question = await html(adam, `/lljs/${draft}/schedule/archive`)
    expect(question).toContain('this one can never be launched, only copied')
    expect(question).not.toContain('what they got')
  })

  it('is refused to a learner', async () => {
    expect((await uri.submit(`${schedule}/pause`, {})).status).toBe(403)
    expect((await uri.visit(`${schedule}/preview`)).status).toBe(403)
  })
})

describe('A learner', () => {
  it('sees how many lifts of a journey are completed, and gets a 404 for an unknown journey', async () => {
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
