/** Learners' answers are shown to the readers that the page named, and to nobody else: without JavaScript. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeMembers } from '#app/domain/participants/changing.server.ts'
import { listMembers } from '#app/domain/participants/listing.server.ts'
import { MemberQuery } from '#app/domain/participants/member.ts'
import { inScope } from '#app/domain/scope/scope.server.ts'
import { html } from '#tests/screens/journeys/authoring-world.ts'
import { openSponsors } from '#tests/screens/journeys/sponsors-world.ts'

let world: Awaited<ReturnType<typeof openSponsors>>
beforeAll(async () => {
  world = await openSponsors({
    alone: { kind: 'short_text', visibility: 'learner_only', text: 'What do you keep to yourself?' },
    counted: { kind: 'scale', visibility: 'aggregate_only', text: 'How tired are you?' },
    run: { kind: 'long_text', visibility: 'admins', text: 'What did you ask?' },
    told: { kind: 'short_text', visibility: 'sponsor', text: 'What do you need?' },
    order: {
      ...{ kind: 'ranking', visibility: 'admins', text: 'What comes first?', required: false },
      options: [
        { id: 'a', text: 'This' },
        { id: 'b', text: 'That' },
      ],
    },
    will: { kind: 'commitment', visibility: 'admins', text: 'What will you do?', required: false },
    boxes: {
      ...{ kind: 'multiple_choice', visibility: 'admins', text: 'Which of these?' },
      options: [
        { id: 'a', text: 'This' },
        { id: 'b', text: 'That' },
      ],
    },
  })
}, 120_000)
afterAll(() => world?.close())

describe('An answer', () => {
  it('is refused when it is a megabyte long or of the wrong kind, and typed text is kept', async () => {
    const uri = await world.visitor('uri')
    const path = `/lift/${world.made.lift}`
    const long = `${'x'.repeat(1_000_000)} end`
    const refused = await uri.submit(path, { [`answer:${world.made.ask.run}:long_text`]: long })
    const page = await refused.text()
    expect([refused.status, page.includes('Please use at most 5,000 characters')]).toEqual([422, true])
    expect(page).toContain('x end</textarea>')
    const wrong = await uri.submit(path, { [`answer:${world.made.ask.run}:multiple_choice`]: ['a', 'b'] })
    expect(wrong.status).toBe(422)
    expect(await html(uri, path)).toContain(`name="answer:${world.made.ask.run}:long_text"`)
  })

  it('is refused at its question when no box is selected, together with all other errors', async () => {
    const uri = await world.visitor('uri')
    const path = `/lift/${world.made.lift}`
    const { ask } = world.made
    expect(await html(uri, path)).toContain(`name="asked" value="${ask.boxes}"`)
    const refused = await uri.submit(path, {
      asked: [String(ask.boxes), String(ask.told)],
      [`answer:${ask.told}:short_text`]: 'Still here',
      [`answer:${ask.order}:ranking:place-a`]: '1',
      [`answer:${ask.will}:commitment`]: 'Listen',
      [`answer:${ask.will}:commitment:by`]: '2020-11-25',
    })
    const page = await refused.text()
    expect(refused.status).toBe(422)
    expect(page).toMatch(new RegExp(`<a href="#prompt-${ask.boxes}">Which of these\\?`))
    expect(page).toContain('Please answer this question.')
    // All errors are shown at once.
    expect(page).toContain('Please give each option its own place')
    expect(page).toContain('Please choose today or a later day')
    expect(page).toContain('value="Still here"')
    expect(page).not.toContain(`<a href="#prompt-${ask.told}">`)
  })

  it('that is incomplete is refused, and the page says what is missing', async () => {
    const uri = await world.visitor('uri')
    const { ask, lift } = world.made
    const refused = await uri.submit(`/lift/${lift}`, {
      [`answer:${ask.order}:ranking:place-a`]: '1',
      [`answer:${ask.order}:ranking:place-b`]: '1',
      [`answer:${ask.will}:commitment`]: '',
      [`answer:${ask.will}:commitment:by`]: '2099-11-25',
    })
    const page = await refused.text()
    expect(refused.status).toBe(422)
    expect(page).toContain('Please give each option its own place')
    expect(page).toContain('Please say what you will do')
    expect(page).toContain('value="2099-11-25"')
  })

  it('tells the learner who can read it, before and after it is given', async () => {
    const uri = await world.visitor('uri')
    const page = await html(uri, `/lift/${world.made.lift}`)
    expect(page).toMatch(/href="\/todo"[^>]*>Your to-do list/)
    const promises = [
      'Only you can read your answer.',
      'Nobody else can read your answer. It is counted together with those of at least four others; once it is, a change no longer counts.',
      'This journey’s author and your administrators can read your answer. Your sponsor cannot, unless they are one of them.',
      'Your sponsor (Sam Sponsor), this journey’s author and your administrators can read your answer.',
    ]
    for (const promise of promises.slice(0, 3)) expect(page).toContain(promise)
    expect(page).toMatch(/Your sponsor \(Sam [^)]+\), this journey’s author and your administrators can read/)
    const sent = await world.answer(uri, {
      ...{ alone: 'alone-words', counted: '4', run: 'Asked\nabout Bob & Jo', told: 'An hour a week' },
    })
    expect(sent.status).toBe(302)
    const after = await html(uri, `/lift/${world.made.lift}`)
    // The error of a changed answer is above the list of all answers.
    const changed = { [`answer:${world.made.ask.counted}:scale`]: '9' }
    const wrong = await (await uri.submit(`/lift/${world.made.lift}`, changed)).text()
    const told = wrong.indexOf('Nothing has been sent yet')
    expect([told > 0, told < wrong.indexOf('Your answer:')]).toEqual([true, true])
    for (const promise of promises.slice(0, 3)) expect(after).toContain(promise)
  })

  it('stays in its field when its change is refused', async () => {
    const uri = await world.visitor('uri')
    const path = `/lift/${world.made.lift}`
    const refused = await uri.submit(path, {
      [`answer:${world.made.ask.told}:short_text`]: `Two hours ${'x'.repeat(300)}`,
    })
    const again = await refused.text()
    expect([refused.status, again.includes('Please use at most 300 characters')]).toEqual([422, true])
    expect(again).toContain('value="Two hours xxx')
  })

  it('can be changed after going back, and is stored once when it is sent twice', async () => {
    const uri = await world.visitor('uri')
    const path = `/lift/${world.made.lift}`
    const answer = `answer:${world.made.ask.told}:short_text`
    // Sent, with all hidden fields, from a page to which Back returned.
    const drawn = [...(await html(uri, path)).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const hidden = Object.fromEntries(
      drawn.flatMap(([, name = '', value = '']) => (name === 'asked' ? [] : [[name, value]])),
    )
    const send = async (told: string) => (await uri.submit(path, { ...hidden, [answer]: told })).status
    const lines = async () => {
      const audit = world.database.selectFrom('audit_events').select('id')
      return (await audit.where('action', '=', 'lift.answered').execute()).length
    }
    const before = await lines()
    for (const told of ['Three hours', 'Three hours', 'Two hours', 'Three hours', 'An hour a week'])
      expect([told, await send(told)]).toEqual([told, 302])
    expect(await lines()).toBe(before + 4)
    expect(await html(uri, path)).toContain('An hour a week')
    const kept = await world.database
      .selectFrom('responses')
      .select('value')
      .where('prompt_id', '=', Number(world.made.ask.told))
      .orderBy('id')
      .execute()
    const all = ['An hour a week', 'Three hours', 'Two hours', 'Three hours', 'An hour a week']
    expect(kept.map(({ value }) => value)).toEqual(all)
  })

  it.each(['aya', 'adam'] as const)(
    'is shown in analytics to %s as far as its visibility allows',
    async (who) => {
      const visitor = await world.visitor(who)
      const { id, lift, ask } = world.made
      const user = world.idOf('uri')
      const page = await html(visitor, `/analytics?type=by_lift&journey=${id}&lift=${lift}`)
      for (const shown of ['about Bob &amp; Jo', 'An hour a week', 'Only the learners themselves can read'])
        expect(page).toContain(shown)
      expect(page).toContain('Answers to this question are only counted, and shown from five on.')
      expect(page).not.toContain('alone-words')
      expect(page).toContain(`?type=by_user&amp;journey=${id}&amp;user=${user}"`)
      const one = await html(
        visitor,
        `/analytics?type=by_lift&journey=${id}&lift=${lift}&prompt_id=${ask.told}`,
      )
      expect(one).toContain('An hour a week')
      expect(one).not.toContain('about Bob')
      const none = await html(visitor, `/analytics?type=by_lift&journey=${id}&lift=${lift}&q=zebra`)
      expect(none).toContain('No name and no answer contains these words.')
      const learner = await html(visitor, `/analytics?type=by_user&journey=${id}&user=${user}`)
      for (const shown of [
        'An hour a week',
        'Ask before you answer',
        'Answered. Only the learner can read it.',
      ])
        expect(learner).toContain(shown)
      expect(learner).toContain('Answered. It is only counted, together with others.')
      expect(learner).not.toContain('alone-words')
    },
  )

  it('is refused to a sponsor in analytics; unknown lifts and learners are 404', async () => {
    const { id, lift } = world.made
    const [sam, adam] = [await world.visitor('sam'), await world.visitor('adam')]
    const paths = [`/analytics?type=by_lift&lift=${lift}`, `/analytics?type=by_user&journey=${id}&user=1`]
    for (const path of paths) expect((await sam.visit(path)).status).toBe(403)
    expect((await adam.visit('/analytics?type=by_lift&lift=999999')).status).toBe(404)
    expect((await adam.visit(`/analytics?type=by_user&journey=${id}&user=999999`)).status).toBe(404)
  })

  it('can be read by a sponsor who wrote the journey, as the page says', async () => {
    const { id, lift } = world.made
    await inScope(world.database, world.as('adam'), async (scope) => {
      const { data } = await listMembers(scope, id, MemberQuery.parse({ role: 'learner' }))
      const member_ids = data.map((member) => member.id)
      await changeMembers(scope, id, { member_ids, sponsor_user_id: world.idOf('aya') })
    })
    const page = await html(await world.visitor('uri'), `/lift/${lift}`)
    expect(page).toContain('Your sponsor cannot, unless they are one of them.')
    expect(page).not.toContain('Your sponsor cannot.')
    expect(page).toContain('Your sponsor (Aya')
    const report = `/analytics?type=by_lift&journey=${id}&lift=${lift}`
    expect(await html(await world.visitor('aya'), report)).toContain('about Bob &amp; Jo')
  })

  it('sent after its lift closed is shown on the page that says so, until it is dismissed', async () => {
    const uri = await world.visitor('uri')
    const path = `/lift/${world.made.lift}`
    await sql`update occurrences set closes_at = now() where lift_id = ${world.made.lift}`.execute(
      world.database,
    )
    const late = await uri.submit(path, {
      [`answer:${world.made.ask.run}:long_text`]: 'Late & long',
      [`answer:${world.made.ask.counted}:scale`]: '2',
    })
    const page = await late.text()
    const said = page.replace(/<script.*?<\/script>/gs, '').match(/you can no longer answer it/g)
    expect([late.status, said?.length]).toEqual([422, 1])
    expect(page).toMatch(/<textarea[^>]*readonly[^>]*>Late &amp; long<\/textarea>/)
    const [, dismissed = ''] =
      /<form method="get" action="([^"]+)"[^>]*><button[^>]*>Dismiss</.exec(page) ?? []
    expect(dismissed).toBe(path)
    expect(await html(uri, dismissed)).not.toContain('Late')
  })
})
