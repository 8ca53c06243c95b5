/** The reports of the demo's running journey, without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '#tests/screens/journeys/authoring-world.ts'
import { listedJourney } from '#tests/support/listed-journey.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
let adam: Visitor
let journey = ''
let lift = ''
let learner = ''
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  journey = listedJourney(await html(adam, '/lljs/manage?status=active'))
  lift = /lift=(\d+)/.exec(await html(adam, `/analytics?type=by_lift&journey=${journey}`))?.[1] ?? ''
  learner = /user=(\d+)/.exec(await html(adam, `/analytics?type=by_user&journey=${journey}`))?.[1] ?? ''
})
afterAll(() => site?.close())

/** The "9 of 14" of a figure's tile. */
const tileOf = (page: string, name: string): [number, number] => {
  const [, n, d] = new RegExp(`aria-label="${name}: ([\\d,]+) of ([\\d,]+)"`).exec(page) ?? []
  return [Number(n), Number(d)]
}
const rangeOf = (page: string) => Number(/pager-range">[\d,-]+ of ([\d,]+)</.exec(page)?.[1] ?? 0)
const bodyRows = (page: string, caption: string): string[] => {
  const [, table = ''] = page.split(`>${caption}</caption>`)
  const [, body = ''] = table.split('</table>')[0]?.split('</thead>') ?? []
  return body.split('<tr').slice(1)
}

describe('The overview of a journey', () => {
  it('says under each figure what it counts, and links to the rows behind it', async () => {
    const page = await html(adam, `/analytics?journey=${journey}`)
    for (const line of [
      'a message was sent',
      'the carrier confirmed it',
      'an answer came',
      'the learner finished it',
    ])
      expect(page).toContain(line)
    for (const [figure, name] of [
      ['coverage', 'Sent'],
      ['response', 'Answered'],
      ['completion', 'Completed'],
    ] as const) {
      const [n, d] = tileOf(page, name)
      expect(d).toBeGreaterThan(n)
      expect(page).toContain(`figure=${figure}&amp;outcome=no&amp;journey=${journey}"`)
      const missing = await html(adam, `/analytics/explain?figure=${figure}&outcome=no&journey=${journey}`)
      expect([figure, rangeOf(missing)]).toEqual([figure, d - n])
    }
  })

  it('links failed messages on the schedule to their learners and reasons', async () => {
    const schedule = (await html(adam, '/lljs/1/schedule')).replaceAll('<!-- -->', '')
    const [, href = ''] = /href="([^"]*)"[^>]*>1 failed: why/.exec(schedule) ?? []
    const page = await html(adam, href.replaceAll('&amp;', '&'))
    expect(page).toMatch(/Failed.*?The mailbox is full/)
    const list = await html(adam, '/analytics/explain?figure=coverage&outcome=yes&journey=1')
    expect(list).not.toContain('The mailbox is full')
  })

  it('names each download by its format and content', async () => {
    const page = await html(adam, '/analytics')
    const named = page.match(/(Excel|CSV)<span class="hidden-words"> of the (table|chart)<\/span>/g)
    expect(new Set(named).size).toBe(4)
  })

  it('says that there is nothing to count when nothing was due', async () => {
    const path = `/analytics/explain?journey=${journey}&from=2001-01-01&to=2001-01-02`
    const page = (await html(adam, path)).replaceAll('<!-- -->', '')
    expect(page).toContain('Nothing to count, as of ')
    expect(page).not.toContain('0 of 0')
  })

  it('shows the formula of a figure only above the rows that it counts', async () => {
    const rows = (outcome: string) => html(adam, `/analytics/explain?figure=completion&outcome=${outcome}`)
    expect(await rows('no')).toContain('Counted: ')
    expect(await rows('behind')).not.toContain('Counted: ')
  })

  it('clears all filters of the rows behind a figure with one link', async () => {
    const page = await html(
      adam,
      `/analytics/explain?figure=open&outcome=no&journey=${journey}&from=2026-01-01&q=a`,
    )
    const links = [...page.matchAll(/href="([^"]*)"[^>]*>Clear all</g)].map((found) => found[1])
    expect(links).toEqual(['/analytics/explain?figure=open'])
  })

  it('gives each chart a sentence, and a table with the same figures', async () => {
    const page = await html(adam, `/analytics?journey=${journey}`)
    const drawings = page.match(/<svg class="chart-drawing"[^>]*>/g) ?? []
    expect(drawings.length).toBeGreaterThanOrEqual(3)
    for (const drawing of drawings) expect(drawing).toMatch(/role="img" aria-label="[^"]+The table beside it/)
    expect(page).toMatch(/<h2 id="timing" class="chart-title">\d+% answered within a day<\/h2>/)
    const [n, d] = tileOf(page, 'Completed')
    expect(bodyRows(page, 'How many of what was due got how far').at(-1)).toContain(`<td>${n}</td>`)
    const weeks = bodyRows(page, 'Answered and completed by the week in which lifts were due')
    const due = weeks.map((row) => Number(/<td>(\d+)<\/td>/.exec(row)?.[1]))
    expect(due.reduce((sum, one) => sum + one, 0)).toBe(d)
    expect(page).toMatch(/<title>Week of [^<]+: Answered \d+% \(\d+ of \d+\)<\/title>/)
  })

  it('shows each learner by each lift, with as many completed cells as completions', async () => {
    const page = await html(adam, `/analytics?journey=${journey}`)
    const rows = bodyRows(page, 'How far each learner is with each lift')
    const completed = rows.join('').match(/data-cell="completed"/g) ?? []
    expect(completed.length).toBe(tileOf(page, 'Completed')[0])
    expect(rows[0]).toContain(`type=by_user&amp;journey=${journey}`)
  })

  it('writes percentages without a space', async () => {
    for (const type of ['overview', 'by_user', 'by_lift'])
      expect(await html(adam, `/analytics?type=${type}&journey=${journey}`)).not.toMatch(/\d %/)
  })
})

