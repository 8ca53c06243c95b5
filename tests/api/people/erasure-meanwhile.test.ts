/** Whoever writes at the moment in which they are erased leaves nothing behind. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

const WORDS = 'My very own words'
let world: JourneysWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())

async function sent(to: 'uri' | 'nora') {
  const { id, lift } = await world.draft([to], { name: `To ${to}` })
  const prompt = await world.must('adam', 'POST', `/lifts/${lift}/prompts`, {
    kind: 'short_text',
    text: 'You?',
  })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  return { lift, prompt_id: prompt.id as number }
}

const answer = (who: 'uri' | 'nora', { lift, prompt_id }: Awaited<ReturnType<typeof sent>>) =>
  world.call(who, 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id, value: WORDS }] })
const erase = (who: 'uri' | 'nora') =>
  world.call('adam', 'POST', `/users/${world.people[who].user_id}/erasure`, {})

/** How many wait for a lock. */
const waiting = async () =>
  (
    await admin.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  ).rows.length

const kept = async () => {
  const { rows } = await admin.query(
    `select (select count(*)::int from responses where value::text like '%' || $1 || '%') as answers,
      (select count(*)::int from audit_events where actor_email = any($2)) as lines`,
    [WORDS, ['uri', 'nora'].map((who) => world.people[who as 'uri'].email)],
  )
  return rows[0]
}

it('an answer under way is erased with them', async () => {
  const made = await sent('uri')
  await admin.query('begin')
  await admin.query('select from fact_occurrence where lift_id = $1 for update', [made.lift])
  const answered = answer('uri', made)
  await expect.poll(waiting).toBe(1)
  const erased = erase('uri')
  await sleep(300)
  await admin.query('commit')
  expect([(await answered).status, (await erased).status]).toEqual([200, 200])
  expect(await kept()).toEqual({ answers: 0, lines: 0 })
})

it('an answer that comes meanwhile is not taken', async () => {
  const made = await sent('nora')
  await admin.query('begin')
  await admin.query('lock table ended_sessions in exclusive mode')
  const erased = erase('nora')
  await expect.poll(waiting).toBe(1)
  const answered = answer('nora', made)
  await sleep(300)
  await admin.query('commit')
  expect([(await erased).status, (await answered).status]).toEqual([200, 401])
  expect(await kept()).toEqual({ answers: 0, lines: 0 })
})
