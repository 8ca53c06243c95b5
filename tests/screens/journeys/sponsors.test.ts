/** A learner commits, their sponsor reads, encourages and acknowledges: without JavaScript. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from './authoring-world.ts'
import { openSponsors } from './sponsors-world.ts'

let world: Awaited<ReturnType<typeof openSponsors>>
beforeAll(async () => {
  world = await openSponsors({
    told: { kind: 'short_text', visibility: 'sponsor', text: 'What do you need?' },
    will: { kind: 'commitment', visibility: 'sponsor', text: 'What will you do?' },
  })
}, 120_000)
afterAll(() => world?.close())

describe('Sponsors and commitments', () => {
  it('a sponsor finds their learner on the dashboard, reads, encourages, and acknowledges a commitment', async () => {
    const [uri, sam] = [await world.visitor('uri'), await world.visitor('sam')]
    const past = await world.answer(uri, { told: 'An hour', will: 'call Bob', 'will.by': '1999-02-03' })
    expect(past.status).toBe(422)
    expect((await past.text()).includes('Please choose today or a later day')).toBe(true)
    const sent = await world.answer(uri, { told: 'An hour', will: 'call Bob', 'will.by': '2099-11-25' })
    expect(sent.status).toBe(302)
    for (const place of ['/todo', '/'])
      expect([place, (await html(uri, place)).includes('I will call Bob')]).toEqual([place, true])

    const page = `/sponsors-journey/${world.made.id}`
    expect((await html(sam, '/')).includes(`href="${page}"`)).toBe(true)
    const learners = await html(sam, page)
    expect(learners).toMatch(/Your learners[\s\S]*\d of \d lifts? so far/)
    for (const count of ['Overdue">0<', 'Open commitments" data-align="end">1<'])
      expect(learners).toContain(count)
    const learner = `${page}?learner=${world.idOf('uri')}`
    const shown = await html(sam, learner)
    expect(shown).toMatch(/<title>[^<]*Uri Cohen[^<]* in /)
    for (const words of ['An hour', 'I will call Bob', 'Nov 25, 2099', 'Send encouragement'])
      expect([words, shown.includes(words)]).toEqual([words, true])
    // Nothing is sent that the sponsor has not chosen.
    expect(shown).toMatch(/<textarea[^>]*id="words"[^>]*><\/textarea>/)
    // Nothing suggested claims to have read answers, which a sponsor may not see.
    expect(shown).not.toMatch(/words=[^"]*answers/)
    const say = (what: string) =>
      sql`update responses set value = jsonb_set(value, '{what}', to_jsonb(${sql.lit(what)}::text)) where value ->> 'what' is not null`.execute(
        world.database,
      )
    await say('أسأل فريقي')
    for (const [reader, place] of [
      [uri, '/todo'],
      [sam, learner],
    ] as const)
      expect((await html(reader, place)).replaceAll('<!-- -->', '')).toContain(
        'I will \u2068أسأل فريقي\u2069<',
      )
    await say('call Bob')
    const [, words = ''] = /href="([^"]*words=A\+small[^"]*)"/.exec(shown) ?? []
    const chosen = await html(sam, words.replaceAll('&amp;', '&'))
    expect(chosen).toMatch(/<textarea[^>]*>A small step this week is enough/)
    const id = String(world.idOf('uri'))
    const wrong = await sam.submit(learner, { intent: 'encourage', learner: id, text: 'See www.x.example' })
    const refused = await wrong.text()
    expect([wrong.status, refused.includes('Please leave out links')]).toEqual([422, true])
    expect(refused.includes('See www.x.example')).toBe(true)
    expect((await sam.submit(learner, { intent: 'encourage', learner: id, text: 'Well done' })).status).toBe(
      302,
    )
    const [, commitment = ''] = /name="commitment" value="(\d+)"/.exec(shown) ?? []
    // A commitment that was changed after the page was opened is not acknowledged.
    const press = { intent: 'acknowledge', learner: id, commitment }
    const late = await sam.follow(await sam.submit(learner, { ...press, seen: '0' }))
    expect(late.html).toContain('The learner has changed this commitment. Please look at it again.')
    expect(late.html).toContain('Acknowledge<')
    const [, history = ''] = /name="seen" value="(\d+)"/.exec(late.html) ?? []
    const seen = await sam.submit(learner, { ...press, seen: history })
    expect([history, seen.status]).toEqual(['1', 302])
    const after = await html(sam, learner)
    for (const words of ['You can write again tomorrow.', 'Acknowledged'])
      expect([words, after.includes(words)]).toEqual([words, true])
    expect((await html(uri, '/todo')).includes('Your sponsor saw it.')).toBe(true)
    const done = await uri.submit('/todo', { commitment, state: 'done' })
    expect(done.status).toBe(302)
    const todo = await html(uri, '/todo')
    expect([todo.includes('value="dropped"'), todo.includes('Reopen<span')]).toEqual([false, true])
  })

  it('a sponsor sees at the lift itself that it is overdue', async () => {
    const [sam, { id, lift }] = [await world.visitor('sam'), world.made]
    const dueAt = (rule: string) =>
      sql`update occurrences set ${sql.raw(rule)} where journey_id = ${id}`.execute(world.database)
    const { rows } = await sql<{ state: string }>`
      select state from occurrences where journey_id = ${id}`.execute(world.database)
    await dueAt(`state = 'sent', due_at = due_at - interval '5 days'`)
    const page = await html(sam, `/sponsors-journey/${id}?learner=${world.idOf('uri')}`)
    await dueAt(`state = '${rows[0]?.state}', due_at = due_at + interval '5 days'`)
    const said = page.replace(/<!--.*?-->/g, '')
    expect(said).toContain('so far completed, 1 overdue.')
    expect(said.slice(said.indexOf(`id="lift-${lift}"`))).toMatch(/Sent\s*<span[^>]*>Overdue<.*Due /s)
  })

  it('an administrator who is not the sponsor gets a 404', async () => {
    const adam = await world.visitor('adam')
    for (const id of [String(world.made.id), '1', '999', 'abc', '0'])
      expect([id, (await adam.visit(`/sponsors-journey/${id}`)).status]).toEqual([id, 404])
  })

  it('a commitment that is done is not dropped from an outdated page', async () => {
    const uri = await world.visitor('uri')
    const [, commitment = ''] = /name="commitment" value="(\d+)"/.exec(await html(uri, '/todo')) ?? []
    await uri.submit('/todo', { commitment, state: 'done' })
    const { html: page } = await uri.follow(await uri.submit('/todo', { commitment, state: 'dropped' }))
    expect(page).toContain('This is already done. Please reopen it first.')
    await uri.submit('/todo', { commitment, state: 'open' })
    const todo = await html(uri, '/todo')
    expect(todo).toMatch(new RegExp(`value="${commitment}"[^]*?value="dropped"`))
    const [, itsLift = ''] = new RegExp(`value="${commitment}"[^]*?href="(/lift/\\d+)`).exec(todo) ?? []
    expect(await html(uri, itsLift)).not.toContain('this commitment')
    await uri.submit('/todo', { commitment, state: 'dropped' })
    expect(await html(uri, itsLift)).toContain('You dropped this commitment.')
    await uri.submit('/todo', { commitment, state: 'open' })
  })

  it('a commitment can be changed only while its lift can be answered', async () => {
    const uri = await world.visitor('uri')
    const until = (time: string | null) =>
      sql`update journeys set answers_until = ${time} where id = ${world.made.id}`.execute(world.database)
    expect(await html(uri, '/todo')).toMatch(/href="\/lift\/\d+\?again=/)
    await until('2020-01-01')
    const todo = await html(uri, '/todo')
    await until(null)
    expect(todo).toContain('value="dropped"')
    expect(todo).not.toContain('?again=')
  })

  it('an encouragement is kept when the journey was archived before it was sent', async () => {
    const [sam, { id }] = [await world.visitor('sam'), world.made]
    const learner = `/sponsors-journey/${id}?learner=${world.idOf('uri')}`
    const archived = (status: string) =>
      sql`update journeys set status = ${status} where id = ${id}`.execute(world.database)
    await archived('archived')
    const late = await sam.submit(learner, {
      ...{ intent: 'encourage', learner: String(world.idOf('uri')), text: 'Long and kind words' },
    })
    const page = (await late.text()).replace(/<script.*?<\/script>/gs, '')
    await archived('active')
    expect([
      late.status,
      page.includes('This journey is archived'),
      page.includes('Long and kind words'),
    ]).toEqual([422, true, true])
  })
})