describe('Filters', () => {
  it('are form controls, and each active one can be removed', async () => {
    const query = `journey=${journey}&lift_id=${lift}&user=${learner}&from=2020-01-01&as_of=2999-01-01`
    const page = await html(adam, `/analytics?${query}`)
    for (const name of ['journey', 'lift_id', 'user', 'lo_id', 'prompt_id', 'from', 'to', 'as_of'])
      expect(page).toMatch(new RegExp(`<(select|input)[^>]*name="${name}"`))
    const chosen = (page.split('Filters that are set')[1]?.split('</ul>')[0] ?? '').replaceAll(
      /<\/?(bdi|span)>/g,
      '',
    )
    expect(chosen).toMatch(/Journey: [A-Z]/)
    expect(chosen).toMatch(/Lift: [A-Z]/)
    expect(chosen).toMatch(/Learner: [A-Z]/)
    expect(chosen).toContain('Due from Jan 1, 2020')
    const [, without = ''] = /href="([^"]+)"[^>]*>Learner/.exec(chosen) ?? []
    expect(without).toContain(`lift_id=${lift}`)
    expect(without).not.toContain('user=')
    const [, d] = tileOf(page, 'Completed')
    const [, all] = tileOf(await html(adam, without.replaceAll('&amp;', '&')), 'Completed')
    expect(all).toBeGreaterThan(d)
  })

  it('keep the current report when another journey is chosen', async () => {
    const page = await html(adam, `/analytics?type=by_user&journey=${journey}`)
    expect(page).toMatch(/<input type="hidden" name="type" value="by_user"\/>/)
  })

  it('are 404 when they name something that does not exist', async () => {
    for (const filter of ['journey', 'user', 'lift', 'lift_id', 'prompt_id', 'lo_id'])
      for (const path of ['/analytics', '/analytics/explain'])
        expect([path, filter, (await adam.visit(`${path}?${filter}=999999`)).status]).toEqual([
          path,
          filter,
          404,
        ])
  })

  it('say why nothing is counted, and ignore malformed values', async () => {
    const why = async (query: string) => html(adam, `/analytics?${query}`)
    expect(await why(`journey=${journey}&from=2030-01-01`)).toContain(
      'Nothing that matches these filters was due.',
    )
    expect(await why('from=2026-02-02&to=2026-01-01')).toContain('The first day is after the last one')
    expect(await why(`journey=${journey}&as_of=2020-01-01`)).toContain('after the day that is shown')
    expect(await why('journey=x&from=tomorrow&to=0000-01-01&as_of=99')).toContain('learners,')
  })
})

