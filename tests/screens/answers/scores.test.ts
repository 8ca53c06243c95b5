/** The learner's sponsor and the author score an answer: without JavaScript. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import { openSponsors } from '#tests/screens/journeys/sponsors-world.ts'

let world: Awaited<ReturnType<typeof openSponsors>>
beforeAll(async () => {
  const scored = { kind: 'short_text', visibility: 'sponsor', max_score: 10 }
  world = await openSponsors({
    told: { ...scored, scoring: 'sponsor', text: 'What do you need?' },
    asked: { ...scored, scoring: 'author', text: 'What did you ask?' },
  })
}, 120_000)
afterAll(() => world?.close())

it('a sponsor and the author score answers, and the learner sees who scores and the points', async () => {
  const [uri, sam, aya] = [await world.visitor('uri'), await world.visitor('sam'), await world.visitor('aya')]
  expect((await world.answer(uri, { told: 'An hour a week', asked: 'Why not' })).status).toBe(302)
  const before = await html(uri, `/lift/${world.made.lift}`)
  for (const words of ['Your sponsor scores this answer.', 'The author scores this answer.'])
    expect([words, before.includes(words)]).toEqual([words, true])

  const learner = `/sponsors-journey/${world.made.id}?learner=${world.idOf('uri')}`
  const [, path = ''] = /href="(\/answers\/\d+\/score)"/.exec(await html(sam, learner)) ?? []
  const form = await html(sam, path)
  for (const words of ['What do you need?', 'An hour a week', 'Points, 0 to 10'])
    expect([words, form.includes(words)]).toEqual([words, true])
  // A browser accepts decimals, with a comma in locales that use one.
  const field = /<input[^>]*name="points"[^>]*>/.exec(form)?.[0]
  for (const said of ['type="number"', 'step="any"']) expect(field).toContain(said)
  const version = valueIn(form, 'version')
  const wrong = await sam.submit(path, { points: '11', comment: 'Well said.', version })
  const again = await wrong.text()
  expect([wrong.status, again.includes('Please enter 0 to 10'), again.includes('Well said.')]).toEqual([
    422,
    true,
    true,
  ])
  expect((await sam.submit(path, { points: 'seven', version })).status).toBe(400)
  const long = await sam.submit(path, { points: '7', comment: 'x'.repeat(1001), version })
  expect(await long.text()).toContain('Please use at most 1,000 characters')
  const saved = await sam.submit(path, { points: '7.5', comment: 'Well said.', version })
  expect([saved.status, saved.headers.get('location')]).toEqual([
    302,
    `${learner}#answer-${path.split('/')[2]}`,
  ])
  const late = await sam.submit(path, { points: '2', comment: 'Mine.', version })
  const both = await late.text()
  expect([late.status, both.includes('Saved now'), both.includes('7.5'), both.includes('Mine.')]).toEqual([
    409,
    true,
    true,
    true,
  ])

  const answers = await html(aya, `/analytics?type=by_lift&journey=${world.made.id}&lift=${world.made.lift}`)
  for (const words of ['7.5</strong>', '7.5 of 10', 'mean score 7.5 of 10'].slice(2))
    expect([words, answers.includes(words)]).toEqual([words, true])
  const [, own = ''] = /href="(\/answers\/\d+\/score)"/.exec(answers) ?? []
  expect(own).not.toBe(path)
  expect((await aya.submit(own, { points: '3', version: '0' })).status).toBe(302)
  expect((await aya.visit(path)).status).toBe(403)
  expect((await (await world.visitor('adam')).visit('/answers/999999/score')).status).toBe(404)
  expect((await uri.visit(path)).status).toBe(404)

  const after = (await html(uri, `/lift/${world.made.lift}`)).replaceAll('<!-- -->', '')
  for (const words of ['Score: 7.5 of 10', 'Well said.', 'Score: 3 of 10'])
    expect([words, after.includes(words)]).toEqual([words, true])
})

const onward = (to: string) => new RegExp(`href="${to}"[^>]*>Score the new answer<`)

it('a sponsor’s comment is kept when the answer has changed or is no longer theirs, with the reason', async () => {
  const [uri, sam] = [await world.visitor('uri'), await world.visitor('sam')]
  const learner = `/sponsors-journey/${world.made.id}?learner=${world.idOf('uri')}`
  const scored = async () => /href="(\/answers\/\d+\/score)"/.exec(await html(sam, learner))?.[1] ?? ''
  const path = await scored()
  const fields = { points: '4', comment: 'A long and careful comment', version: '1' }
  const changed = { [`answer:${world.made.ask.told}:short_text`]: 'Two hours a week' }
  expect((await uri.submit(`/lift/${world.made.lift}`, changed)).status).toBe(302)
  const send = async (to: string) => {
    const sent = await sam.submit(to, fields)
    const page = (await sent.text()).replace(/<script.*?<\/script>/gs, '')
    return { status: sent.status, page, isKept: page.includes(fields.comment) }
  }
  const late = await send(path)
  expect(late).toMatchObject({ status: 409, isKept: true })
  expect(late.page).toContain('The learner has changed this answer.')
  const opened = (await (await sam.visit(path)).text()).replace(/<script.*?<\/script>/gs, '')
  expect(opened).toContain('The learner has changed this answer.')
  expect(opened).not.toContain('try again later')
  expect(opened).toContain('<title>This has changed · Liftwell</title>')

  const next = await scored()
  expect(next).not.toBe(path)
  const pointsOnly = await (await sam.submit(path, { points: '4', version: '1' })).text()
  for (const page of [late.page, opened, pointsOnly]) expect(page).toMatch(onward(next))
  await sql`update members set sponsor_id = null where user_id = ${world.idOf('uri')} and journey_id = ${world.made.id}`.execute(
    world.database,
  )
  expect(await html(uri, `/lift/${world.made.lift}`)).not.toContain('Your sponsor scores this answer.')
  const gone = await send(next)
  expect(gone).toMatchObject({ status: 404, isKept: true })
  expect(gone.page).toContain('you no longer have access to it.')
})