describe('The tables', () => {
  it('sort by the share of answers, ascending and descending', async () => {
    const shares = async (direction: string) => {
      const page = await html(adam, `/analytics?type=by_user&journey=${journey}&order=answered:${direction}`)
      return bodyRows(page, 'Figures by learner').map((row) => {
        const [, share] = /data-label="Answered"[^>]*>(\d+)%/.exec(row) ?? []
        return Number(share)
      })
    }
    const rising = await shares('asc')
    expect(rising.length).toBeGreaterThan(3)
    expect(new Set(rising).size).toBeGreaterThan(1)
    expect(rising).toEqual([...rising].sort((a, b) => a - b))
    expect(await shares('desc')).toEqual([...rising].sort((a, b) => b - a))
  })

  it('link the answers of a lift to the rows behind them', async () => {
    const page = await html(adam, `/analytics?type=by_lift&journey=${journey}`)
    const [, href = '', n, d] =
      /href="(\/analytics\/explain\?figure=response[^"]*)"[^>]*>(\d+) of (\d+)/.exec(page) ?? []
    expect(href).toContain('outcome=no')
    expect(rangeOf(await html(adam, href.replaceAll('&amp;', '&')))).toBe(Number(d) - Number(n))
  })

  it('find learners by name', async () => {
    const page = await html(adam, `/analytics?type=by_user&journey=${journey}&q=uri`)
    expect(bodyRows(page, 'Figures by learner')).toHaveLength(1)
    expect(await html(adam, `/analytics?type=by_user&journey=${journey}&q=zebra`)).toContain(
      'No learner has this name.',
    )
  })

  it('show the due times and answers of one learner', async () => {
    const page = await html(adam, `/analytics?type=by_user&journey=${journey}&user=${learner}`)
    expect(page).toMatch(/Completed · Due <time|Due <time/)
    expect(page).toMatch(/<dl class="report-answers">/)
  })

  it('show how the answers to one lift are distributed', async () => {
    const page = await html(adam, `/analytics?type=by_lift&journey=${journey}&lift=${lift}`)
    expect(page).toMatch(/<h3 id="answers-\d+" class="chart-title">\d+% /)
    const rows = bodyRows(page, 'How the answers spread')
    const counts = rows.map((row) => Number(/<td>(\d+)<\/td>/.exec(row)?.[1]))
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(tileOf(page, 'Answered')[0])
    expect(page).toContain('Answers by learner')
  })
})

describe('Who has not answered', () => {
  it('is linked from the schedule, and links to a reminder', async () => {
    const schedule = await html(adam, `/lljs/${journey}/schedule`)
    const [, href = ''] = /href="([^"]+)"[^>]*>Who has not answered/.exec(schedule) ?? []
    const page = await html(adam, href.replaceAll('&amp;', '&'))
    expect(page).toContain('Who has not answered</h1>')
    const [, remind = ''] = /href="([^"]+)"[^>]*>Remind them/.exec(page) ?? []
    expect(remind).toMatch(new RegExp(`^/lljs/${journey}/lifts/\\d+/remind$`))
    expect((await adam.visit(remind)).status).toBe(200)
    expect(schedule).toContain('These counts include people who are excluded from analytics')
  })

  it('can be searched by name, offers reminders, and says what it counts', async () => {
    const path = `/analytics/explain?figure=response&outcome=no&journey=${journey}`
    const page = await html(adam, path)
    expect(page).toContain('each lift that was due and has a question')
    expect(page).toContain('Test messages are not counted.')
    expect(page).toMatch(/>Remind<span class="hidden-words"> those who have not answered/)
    const one = bodyRows(await html(adam, `${path}&q=uri`), 'Who has not answered')
    expect(one.length).toBeGreaterThan(0)
    for (const row of one) expect(row).toContain('Uri')
    expect(await html(adam, `${path}&q=zebra`)).toContain('No learner and no lift has this name.')
  })

  it('offers no reminder when the journey is over', async () => {
    const over = listedJourney(await html(adam, '/lljs/manage?status=completed'))
    const page = await html(adam, `/analytics/explain?figure=response&outcome=no&journey=${over}`)
    expect(bodyRows(page, 'Who has not answered').length).toBeGreaterThan(0)
    expect(page).not.toMatch(/>Remind/)
  })

  it('is refused to a user who cannot see analytics', async () => {
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.visit(`/analytics/explain?journey=${journey}`)).status).toBe(403)
  })
})

describe('Reports', () => {
  it('explain contradictory filters instead of drawing charts', async () => {
    const why: [string, string][] = [
      ['from=2026-02-02&to=2026-01-01', 'The first day is after the last one, so no day is left.'],
      ['from=2026-02-02&as_of=2026-01-01', 'The figures are as of a day before the first one'],
      [`journey=${journey}&as_of=2020-01-01`, 'after the day that is shown'],
    ]
    for (const type of ['overview', 'by_user', 'by_lift'])
      for (const [query, words] of why) {
        const page = await html(adam, `/analytics?type=${type}&${query}`)
        expect([type, query, page]).toEqual([type, query, expect.stringContaining(words)])
        expect(page).not.toContain('<svg class="chart-drawing"')
      }
    const done = listedJourney(await html(adam, '/lljs/manage?status=completed'))
    const elsewhere = await html(adam, `/analytics?type=by_lift&journey=${done}&lift=${lift}`)
    expect(elsewhere).toContain('This lift belongs to another journey.')
    expect(elsewhere).not.toContain('Answers by learner')
    const nobody = await html(adam, `/analytics?type=by_user&journey=${journey}&user=2`)
    expect(nobody).toContain('This person is not a learner of this journey.')
    expect(await html(adam, '/analytics?as_of=2020-01-01')).toContain('due until the end of Jan 1, 2020.')
    const behind = await html(adam, `/analytics/explain?journey=${journey}&as_of=2020-01-01`)
    expect(behind).toContain('as of the end of Jan 1, 2020.')
    expect(behind).toContain('No lift with a question was due.')
  })

  it('disable lists that depend on another choice, and say on which', async () => {
    const all = await html(adam, '/analytics')
    expect(all).toContain('<option disabled="">Choose a journey first</option>')
    const one = await html(adam, `/analytics?journey=${journey}`)
    expect(one).not.toContain('Choose a journey first')
    expect(one).toContain('<option disabled="">Choose a lift first</option>')
  })

  it('still count an erased learner, without the name', async () => {
    const links = [
      `/analytics?journey=${journey}`,
      `/analytics?type=by_user&journey=${journey}`,
      `/analytics?type=by_user&journey=${journey}&user=${learner}`,
      `/analytics/explain?journey=${journey}&user=${learner}`,
    ]
    const before = tileOf(await html(adam, links[0] ?? ''), 'Completed')
    const [, name = ''] =
      new RegExp(`user=${learner}"[^>]*><bdi>([^<]+)<`).exec(await html(adam, links[1] ?? '')) ?? []
    expect(name).not.toBe('')
    expect((await adam.submit(`/users/edit/${learner}`, { intent: 'erase' })).status).toBe(302)
    for (const path of links) {
      const page = await html(adam, path)
      expect([path, page.includes(name)]).toEqual([path, false])
      expect([path, page.includes(`user=${learner}`)]).toEqual([path, true])
    }
    expect(tileOf(await html(adam, links[0] ?? ''), 'Completed')).toEqual(before)
  })
})
